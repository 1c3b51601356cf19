package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What is true of every kind of server when an object is uploaded while it is still coming in. */
abstract class EarlyContract extends FarServerContract {
    private static final int SIZE_BYTES = 20 * MIB + 77;

    @Test
    void theBeginningIsUploadedWhileTheRestComesInAndNothingIsVisible() throws Exception {
        VerifiedObject object = rig.object("a/b/growing", SIZE_BYTES);
        ArrivingObject arriving = TargetRig.arriving(object);
        Path early = delivered(TargetRig.temporaryName(object));

        rig.grow(arriving, 5 * MIB + 1);
        awaitSize(early, 4 * MIB); // a server may hold the last bytes in a buffer of its own: all that came in one read
        rig.grow(arriving, 9 * MIB);
        awaitSize(early, 8 * MIB);
        assertThat(delivered("a")).doesNotExist();
        rig.grow(arriving, SIZE_BYTES);
        rig.deliver(object);

        assertSame(object);
    }

    @Test
    void whatWasUploadedEarlyIsNotUploadedAgain() throws Exception {
        VerifiedObject object = rig.object("a/kept", SIZE_BYTES);
        ArrivingObject arriving = TargetRig.arriving(object);
        Path early = delivered(TargetRig.temporaryName(object));
        rig.grow(arriving, 6 * MIB);
        awaitBytes(early, object.file(), 5 * MIB);
        changeByte(early, 4 * MIB);

        DeliveryOutcome first = rig.attempt(object);

        if (computesChecksums()) {
            assertThat(first).isInstanceOf(DeliveryOutcome.Later.class);
            assertThat(((DeliveryOutcome.Later) first).reason()).contains("from the beginning");
            rig.deliver(object);
            assertSame(object);
        } else {
            changeByte(delivered("a/kept"), 4 * MIB);
            assertSame(object);
        }
    }

    /** Blocks may come in any order, so that a size says little. */
    private static void awaitBytes(Path file, Path source, int length) {
        Awaitility.await()
                .ignoreException(java.nio.file.NoSuchFileException.class)
                .until(() -> {
                    try (InputStream there = Files.newInputStream(file);
                            InputStream wanted = Files.newInputStream(source)) {
                        return Arrays.equals(there.readNBytes(length), wanted.readNBytes(length));
                    }
                });
    }

    /** Changing it once more undoes it. */
    private static void changeByte(Path file, long position) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            int value = bytes.read();
            bytes.seek(position);
            bytes.write(value ^ 1);
        }
    }

    @Test
    void anEarlyUploadGoesOnAfterTheServersDeath() throws Exception {
        VerifiedObject object = rig.object("crashed", SIZE_BYTES);
        ArrivingObject arriving = TargetRig.arriving(object);
        Path early = delivered(TargetRig.temporaryName(object));
        rig.grow(arriving, 6 * MIB);
        awaitSize(early, MIB);

        server.kill();
        server.restart();
        Awaitility.await()
                .ignoreException(java.nio.file.NoSuchFileException.class)
                .until(() -> {
                    rig.grow(arriving, 10 * MIB); // as fragments come, it is told again and again
                    return Files.size(early) >= 9 * MIB;
                });
        rig.grow(arriving, SIZE_BYTES);
        rig.deliverInTheEnd(object);

        assertSame(object);
    }

    @Test
    void anEarlyUploadGoesOnAfterOurOwnDeath() throws Exception {
        VerifiedObject object = rig.object("restarted", SIZE_BYTES);
        Path early = delivered(TargetRig.temporaryName(object));
        rig.grow(TargetRig.arriving(object), 6 * MIB);
        awaitSize(early, MIB);

        rig.restart();
        rig.grow(TargetRig.arriving(object), 10 * MIB);
        awaitSize(early, 9 * MIB);
        rig.deliver(object);

        assertSame(object);
    }

    @Test
    void aCrashWhileTheFileIsBroughtBesideItsNameCostsNothing() throws Exception {
        VerifiedObject object = rig.object("a/brought", 5 * MIB);
        DeliveryCheckpoint.read(new DiskStorage(), object.note()).markEarly();
        Files.createDirectories(delivered("a"));
        byte[] part = Arrays.copyOf(Files.readAllBytes(object.file()), MIB);
        Files.write(delivered("a/" + TargetRig.temporaryName(object)), part);

        rig.deliver(object);

        assertSame(object);
    }

    @Test
    void whatWasUploadedOfACancelledTransferIsRemoved() throws Exception {
        VerifiedObject object = rig.object("cancelled", SIZE_BYTES);
        ArrivingObject arriving = TargetRig.arriving(object);
        Path early = delivered(TargetRig.temporaryName(object));
        rig.grow(arriving, 6 * MIB);
        awaitSize(early, 5 * MIB);

        rig.target().gone(object.key(), object.note());

        Awaitility.await().until(() -> !Files.exists(object.note()));
        assertThat(early).doesNotExist();
    }

    @Test
    void whatACrashKeptFromBeingRemovedIsRemovedAtTheNextStart() throws Exception {
        VerifiedObject object = rig.object("cancelled", SIZE_BYTES);
        Path early = delivered(TargetRig.temporaryName(object));
        rig.grow(TargetRig.arriving(object), 6 * MIB);
        awaitSize(early, 5 * MIB);
        rig.restart();

        rig.target().gone(object.key(), object.note()); // as the landing area does with every note that is left

        Awaitility.await().until(() -> !Files.exists(object.note()));
        assertThat(early).doesNotExist();
    }

    @Test
    void completeObjectsDoNotWaitForThoseThatStillComeIn() throws Exception {
        for (int i = 0; i < 6; i++) {
            VerifiedObject slow = rig.object("slow" + i, SIZE_BYTES);
            rig.grow(TargetRig.arriving(slow), 5 * MIB);
        }
        VerifiedObject complete = rig.object("complete", MIB);

        rig.deliver(complete);

        assertThat(Files.mismatch(complete.file(), delivered("complete"))).isEqualTo(-1);
        assertThat(temporaryFiles().count()).isLessThanOrEqualTo(2);
    }
}
