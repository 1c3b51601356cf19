package io.hawser.common.spool;

import static io.hawser.common.spool.SpoolFixture.FRAGMENT;
import static io.hawser.common.spool.SpoolFixture.bytes;
import static io.hawser.common.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.storage.DiskStorage;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fragments that are put aside before all of their bytes have come. */
class SpoolParkTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private SpoolFixture it;

    private final byte[] bytes = bytes(3 * FRAGMENT, 5);

    @BeforeEach
    void open() throws Exception {
        it = new SpoolFixture(new DiskStorage(), directory, SpoolFixture.config(), 24).started();
    }

    @AfterEach
    void close() {
        it.close();
    }

    /** Parks the first half of a fragment. */
    private void park(Upload upload, int index) {
        FragmentBuffer buffer = it.acquire();
        buffer.payload(0, FRAGMENT / 2).put(bytes, index * FRAGMENT, FRAGMENT / 2);
        Answer<Long> parked = new Answer<>();
        it.run(() -> upload.park(index, buffer, 0, FRAGMENT / 2, parked));
        assertThat(parked.value()).isEqualTo(index);
        buffer.release();
    }

    private Answer<Long> unpark(Upload upload, int index, FragmentBuffer into) {
        Answer<Long> back = new Answer<>();
        it.run(() -> upload.unpark(index, into, back));
        return back;
    }

    @Test
    void parkedFragmentComesBackAndIsCompleted() {
        Upload upload = it.begin(request("f"));
        park(upload, 1);
        it.writeOne(upload, bytes, 2).value();
        it.writeOne(upload, bytes, 0).value();
        FragmentBuffer buffer = it.acquire();
        assertThat(unpark(upload, 1, buffer).value()).isEqualTo(1);
        byte[] half = new byte[FRAGMENT / 2];
        buffer.payload(0, half.length).get(half);
        assertThat(half).isEqualTo(java.util.Arrays.copyOfRange(bytes, FRAGMENT, FRAGMENT + half.length));
        buffer.payload(half.length, half.length).put(bytes, FRAGMENT + half.length, half.length);
        Answer<Long> written = new Answer<>();
        it.run(() -> {
            upload.write(1, buffer, FRAGMENT, written);
            buffer.release();
        });

        assertThat(it.finish(upload, bytes.length).refusal()).isNull();
        assertThat(it.content(upload.key())).isEqualTo(bytes);
    }

    @Test
    void parkedFragmentIsNotDurable() throws Exception {
        Upload upload = it.begin(request("f", "ann"));
        it.writeOne(upload, bytes, 0).value();
        park(upload, 1);
        assertThat(it.onLoop(() -> upload.durableLength(1))).isZero();
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config()).started();

        Upload resumed = it.onLoop(() -> it.spool.resume(upload.key())).get();

        assertThat(resumed.resumePositionBytes()).isEqualTo(FRAGMENT);
        assertThat(it.onLoop(resumed::durableEndBytes)).isEqualTo(FRAGMENT);
    }

    @Test
    void uploadThatOnlyParkedIsIncompleteAtItsEnd() {
        Upload upload = it.begin(request("f"));
        park(upload, 0);

        assertThat(it.finish(upload, FRAGMENT / 2).isRefused()).isTrue();
    }

    @Test
    void damageOnTheDiskIsNoticed() throws Exception {
        Upload upload = it.begin(request("f"));
        park(upload, 0);
        Path data;
        try (Stream<Path> files = Files.walk(directory)) {
            data = files.filter(file -> file.toString().endsWith(".data"))
                    .findFirst()
                    .orElseThrow();
        }
        try (RandomAccessFile file = new RandomAccessFile(data.toFile(), "rw")) {
            file.seek(100);
            file.write(bytes[100] ^ 1);
        }
        FragmentBuffer buffer = it.acquire();

        assertThat(unpark(upload, 0, buffer).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        buffer.release();
        it.run(() -> upload.cancel("the test is over"));
    }
}
