package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.store.storage.DiskStorage;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
        assertThat(half).isEqualTo(Arrays.copyOfRange(bytes, FRAGMENT, FRAGMENT + half.length));
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
        assertThat(it.onLoop(() -> resumed.durableLength(1))).isZero();
    }

    private Answer<Long> writeParked(Upload upload, int index) {
        Answer<Long> written = new Answer<>();
        it.run(() -> upload.writeParked(index, FRAGMENT / 2, written));
        return written;
    }

    @Test
    void parkedFragmentIsTheTailOfAnObject() throws Exception {
        Upload upload = it.begin(request("f"));
        it.writeOne(upload, bytes, 0).value();
        park(upload, 1);
        Answer<Long> written = writeParked(upload, 1);

        assertThat(it.finish(upload, FRAGMENT + FRAGMENT / 2).refusal()).isNull();

        assertThat(written.value()).isEqualTo(1);
        assertThat(it.content(upload.key())).isEqualTo(Arrays.copyOf(bytes, FRAGMENT + FRAGMENT / 2));
    }

    @Test
    void smallObjectThatWasParkedIsWholeToo() {
        Upload upload = it.begin(request("f"));
        park(upload, 0);
        Answer<Long> unused = writeParked(upload, 0);

        assertThat(it.finish(upload, FRAGMENT / 2).refusal()).isNull();

        assertThat(it.content(upload.key())).isEqualTo(Arrays.copyOf(bytes, FRAGMENT / 2));
    }

    /** Also while it is being read back for bytes that will not come any more. */
    @Test
    void parkedFragmentOfAnUploadThatIsLeftIsItsDurableEnd() throws Exception {
        Upload upload = it.begin(request("f", "ann"));
        it.writeOne(upload, bytes, 0).value();
        park(upload, 1);
        FragmentBuffer buffer = it.acquire();
        Answer<Long> back = new Answer<>();
        Answer<Long> written = new Answer<>();
        it.run(() -> {
            upload.unpark(1, buffer, back);
            upload.writeParked(1, FRAGMENT / 2, written);
            upload.abandon("gone");
        });
        assertThat(back.value()).isEqualTo(1);
        assertThat(written.value()).isEqualTo(1);
        buffer.release();
        it.awaitPhase(upload.key(), SpoolPhase.INCOMPLETE);
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config()).started();

        Upload resumed = it.onLoop(() -> it.spool.resume(upload.key())).get();

        assertThat(resumed.resumePositionBytes()).isEqualTo(FRAGMENT + FRAGMENT / 2);
        FragmentBuffer begun = it.acquire();
        Answer<Integer> loaded = new Answer<>();
        it.run(() -> resumed.loadPartial(begun, loaded));
        assertThat(loaded.value()).isEqualTo(FRAGMENT / 2);
        begun.payload(FRAGMENT / 2, FRAGMENT / 2).put(bytes, FRAGMENT + FRAGMENT / 2, FRAGMENT / 2);
        it.run(() -> {
            resumed.write(1, begun, FRAGMENT, new Answer<>());
            begun.release();
        });
        assertThat(it.finish(resumed, 2 * FRAGMENT).refusal()).isNull();
        assertThat(it.content(upload.key())).isEqualTo(Arrays.copyOf(bytes, 2 * FRAGMENT));
    }

    /** What was durable stays so, whatever was put aside over it. */
    @Test
    void beginningThatIsDurableSurvivesThatItIsPutAside() throws Exception {
        Upload first = it.begin(request("f", "ann"));
        FragmentBuffer buffer = it.acquire();
        buffer.payload(0, FRAGMENT).put(bytes, 0, FRAGMENT);
        it.run(() -> {
            first.write(0, buffer, FRAGMENT / 4 + 5, new Answer<>());
            first.abandon("gone");
        });
        it.awaitPhase(first.key(), SpoolPhase.INCOMPLETE);
        Upload resumed = it.onLoop(() -> it.spool.resume(first.key())).get();
        Answer<Long> parked = new Answer<>();
        it.run(() -> resumed.park(0, buffer, 0, FRAGMENT / 2, parked));
        assertThat(parked.value()).isZero();
        buffer.release();
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config()).started();

        Upload again = it.onLoop(() -> it.spool.resume(first.key())).get();

        assertThat(again.resumePositionBytes()).isEqualTo(FRAGMENT / 4 + 5);
        FragmentBuffer begun = it.acquire();
        Answer<Integer> loaded = new Answer<>();
        it.run(() -> again.loadPartial(begun, loaded));
        assertThat(loaded.value()).isEqualTo(FRAGMENT / 4 + 5);
        byte[] found = new byte[FRAGMENT / 4 + 5];
        begun.payload(0, found.length).get(found);
        assertThat(found).isEqualTo(Arrays.copyOf(bytes, found.length));
        begun.release();
        it.run(() -> again.cancel("the test is over"));
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
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
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
        it.awaitPhase(upload.key(), SpoolPhase.CANCELLED);
    }
}
