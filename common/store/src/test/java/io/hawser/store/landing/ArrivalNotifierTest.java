package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.PlainTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a target is told of objects that are not complete yet. */
class ArrivalNotifierTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @SuppressWarnings("NullAway.Init") // see open
    private LandingRig rig;

    private final EagerTarget target = new EagerTarget();

    /** Begins with two fragments. */
    private static final class EagerTarget extends PlainTarget {
        final Map<TransferKey, ArrivingObject> arriving = new ConcurrentHashMap<>();
        final Map<TransferKey, Path> gone = Collections.synchronizedMap(new LinkedHashMap<>());
        volatile long deliveredBytes = -1;

        @Override
        public boolean wantsEarly(Manifest manifest, long verifiedBytes) {
            return verifiedBytes >= 2 * FRAGMENT_BYTES;
        }

        @Override
        public void arriving(ArrivingObject object) {
            arriving.put(object.key(), object);
        }

        @Override
        public void gone(TransferKey key, Path note) {
            gone.put(key, note);
        }

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
            for (VerifiedObject object : objects) {
                deliveredBytes = object.commit().sizeBytes();
                results.accept(new DeliveryOutcome.Delivered(object));
            }
        }
    }

    @BeforeEach
    void open() throws StorageException {
        rig = new LandingRig(new DiskStorage(), LandingOptions.in(directory, "sub"), target, CrashPoints.NONE);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private Path landingFile() {
        return directory.resolve("files/" + key(1) + ".part");
    }

    private long arrived() {
        ArrivingObject object = target.arriving.get(key(1));
        return object == null ? 0 : object.verifiedBytes();
    }

    @Test
    void thePrefixGrowsOnlyOverWhatIsVerifiedWithoutAGap() throws Exception {
        byte[] content = bytes(1, 5 * FRAGMENT_BYTES + 100);
        ok(rig.open(file(1, "a", Manifest.UNKNOWN_SIZE)));
        ok(rig.offer(key(1), content, 0));
        ok(rig.offer(key(1), content, 5)); // the short tail
        ok(rig.offer(key(1), content, 3));
        assertThat(arrived()).isZero();

        ok(rig.offer(key(1), content, 1));
        assertThat(arrived()).isEqualTo(2 * FRAGMENT_BYTES);
        ok(rig.offer(key(1), content, 2));
        assertThat(arrived()).isEqualTo(4 * FRAGMENT_BYTES);
        assertThat(fileBytes(4 * FRAGMENT_BYTES)).isEqualTo(Arrays.copyOf(content, 4 * FRAGMENT_BYTES));
        ok(rig.offer(key(1), content, 4));
        assertThat(arrived()).isEqualTo(content.length);

        assertThat(target.deliveredBytes).isEqualTo(-1);
        ok(rig.commit(key(1), content));
        await().until(() -> target.deliveredBytes == content.length);
        assertThat(target.gone).isEmpty();
    }

    private byte[] fileBytes(int length) throws IOException {
        try (var in = Files.newInputStream(landingFile())) {
            return in.readNBytes(length);
        }
    }

    @Test
    void aCancelledTransferLeavesItsNoteToTheTarget() throws Exception {
        Path note = beginWithNote();

        ok(rig.cancel(key(1)));

        assertThat(target.gone).containsExactly(Map.entry(key(1), note));
        await().until(() -> !Files.exists(landingFile()));
        assertThat(note).exists();
    }

    @Test
    void aNoteThatACrashLeftIsToldOfWithTheNextStart() throws Exception {
        Path note = beginWithNote();
        ok(rig.cancel(key(1)));
        await().until(() -> !Files.exists(landingFile()));
        rig.close();
        target.gone.clear();

        open();

        await().until(() -> target.gone.containsKey(key(1)));
        assertThat(target.gone).containsEntry(key(1), note);
    }

    @Test
    void anObjectThatStillComesInKeepsItsNoteOverARestart() throws Exception {
        byte[] content = bytes(1, 4 * FRAGMENT_BYTES);
        Path note = beginWithNote();
        rig.close();
        target.arriving.clear();

        open();
        ok(rig.offer(key(1), content, 2));

        // What the earlier run wrote is verified in the background.
        await().untilAsserted(() -> assertThat(arrived()).isEqualTo(3 * FRAGMENT_BYTES));
        assertThat(note).exists();
        assertThat(target.gone).isEmpty();
    }

    private Path beginWithNote() throws IOException {
        byte[] content = bytes(1, 4 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "a", content.length)));
        ok(rig.offer(key(1), content, 0));
        ok(rig.offer(key(1), content, 1));
        assertThat(arrived()).isEqualTo(2 * FRAGMENT_BYTES);
        Path note = directory.resolve("files/" + key(1) + ".part.note");
        return Files.writeString(note, "early\n");
    }

    @Test
    void whoWaitsIsWokenByGrowth() throws Exception {
        ArrivingObject object = new ArrivingObject(file(1, "a", 100), directory.resolve("x"));
        Thread grower = new Thread(() -> object.grewTo(50));
        grower.start();

        assertThat(object.awaitBeyond(10, Duration.ofSeconds(20))).isEqualTo(50);
        assertThat(object.awaitBeyond(50, Duration.ofMillis(1))).isEqualTo(50);
        grower.join();
    }
}
