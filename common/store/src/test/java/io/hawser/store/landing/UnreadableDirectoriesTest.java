package io.hawser.store.landing;

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
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathRefusedException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories that may be written and not be read, or neither: whoever may write at the far end can make them, and none of them may
 * stop it. The disk here refuses its owner what it would refuse anybody but root.
 */
final class UnreadableDirectoriesTest {
    private static final RetryPolicy OFTEN = RetryPolicy.forever(Duration.ofMillis(5), Duration.ofMillis(20));

    @TempDir
    Path root;

    private final Disk disk = new Disk();
    private LandingRig rig;
    private long numbers;

    @BeforeEach
    void start() throws Exception {
        Storage storage =
                (Storage) Proxy.newProxyInstance(Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, disk);
        rig = new LandingRig(
                storage,
                LandingOptions.below(root, "sub").withRetry(OFTEN),
                new DirectoryTarget(storage, root),
                CrashPoints.NONE);
    }

    @AfterEach
    void stop() {
        assertThat(rig.area.failure()).isNull();
        rig.close();
    }

    /** What stands below the root is opened with its owner's rights, also by root. */
    private final class Disk implements InvocationHandler {
        private Storage real = new DiskStorage();
        private final AtomicBoolean nextForceIsRefused = new AtomicBoolean();
        private final AtomicBoolean nextForceFindsNoHandle = new AtomicBoolean();

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("severalRenames")) {
                return real.severalRenames();
            }
            if (method.getName().equals("forPublication")) {
                return real.forPublication();
            }
            Path path = (Path) arguments[0];
            switch (method.getName()) {
                case "below" -> {
                    real = real.below(path);
                    return proxy;
                }
                case "open" -> mayRead("open", path);
                case "forceDirectory" -> mayForce(path);
                case "createDirectories" -> {
                    Path parent = path.getParent();
                    if (parent != null && parent.startsWith(root) && !Files.exists(path)) {
                        Files.createDirectory(path);
                        mayForce(parent);
                    }
                }
                default -> {}
            }
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private void mayForce(Path path) throws IOException {
            if (isTarget(path) && nextForceIsRefused.getAndSet(false)) {
                throw refused("force directory", path);
            }
            if (isTarget(path) && nextForceFindsNoHandle.getAndSet(false)) {
                throw new CannotOpenNowException(
                        "force directory " + path + ": Too many open files", new IOException());
            }
            mayRead("force directory", path);
        }

        private boolean isTarget(Path path) {
            return path.startsWith(root) && !path.toString().contains(LandingOptions.DIRECTORY_PREFIX);
        }

        private void mayRead(String action, Path path) throws IOException {
            if (isTarget(path)
                    && Files.exists(path)
                    && !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OWNER_READ)) {
                throw refused(action, path);
            }
        }

        private StorageException refused(String action, Path path) {
            return new PathRefusedException(
                    action + " " + path + ": Permission denied", "Permission denied", new IOException());
        }
    }

    private Path directory(String name, String permissions) throws IOException {
        Path path = Files.createDirectories(root.resolve(name));
        mode(path, permissions);
        return path;
    }

    private static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Manifest operation(TransferKind kind, String name, Map<String, String> attributes) {
        return LandingRig.manifest(++numbers, kind, name, 0, attributes);
    }

    private Receipt run(Manifest manifest) {
        ok(rig.small(manifest, new byte[0]));
        return receiptOf(manifest);
    }

    private Receipt receiptOf(Manifest manifest) {
        await().until(() ->
                List.copyOf(rig.receipts).stream().anyMatch(found -> found.key().equals(manifest.key())));
        return List.copyOf(rig.receipts).stream()
                .filter(found -> found.key().equals(manifest.key()))
                .findFirst()
                .orElseThrow();
    }

    private static void delivered(Receipt receipt) {
        assertThat(receipt.reason()).isEmpty();
        assertThat(receipt.status()).isEqualTo(ReceiptStatus.DELIVERED);
    }

    private static void refused(Receipt receipt) {
        assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt.reason()).isEqualTo("Permission denied");
    }

    /** Waits until its delivery was tried in vain at least twice. */
    private void awaitTried(Manifest manifest) {
        await().until(() -> problemOf(manifest).contains("Permission denied"));
        assertThat(problemOf(manifest)).contains("must be readable");
    }

    private String problemOf(Manifest manifest) {
        return rig.onLoop(() -> rig.area.transfers()).stream()
                .filter(status -> status.transfer().equals(manifest.key().toString()))
                .map(LandingTransferStatus::problem)
                .findFirst()
                .orElse("");
    }

    @Test
    void theRightToReadADirectoryIsTakenAwayAndGivenBack() throws Exception {
        Path directory = directory("kill", "rwxr-xr-x");

        delivered(run(operation(TransferKind.SET_MODE, "kill", Map.of(Attributes.MODE, "0"))));
        assertThat(mode(directory)).isEqualTo("---------");
        delivered(run(operation(TransferKind.SET_TIME, "kill", Map.of(Attributes.MODIFIED_MILLIS, "1000"))));
        assertThat(Files.getLastModifiedTime(directory).toMillis()).isEqualTo(1000);
        delivered(run(operation(TransferKind.SET_MODE, "kill", Map.of(Attributes.MODE, "333"))));
        delivered(run(operation(TransferKind.SET_MODE, "kill", Map.of(Attributes.MODE, "755"))));
        assertThat(mode(directory)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void theSameOfAFileInADirectoryThatMayNotBeReadEither() throws Exception {
        Path inside = Files.writeString(directory("drop", "rwxr-xr-x").resolve("f"), "x");
        mode(inside, "-w-------");
        directory("drop", "-wx-wx-wx");

        delivered(run(operation(TransferKind.SET_MODE, "drop/f", Map.of(Attributes.MODE, "0"))));
        assertThat(mode(inside)).isEqualTo("---------");
        delivered(run(operation(TransferKind.SET_MODE, "drop/f", Map.of(Attributes.MODE, "644"))));
        assertThat(mode(inside)).isEqualTo("rw-r--r--");
    }

    @Test
    void aFileWaitsUntilItsDirectoryMayBeReadAndOthersDoNot() throws Exception {
        Path drop = directory("drop", "-wx-wx-wx");
        Manifest waits = file(++numbers, "drop/f", 700);
        ok(rig.small(waits, bytes(1, 700)));

        awaitTried(waits);
        Manifest other = file(++numbers, "other/f", 5);
        ok(rig.small(other, bytes(2, 5)));
        delivered(receiptOf(other));
        assertThat(drop).isEmptyDirectory();

        mode(drop, "rwxr-xr-x");
        delivered(receiptOf(waits));
        assertThat(drop.resolve("f")).hasBinaryContent(bytes(1, 700));
    }

    @Test
    void aNewDirectoryAndAnAppendedFileWaitToo() throws Exception {
        Path drop = directory("drop", "rwxr-xr-x");
        Path log = Files.writeString(drop.resolve("log"), "base");
        mode(drop, "-wx-wx-wx");
        Manifest made = operation(TransferKind.MAKE_DIRECTORY, "drop/made", Map.of());
        Manifest appended = LandingRig.manifest(
                ++numbers,
                TransferKind.PATCH,
                "drop/log",
                5,
                Map.of(Attributes.BASE_SIZE, "4", Attributes.OFFSET, "4"));
        ok(rig.small(made, new byte[0]));
        ok(rig.small(appended, bytes(9, 5)));

        awaitTried(made);
        awaitTried(appended);
        assertThat(drop.resolve("made")).doesNotExist();
        assertThat(log).hasContent("base");

        mode(drop, "rwxr-xr-x");
        delivered(receiptOf(made));
        delivered(receiptOf(appended));
        assertThat(drop.resolve("made")).isDirectory();
        assertThat(log).hasSize(9);
    }

    @Test
    void whatCannotBeForcedIsNotDeletedAndNotRenamed() throws Exception {
        Path drop = directory("drop", "rwxr-xr-x");
        Path there = Files.writeString(drop.resolve("f"), "x");
        Files.createDirectory(drop.resolve("empty"));
        Path mine = Files.writeString(root.resolve("mine"), "mine");
        mode(drop, "-wx-wx-wx");

        refused(run(operation(TransferKind.DELETE, "drop/f", Map.of())));
        refused(run(operation(TransferKind.REMOVE_DIRECTORY, "drop/empty", Map.of())));
        refused(run(LandingRig.rename(++numbers, "mine", "drop/mine")));
        refused(run(LandingRig.rename(++numbers, "drop/f", "taken")));
        assertThat(there).hasContent("x");
        assertThat(drop.resolve("empty")).isDirectory();
        assertThat(mine).hasContent("mine");
        assertThat(root.resolve("taken")).doesNotExist();
    }

    @Test
    void whatIsTakenOutOfReachBehindTheRenameIsForcedLater() {
        for (AtomicBoolean hindrance : List.of(disk.nextForceIsRefused, disk.nextForceFindsNoHandle)) {
            Manifest upload = file(++numbers, "f", 5);
            hindrance.set(true);
            ok(rig.small(upload, bytes(numbers, 5)));
            delivered(receiptOf(upload));
            assertThat(hindrance).isFalse();
            assertThat(root.resolve("f")).hasBinaryContent(bytes(numbers, 5));
        }
    }

    @Test
    void aDirectoryIsForcedByItsHandleWhateverBecameOfItsRights() throws Exception {
        DiskStorage real = new DiskStorage();
        try (StorageFile opened = real.open(directory("d", "rwx------"), OpenMode.READ, FileIoMode.PAGE_CACHE)) {
            opened.force(true);
            mode(root.resolve("d"), "---------");
            opened.force(true);
        }
    }
}
