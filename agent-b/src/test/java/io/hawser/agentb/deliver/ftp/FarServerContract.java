package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.DiskStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What is true of a delivery to every kind of server. */
abstract class FarServerContract extends FarServerBase {
    @Test
    void directoriesAreMadeAndTheTimeIsKept() throws Exception {
        String name = "a/b c/" + oddName();
        VerifiedObject object = rig.object(name, 3 * MIB + 17);

        rig.deliver(object);

        assertSame(object);
        assertThat(Files.getLastModifiedTime(delivered(name)).toMillis()).isEqualTo(TargetRig.MODIFIED_MILLIS);
    }

    @Test
    void anEmptyFileAndAnEmptyDirectoryArrive() throws Exception {
        VerifiedObject empty = rig.object("empty", 0);
        VerifiedObject made = rig.object(TransferKind.MAKE_DIRECTORY, "made/twice", 0);

        rig.deliver(empty);
        rig.deliver(made);
        rig.deliver(made);

        assertSame(empty);
        assertThat(delivered("made/twice")).isDirectory();
    }

    @Test
    void whatStandsThereIsReplaced() throws Exception {
        rig.deliver(rig.object("x", 1000));
        VerifiedObject second = rig.object("x", 700);

        rig.deliver(second);

        assertSame(second);
    }

    @Test
    void anUploadGoesOnWhereItBrokeOff() throws Exception {
        VerifiedObject object = rig.object("big", 2 * MIB);
        byte[] bytes = Files.readAllBytes(object.file());
        byte[] there = Arrays.copyOf(bytes, MIB);
        there[0]++; // shows that it was kept
        Files.createDirectories(delivered(""));
        Files.write(delivered(TargetRig.temporaryName(object)), there);

        DeliveryOutcome first = rig.attempt(object);

        if (computesChecksums()) {
            assertThat(first).isInstanceOf(DeliveryOutcome.Later.class); // and the next attempt begins from zero
            rig.deliver(object);
            assertSame(object);
        } else {
            assertThat(first).isInstanceOf(DeliveryOutcome.Delivered.class);
            bytes[0]++;
            assertThat(Files.readAllBytes(delivered("big"))).isEqualTo(bytes);
        }
    }

    @Test
    void aRenameThatWasMadeIsNotMadeAgainAlsoWhenTheFileWasTakenAway() throws Exception {
        VerifiedObject object = rig.object("taken", 5000);
        DeliveryCheckpoint.read(new DiskStorage(), object.note()).markRenaming();

        rig.deliver(object);

        assertThat(delivered("taken")).doesNotExist();
    }

    @Test
    void aRenameThatWasNotMadeIsMade() throws Exception {
        VerifiedObject object = rig.object("late", 5000);
        DeliveryCheckpoint.read(new DiskStorage(), object.note()).markRenaming();
        Files.createDirectories(delivered(""));
        Files.copy(object.file(), delivered(TargetRig.temporaryName(object)));

        rig.deliver(object);

        assertSame(object);
    }

    @Test
    void namesAreChangedOnceAlsoWhenTheyAreChangedAgain() throws Exception {
        rig.deliver(rig.object("old", 10));
        VerifiedObject renamed = rig.operation(TransferKind.RENAME, "old", Map.of(Attributes.RENAMED_TO, "new"), false);
        VerifiedObject deleted = rig.operation(TransferKind.DELETE, "new", Map.of(), false);
        VerifiedObject made = rig.object(TransferKind.MAKE_DIRECTORY, "dir", 0);
        VerifiedObject removed = rig.operation(TransferKind.REMOVE_DIRECTORY, "dir", Map.of(), false);

        rig.deliver(renamed);
        assertThat(delivered("new")).exists();
        rig.deliver(rig.again(renamed));
        rig.deliver(deleted);
        rig.deliver(rig.again(deleted));
        rig.deliver(made);
        rig.deliver(removed);
        rig.deliver(rig.again(removed));

        assertThat(delivered("new")).doesNotExist();
        assertThat(delivered("dir")).doesNotExist();
        assertThat(rig.attempt(deleted)).isInstanceOf(DeliveryOutcome.Failed.class);
    }

    /** Whether an anonymous user may set permissions. */
    boolean setsModes() {
        return true;
    }

    @Test
    void modesAreSet() throws Exception {
        String name = "m o/" + oddName();
        rig.deliver(rig.object(name, 10));
        VerifiedObject mode = rig.operation(TransferKind.SET_MODE, name, Map.of(Attributes.MODE, "640"), false);

        if (setsModes()) {
            rig.deliver(mode);
            rig.deliver(rig.again(mode));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(delivered(name))))
                    .isEqualTo("rw-r-----");
        } else {
            TargetRig.assertEnded(rig.attempt(mode), DeliveryOutcome.Failed.class, "SITE", "550");
        }
    }

    @Test
    void aDirectoryIsRenamedWithAllThatIsInItAndIsRemovedOnlyWhenItIsEmpty() throws Exception {
        VerifiedObject object = rig.object("old dir/sub/" + oddName(), 10);
        rig.deliver(object);
        rig.deliver(rig.operation(TransferKind.RENAME, "old dir", Map.of(Attributes.RENAMED_TO, "-new dir"), false));
        Path moved = delivered("-new dir/sub/" + oddName());
        assertThat(moved).exists();

        VerifiedObject removed = rig.operation(TransferKind.REMOVE_DIRECTORY, "-new dir/sub", Map.of(), false);
        assertThat(rig.attempt(removed)).isInstanceOf(DeliveryOutcome.Failed.class);
        rig.deliver(rig.operation(TransferKind.DELETE, "-new dir/sub/" + oddName(), Map.of(), false));
        rig.deliver(removed);

        assertThat(delivered("-new dir/sub")).doesNotExist();
        assertThat(delivered("-new dir")).exists();
        rig.deliver(rig.object("-new dir/sub/again", 10)); // what was known of directories has been forgotten
        assertThat(delivered("-new dir/sub/again")).exists();
    }

    @Test
    void aRenameReplacesWhatStandsThere() throws Exception {
        VerifiedObject first = rig.object("first", 10);
        rig.deliver(first);
        rig.deliver(rig.object("second", 20));

        rig.deliver(rig.operation(TransferKind.RENAME, "first", Map.of(Attributes.RENAMED_TO, "second"), false));

        assertThat(Files.mismatch(first.file(), delivered("second"))).isEqualTo(-1);
        assertThat(delivered("first")).doesNotExist();
        VerifiedObject missing =
                rig.operation(TransferKind.RENAME, "first", Map.of(Attributes.RENAMED_TO, "third"), false);
        assertThat(rig.attempt(missing)).isInstanceOf(DeliveryOutcome.Failed.class);
    }

    @Test
    void timesAreSet() throws Exception {
        rig.deliver(rig.object("x", 10));

        rig.deliver(
                rig.operation(TransferKind.SET_TIME, "x", Map.of(Attributes.MODIFIED_MILLIS, "1500000000000"), false));

        assertThat(Files.getLastModifiedTime(delivered("x")).toMillis()).isEqualTo(1_500_000_000_000L);
    }

    @Test
    void theServersDeathInTheMiddleCostsNothing() throws Exception {
        VerifiedObject object = rig.object("killed", 48 * MIB);
        Path temporary = delivered(TargetRig.temporaryName(object));

        CompletableFuture<DeliveryOutcome> attempt = rig.begin(object);
        awaitSize(temporary, 2 * MIB);
        server.kill();
        assertThat(attempt.get()).isInstanceOf(DeliveryOutcome.Later.class);
        server.restart();

        rig.deliverInTheEnd(object);
        assertSame(object);
    }

    @Test
    void ourOwnDeathInTheMiddleCostsNothing() throws Exception {
        VerifiedObject object = rig.object("restarted", 48 * MIB);

        CompletableFuture<DeliveryOutcome> unused = rig.begin(object);
        awaitSize(delivered(TargetRig.temporaryName(object)), 2 * MIB);
        rig.restart();

        rig.deliverInTheEnd(object);
        assertSame(object);
    }

    @Test
    void theTemporaryFileOfADroppedTransferIsRemoved() throws Exception {
        VerifiedObject object = rig.object("dropped", 5000);
        Files.createDirectories(delivered(""));
        Path temporary = Files.createFile(delivered(TargetRig.temporaryName(object)));

        rig.target().abandon(object);

        Awaitility.await().until(() -> !Files.exists(temporary));
    }
}
