package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A complete object whose files are damaged while it waits, within one run: it fails, and is not published. */
@Invariant(InvariantName.WHOLE_OR_NOTHING)
final class WaitingObjectTest {
    private static final int SIZE = 3 * FRAGMENT_BYTES + 100;
    private static final byte[] CONTENT = bytes(1, SIZE);
    private static final Manifest FILE = file(1, "a", SIZE);
    private static final RetryPolicy OFTEN = RetryPolicy.forever(Duration.ofMillis(10), Duration.ofMillis(20));

    @TempDir
    Path scratch;

    private Path root;
    private Path name;
    private final AtomicBoolean isRefusing = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();
    /** What happens once in a refused attempt, so between the check before it and the one before the next attempt. */
    private final AtomicReference<Event> meanwhile = new AtomicReference<>(() -> {});
    /** Refuses the final renames while it is asked to, as where a file is immutable. */
    private final Storage storage = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
        if (method.equals("rename") && arguments[1].equals(name) && isRefusing.get()) {
            if (refused.incrementAndGet() >= 2) {
                meanwhile.getAndSet(() -> {}).run();
            }
            throw new StorageException("rename: Operation not permitted");
        }
        return real.call();
    });

    private LandingRig rig;

    private interface Event {
        void run() throws IOException;
    }

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(scratch.resolve("into"));
        name = root.resolve("a");
        rig = run();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private LandingRig run() throws StorageException {
        return run(storage);
    }

    private LandingRig run(Storage on) throws StorageException {
        return new LandingRig(
                on,
                LandingOptions.below(root, "sub").withRetry(OFTEN),
                new DirectoryTarget(on, root),
                CrashPoints.NONE);
    }

    private Path landing(Manifest manifest, String ending) {
        return root.resolve(".hawser-landing-sub/files/" + manifest.key() + ending);
    }

    private void awaitAttempts() {
        int before = refused.get();
        await().until(() -> refused.get() >= before + 2);
    }

    private void damage(Damage damage) throws IOException {
        Path other = Files.write(scratch.resolve("other"), bytes(9, SIZE));
        damage.apply(landing(FILE, ".part"), other, other);
    }

    private Receipt receipt() {
        rig.awaitReceipts(1);
        return rig.receipts.get(0);
    }

    private void assertFailed(Damage damage) {
        assertThat(receipt().status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt().reason()).contains("damaged on the destination's disk");
        assertThat(rig.onLoop(() -> rig.area.status()).damaged()).isEqualTo(1);
        if (damage != Damage.DELETE) {
            await().until(() -> Files.exists(landing(FILE, ".failed")));
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void deadLetterWithDamageFailsWhenTriedAgain(Damage damage) throws Exception {
        Files.createDirectory(name);
        ok(rig.send(FILE, CONTENT));
        await().until(() -> !rig.onLoop(() -> rig.area.deadLetters()).isEmpty());
        damage(damage);
        Files.delete(name);

        ok(rig.retryDead(FILE.key()));

        assertFailed(damage);
        assertThat(name).doesNotExist();
    }

    @Test
    void deadLetterIsPublishedWhenTheObstacleIsGone() throws Exception {
        Files.createDirectory(name);
        ok(rig.send(FILE, CONTENT));
        await().until(() -> !rig.onLoop(() -> rig.area.deadLetters()).isEmpty());
        Files.delete(name);

        ok(rig.retryDead(FILE.key()));

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(name).hasBinaryContent(CONTENT);
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void damageBetweenTwoAttemptsIsNotPublished(Damage damage) throws Exception {
        Files.writeString(name, "old");
        isRefusing.set(true);
        meanwhile.set(() -> {
            damage(damage);
            isRefusing.set(false);
        });

        ok(rig.send(FILE, CONTENT));

        assertFailed(damage);
        assertThat(name).hasContent("old");
    }

    @Test
    void waitingObjectIsPublishedWhenTheRenameSucceeds() throws Exception {
        isRefusing.set(true);
        ok(rig.send(FILE, CONTENT));
        awaitAttempts();

        isRefusing.set(false);

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(name).hasBinaryContent(CONTENT);
    }

    /** The rename was possible before the restart. What was read back after it was not published. */
    @Test
    void lossAfterTheReadingOfARestartIsNoDelivery() throws Exception {
        isRefusing.set(true);
        ok(rig.send(FILE, CONTENT));
        awaitAttempts();
        rig.close();
        meanwhile.set(() -> damage(Damage.DELETE));
        rig = run();

        assertFailed(Damage.DELETE);
        assertThat(name).doesNotExist();
    }

    @Test
    void mergedFileThatIsDamagedBetweenTwoAttemptsIsNotPublished() throws Exception {
        Files.write(name, bytes(9, 500));
        Manifest patch = LandingRig.manifest(
                7, TransferKind.PATCH, "a", 300, Map.of(Attributes.BASE_SIZE, "500", Attributes.OFFSET, "100"));
        isRefusing.set(true);
        meanwhile.set(() -> {
            Damage.flip(landing(patch, ".merged"), 450);
            isRefusing.set(false);
        });

        ok(rig.small(patch, bytes(7, 300)));

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(name).hasBinaryContent(bytes(9, 500));
    }

    /** The rename was made; that the consumer has taken the file since is no loss. */
    @Test
    void renameWithoutItsForceIsTakenForDone() throws Exception {
        AtomicInteger forces = new AtomicInteger();
        Storage unforced = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            if (method.equals("forceDirectory") && arguments[0].equals(root) && Files.exists(name)) {
                forces.incrementAndGet();
                throw new CannotOpenNowException("too many open files", new IOException());
            }
            return real.call();
        });
        runOn(unforced);
        ok(rig.send(FILE, CONTENT));
        await().until(() -> forces.get() >= 2);
        Files.delete(name);

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.DELIVERED);
    }

    /** Reads of landing files fail while {@code isFailing}. */
    private Storage unreadable(AtomicBoolean isFailing, AtomicInteger failed) {
        return Interposed.before(storage, (method, arguments, real) -> {
            boolean isRead = method.equals("open") && arguments[1] == OpenMode.READ;
            if (isRead && isFailing.get() && arguments[0].toString().endsWith(".part")) {
                failed.incrementAndGet();
                throw new StorageException("read: Input/output error");
            }
            return real.call();
        });
    }

    private void runOn(Storage other) throws StorageException {
        rig.close();
        rig = run(other);
    }

    @Test
    void diskThatCannotBeReadForAMomentIsNoLoss() throws Exception {
        AtomicBoolean isFailing = new AtomicBoolean(true);
        AtomicInteger failed = new AtomicInteger();
        runOn(unreadable(isFailing, failed));
        isRefusing.set(true);
        ok(rig.send(FILE, CONTENT));
        await().until(() -> failed.get() >= 12);
        assertThat(rig.onLoop(() -> rig.area.transfers()).get(0).problem()).contains("cannot be read back now");
        isFailing.set(false);
        isRefusing.set(false);

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(name).hasBinaryContent(CONTENT);
        assertThat(rig.onLoop(() -> rig.area.status()).damaged()).isZero();
    }

    @Test
    void objectThatCannotBeReadAgainAndAgainFails() throws Exception {
        runOn(unreadable(new AtomicBoolean(true), new AtomicInteger()));
        isRefusing.set(true);

        ok(rig.send(FILE, CONTENT));

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt().reason()).contains("cannot be read back: ");
    }

    @Test
    void landingAreaWithoutItsFileSystemIsNoLoss() throws Exception {
        isRefusing.set(true);
        ok(rig.send(FILE, CONTENT));
        awaitAttempts();
        Path files = root.resolve(".hawser-landing-sub/files");
        Path away = scratch.resolve("away");
        Files.move(files, away);
        await().until(() ->
                rig.onLoop(() -> rig.area.transfers()).get(0).problem().contains("mounted"));
        Files.move(away, files);

        isRefusing.set(false);

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(name).hasBinaryContent(CONTENT);
    }

    /** An attempt that changed nothing says nothing of who deleted the file. */
    @Test
    void deletionThatCouldNotBeginIsNotTakenForDone() throws Exception {
        Files.writeString(name, "old");
        AtomicInteger tries = new AtomicInteger();
        Storage busy = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            if (method.equals("delete") && arguments[0].equals(name)) {
                if (tries.incrementAndGet() == 2) {
                    Files.delete(name);
                }
                throw new StorageException("delete: Operation not permitted");
            }
            return real.call();
        });
        rig.close();
        runOn(busy);
        ok(rig.small(LandingRig.manifest(1, TransferKind.DELETE, "a", 0, Map.of()), new byte[0]));
        assertThat(receipt().status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt().reason()).isEqualTo("No such file or directory");
    }

    /** A crash between the rename and the record of it, after which another program or transfer wrote the name: or no rename at all. */
    @Test
    void startWarnsOfAnotherFileAtTheNameOfWhatItTakesForDelivered() throws Exception {
        isRefusing.set(true);
        ok(rig.send(FILE, CONTENT));
        awaitAttempts();
        rig.close();
        damage(Damage.DELETE);
        Files.writeString(name, "old");
        rig = run();

        assertThat(receipt().status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(rig.onLoop(() -> rig.area.status()).damaged()).isEqualTo(1);
    }
}
