package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.ok;
import static io.hawser.store.landing.LandingRig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each operation does to a directory, and in which words it is refused. */
final class NamespaceOperationsTest {
    @TempDir
    Path scratch;

    private Path root;
    private LandingRig rig;
    private long numbers;

    @BeforeEach
    void start() throws Exception {
        root = Files.createDirectory(scratch.resolve("into"));
        rig = LandingRig.into(new DiskStorage(), root);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private Receipt run(TransferKind kind, String name, Map<String, String> attributes) {
        return run(LandingRig.manifest(++numbers, kind, name, 0, attributes));
    }

    private Receipt run(TransferKind kind, String name) {
        return run(kind, name, Map.of());
    }

    private Receipt rename(String from, String to) {
        return run(LandingRig.rename(++numbers, from, to));
    }

    private Receipt run(Manifest manifest) {
        ok(rig.small(manifest, new byte[0]));
        return receiptOf(manifest);
    }

    private Receipt receiptOf(Manifest manifest) {
        return await().until(
                        () -> List.copyOf(rig.receipts).stream()
                                .filter(receipt -> receipt.key().equals(manifest.key()))
                                .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
    }

    private static void delivered(Receipt receipt) {
        assertThat(receipt.reason()).isEmpty();
        assertThat(receipt.status()).isEqualTo(ReceiptStatus.DELIVERED);
    }

    private static void failed(Receipt receipt, String reason) {
        assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt.reason()).isEqualTo(reason);
    }

    private Path write(String name) throws Exception {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, name);
    }

    @Test
    void deleteRemovesAFileAndNothingElse() throws Exception {
        Path file = write("d/f");

        delivered(run(TransferKind.DELETE, "d/f"));
        assertThat(file).doesNotExist();
        failed(run(TransferKind.DELETE, "d/f"), "No such file or directory");
        failed(run(TransferKind.DELETE, "none/f"), "No such file or directory");
        failed(run(TransferKind.DELETE, "d"), "Is a directory");
        write("plain");
        failed(run(TransferKind.DELETE, "plain/f"), "Not a directory");
        assertThat(root.resolve("d")).isDirectory();
    }

    /** An upload of it was cancelled with the same command. */
    @Test
    void deleteOfWhatMayNotBeThereSucceedsWithoutIt() throws Exception {
        Map<String, String> ifExists = Map.of(Attributes.IF_EXISTS, Attributes.YES);
        Path file = write("d/f");

        delivered(run(TransferKind.DELETE, "d/f", ifExists));
        assertThat(file).doesNotExist();
        delivered(run(TransferKind.DELETE, "d/f", ifExists));
        delivered(run(TransferKind.DELETE, "none/f", ifExists));
        failed(run(TransferKind.DELETE, "d", ifExists), "Is a directory");
    }

    @Test
    void removeDirectoryRemovesAnEmptyOneOnly() throws Exception {
        write("d/f");

        failed(run(TransferKind.REMOVE_DIRECTORY, "d"), "Directory not empty");
        failed(run(TransferKind.REMOVE_DIRECTORY, "d/f"), "Not a directory");
        failed(run(TransferKind.REMOVE_DIRECTORY, "none"), "No such file or directory");
        delivered(run(TransferKind.DELETE, "d/f"));
        delivered(run(TransferKind.REMOVE_DIRECTORY, "d"));
        assertThat(root.resolve("d")).doesNotExist();
    }

    @Test
    void renameMovesFilesAndDirectoriesAndReplacesFilesOnly() throws Exception {
        write("x.tmp");
        write("x");
        write("dir/inside");
        write("full/of");

        delivered(rename("x.tmp", "x"));
        assertThat(root.resolve("x")).hasContent("x.tmp");
        assertThat(root.resolve("x.tmp")).doesNotExist();
        failed(rename("x.tmp", "y"), "No such file or directory");
        failed(rename("x", "none/x"), "No such file or directory");
        failed(rename("x", "dir"), "File exists");
        failed(rename("dir", "full"), "File exists");
        failed(rename("dir", "x"), "Not a directory");
        failed(rename("dir", "dir/below"), "Invalid argument");
        delivered(rename("dir", "full/moved"));
        assertThat(root.resolve("full/moved/inside")).hasContent("dir/inside");
        delivered(rename("x", "x"));
        assertThat(root.resolve("x")).hasContent("x.tmp");
    }

    @Test
    void timesAndPermissionsAreSet() throws Exception {
        Path file = write("d/f");
        Path directory = root.resolve("d");

        delivered(run(TransferKind.SET_TIME, "d/f", Map.of(Attributes.MODIFIED_MILLIS, "1234567890123")));
        delivered(run(TransferKind.SET_MODE, "d/f", Map.of(Attributes.MODE, "640")));
        delivered(run(TransferKind.SET_TIME, "d", Map.of(Attributes.MODIFIED_MILLIS, "-1000")));
        delivered(run(TransferKind.SET_MODE, "d", Map.of(Attributes.MODE, "751")));

        assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.fromMillis(1_234_567_890_123L));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(Files.getLastModifiedTime(directory)).isEqualTo(FileTime.fromMillis(-1000));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-x--x");
        failed(
                run(TransferKind.SET_TIME, "none", Map.of(Attributes.MODIFIED_MILLIS, "1")),
                "No such file or directory");
    }

    @Test
    void noSymbolicLinkLeadsOut() throws Exception {
        Path outside = Files.createDirectory(scratch.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("secret"), "kept");
        FileTime before = Files.getLastModifiedTime(secret);
        Files.createSymbolicLink(root.resolve("way"), outside);
        Files.createSymbolicLink(root.resolve("link"), secret);
        write("mine");

        failed(
                run(TransferKind.DELETE, "way/secret"),
                "Permission denied: symbolic links are not followed at the destination");
        failed(rename("way/secret", "stolen"), "Permission denied: symbolic links are not followed at the destination");
        failed(rename("mine", "way/mine"), "Permission denied: symbolic links are not followed at the destination");
        failed(
                run(TransferKind.SET_TIME, "link", Map.of(Attributes.MODIFIED_MILLIS, "1")),
                "Permission denied: symbolic links are not followed at the destination");
        failed(
                run(TransferKind.SET_MODE, "link", Map.of(Attributes.MODE, "0")),
                "Permission denied: symbolic links are not followed at the destination");
        failed(run(TransferKind.REMOVE_DIRECTORY, "way"), "Not a directory");
        delivered(run(TransferKind.DELETE, "link"));

        assertThat(secret).hasContent("kept");
        assertThat(Files.getLastModifiedTime(secret)).isEqualTo(before);
        assertThat(Files.exists(root.resolve("link"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void nonsenseIsRefusedBeforeItIsTaken() {
        assertThat(refused(rig.small(LandingRig.rename(++numbers, "x", "../x"), new byte[0]))
                        .code())
                .isEqualTo(ErrorCode.BAD_NAME);
        assertThat(refused(rig.small(LandingRig.rename(++numbers, "x", ".hawser-landing-sub/x"), new byte[0]))
                        .code())
                .isEqualTo(ErrorCode.BAD_NAME);
        for (String mode : List.of("", "1000", "8", "-1", "x")) {
            Manifest manifest =
                    LandingRig.manifest(++numbers, TransferKind.SET_MODE, "x", 0, Map.of(Attributes.MODE, mode));
            assertThat(refused(rig.small(manifest, new byte[0])).code())
                    .as(mode)
                    .isEqualTo(ErrorCode.MALFORMED);
        }
        Manifest noTime = LandingRig.manifest(++numbers, TransferKind.SET_TIME, "x", 0, Map.of());
        assertThat(refused(rig.small(noTime, new byte[0])).code()).isEqualTo(ErrorCode.MALFORMED);
    }

    @Test
    void renameWaitsForTheFileThatCameBeforeIt() {
        byte[] content = bytes(1, 3 * LandingRig.FRAGMENT_BYTES + 5);
        for (int i = 0; i < 20; i++) {
            Manifest upload = file(++numbers, "x.tmp", content.length);
            Manifest move = LandingRig.rename(++numbers, "x.tmp", "x" + i);

            ok(rig.send(upload, content));
            ok(rig.small(move, new byte[0]));

            delivered(receiptOf(upload));
            delivered(receiptOf(move));
            assertThat(root.resolve("x" + i)).hasBinaryContent(content);
        }
    }

    @Test
    void operationThatWasOfferedBeforeIsJudgedByWhatIsThere() throws Exception {
        NamespaceOperations operations =
                new NamespaceOperations(new DiskStorage(), root, new FileTimeHistory(), point -> {});
        Path kept = write("d/kept");

        for (Manifest done : List.of(
                LandingRig.manifest(1, TransferKind.DELETE, "d/gone", 0, Map.of()),
                LandingRig.manifest(2, TransferKind.DELETE, "none/gone", 0, Map.of()),
                LandingRig.manifest(3, TransferKind.REMOVE_DIRECTORY, "none", 0, Map.of()),
                LandingRig.rename(4, "d/gone", "d/kept"),
                LandingRig.rename(5, "d/gone", "none/taken"))) {
            assertThat(run(operations, done)).isNotNull();
        }
        assertThat(kept).hasContent("d/kept");
        run(operations, LandingRig.rename(6, "d/kept", "d/new"));
        assertThat(root.resolve("d/new")).hasContent("d/kept");
    }

    private Object run(NamespaceOperations operations, Manifest manifest)
            throws StorageException, NamespaceOperations.RefusedException {
        VerifiedObject object =
                new VerifiedObject(manifest, LandingRig.commitOf(new byte[0]), scratch.resolve("no-file"), true);
        return operations.run(object, root.resolve(manifest.name()));
    }

    /** A disk on which a consumer takes away what stands at {@link #wanted} in the moment before the given call to it. */
    private static final class GreedyConsumer implements InvocationHandler {
        private Storage disk = new DiskStorage();
        private final String call;
        private final Path wanted;

        private GreedyConsumer(String call, Path wanted) {
            this.call = call;
            this.wanted = wanted;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("below")) {
                disk = disk.below((Path) arguments[0]);
                return proxy;
            }
            if (method.getName().equals(call) && arguments[0].equals(wanted) && Files.exists(wanted)) {
                try (Stream<Path> all = Files.walk(wanted)) {
                    for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(path);
                    }
                }
            }
            try {
                return method.invoke(disk, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    private void consumerTakes(Path wanted, String before) throws Exception {
        rig.close();
        rig = LandingRig.into(
                (Storage) Proxy.newProxyInstance(
                        Storage.class.getClassLoader(),
                        new Class<?>[] {Storage.class},
                        new GreedyConsumer(before, wanted)),
                root);
    }

    @Test
    void whatAConsumerTakesBeforeItIsChangedIsNoFailureOfTheDisk() throws Exception {
        for (String before : List.of("open", "setMode")) {
            consumerTakes(write("d/a"), before);
            failed(run(TransferKind.SET_MODE, "d/a", Map.of(Attributes.MODE, "600")), "No such file or directory");
            assertThat(root.resolve("d/a")).doesNotExist();
        }

        delivered(run(LandingRig.manifest(++numbers, TransferKind.MAKE_DIRECTORY, "goes/on", 0, Map.of())));
    }

    @Test
    void directoriesThatAConsumerTakesBeforeTheyAreForcedAreNoFailureOfTheDisk() throws Exception {
        write("x");
        write("d/a");
        consumerTakes(root.resolve("d"), "forceDirectory");
        delivered(rename("x", "d/b"));
        assertThat(root.resolve("d")).doesNotExist();

        write("d/a");
        write("d/c");
        delivered(run(TransferKind.DELETE, "d/a"));
        assertThat(root.resolve("d")).doesNotExist();

        write("d/e/f");
        delivered(run(LandingRig.manifest(++numbers, TransferKind.MAKE_DIRECTORY, "d/e/g", 0, Map.of())));
        delivered(run(LandingRig.manifest(++numbers, TransferKind.MAKE_DIRECTORY, "goes/on", 0, Map.of())));
        assertThat(root.resolve("goes/on")).isDirectory();
    }
}
