package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.PathRefusedException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Publication where a call to the disk fails, something stands in the way, or another process has its hands in the directory. */
class DirectoryTargetFaultTest {
    private static final byte[] BYTES = "new bytes".getBytes(StandardCharsets.US_ASCII);
    private static final String BASE = "0123456789";

    @TempDir
    Path root;

    private final Storage disk = new DiskStorage();
    private Path area;
    private long number;

    @BeforeEach
    void area() throws IOException {
        area = Files.createDirectories(root.resolve(".area"));
    }

    private VerifiedObject object(TransferKind kind, String name, Map<String, String> attributes, boolean offeredBefore)
            throws IOException {
        number++;
        Manifest manifest = LandingRig.manifest(number, kind, name, BYTES.length, attributes);
        Path part = area.resolve(number + ".part");
        if (kind.hasBytes()) {
            Files.write(part, BYTES);
        }
        return new VerifiedObject(manifest, LandingRig.commitOf(BYTES), part, offeredBefore);
    }

    private VerifiedObject file(String name, boolean offeredBefore) throws IOException {
        return object(TransferKind.FILE, name, Map.of(), offeredBefore);
    }

    private VerifiedObject patch(String baseSize, Map<String, String> more, boolean offeredBefore) throws IOException {
        Map<String, String> attributes = new java.util.HashMap<>(more);
        attributes.put(Attributes.BASE_SIZE, baseSize);
        attributes.put(Attributes.OFFSET, "3");
        return object(TransferKind.PATCH, "base", attributes, offeredBefore);
    }

    private DeliveryOutcome deliver(VerifiedObject object) {
        return deliver(disk, object);
    }

    private DeliveryOutcome deliver(Storage storage, VerifiedObject object) {
        List<DeliveryOutcome> results = new ArrayList<>();
        new DirectoryTarget(storage, root).deliver(List.of(object), results::add);
        assertThat(results).hasSize(1);
        assertThat(results.get(0).object()).isSameAs(object);
        return results.get(0);
    }

    private static String failed(DeliveryOutcome delivery) {
        return delivery instanceof DeliveryOutcome.Refused refused
                ? refused.reason()
                : assertThat(delivery)
                        .asInstanceOf(InstanceOfAssertFactories.type(DeliveryOutcome.Failed.class))
                        .actual()
                        .reason();
    }

    private static String later(DeliveryOutcome delivery) {
        assertThat(delivery).isInstanceOf(DeliveryOutcome.Later.class);
        return ((DeliveryOutcome.Later) delivery).reason();
    }

    private Storage failing(String call) {
        return Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals(call)) {
                throw new StorageException(call + ": Input/output error");
            }
            return real.call();
        });
    }

    @Test
    void mountBelowTheTargetIsNamedWithWhatToDo() throws Exception {
        Storage mounted = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("rename")) {
                String reason = "Invalid cross-device link";
                throw new PathRefusedException("rename: " + reason, reason, new IOException(reason));
            }
            return real.call();
        });
        Files.writeString(root.resolve("base"), BASE);

        assertThat(later(deliver(mounted, file("in/sub/f", false))))
                .contains("\"in/sub\"", "A file system is mounted below the target", "agent-b of its own, or unmount")
                .contains("Invalid cross-device link");
        assertThat(later(deliver(mounted, patch("10", Map.of(), false)))).contains("agent-b of its own, or unmount");
    }

    @Test
    void aNameThatMayNotBeIsRefusedAlsoAtTheLastMoment() throws Exception {
        assertThat(failed(deliver(file("../outside", false)))).isNotEmpty();
        assertThat(root.resolveSibling("outside")).doesNotExist();
    }

    @Test
    void aFileWhereADirectoryIsNeededIsAnObstacleForAllBelowIt() throws Exception {
        Files.write(root.resolve("x"), BYTES);
        List<DeliveryOutcome> results = new ArrayList<>();

        new DirectoryTarget(disk, root)
                .deliver(List.of(file("x/y/one", false), file("x/y/two", false), file("beside", false)), results::add);

        assertThat(results.subList(0, 2))
                .allSatisfy(each -> assertThat(failed(each)).contains("\"x\" is no directory"));
        assertThat(results.get(2)).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(failed(deliver(object(
                        TransferKind.PATCH,
                        "x/y",
                        Map.of(Attributes.BASE_SIZE, Attributes.NO_BASE, Attributes.OFFSET, "0"),
                        false))))
                .contains("\"x\" is no directory");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsTriedAgain() throws Exception {
        VerifiedObject file = file("sub/one", false);
        assertThat(later(deliver(failing("createDirectories"), file))).contains("createDirectories");
        assertThat(later(deliver(
                        failing("createDirectories"), object(TransferKind.MAKE_DIRECTORY, "made", Map.of(), false))))
                .contains("createDirectories");

        assertThat(deliver(file)).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(root.resolve("sub/one")).hasBinaryContent(BYTES);
    }

    @Test
    void aDirectoryThatWasMadeAndPerhapsNotForcedIsNobodysGround() throws Exception {
        Storage unsure = Interposed.before(disk, (method, arguments, real) -> {
            Object made = real.call();
            if (method.equals("createDirectories")) {
                throw new StorageException("fsync: Input/output error");
            }
            return made;
        });

        assertThat(deliver(unsure, file("sub/one", false))).isInstanceOf(DeliveryOutcome.Unsure.class);
        assertThat(root.resolve("sub/one")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRenameThatFailsIsTriedAgain(boolean offeredBefore) throws Exception {
        VerifiedObject file = file("one", offeredBefore);

        assertThat(later(deliver(failing("rename"), file))).contains("rename");
        assertThat(file.file()).exists();
        assertThat(deliver(file)).isInstanceOf(DeliveryOutcome.Delivered.class);
    }

    /** Only then a missing landing file means that the rename was made. */
    @Test
    void outcomeIsOpenWhereTheRenameWasMadeAndNotForced() throws Exception {
        VerifiedObject file = file("one", true);
        assertThat(mayBeDone(deliver(failing("rename"), file))).isFalse();
        assertThat(mayBeDone(deliver(unforceable(new CannotOpenNowException("busy", new IOException())), file)))
                .isTrue();
        Storage blind = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("facts") && arguments[0].toString().endsWith(".part")) {
                throw new StorageException("facts: Input/output error");
            }
            return real.call();
        });
        assertThat(mayBeDone(deliver(blind, file("two", true)))).isTrue();

        base();
        assertThat(mayBeDone(deliver(failing("rename"), patch("10", Map.of(), true))))
                .isFalse();
        Storage unsummed = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("delete") && arguments[0].toString().endsWith(".sum")) {
                throw new StorageException("delete: Input/output error");
            }
            return real.call();
        });
        assertThat(mayBeDone(deliver(unsummed, patch("10", Map.of(), false)))).isTrue();
    }

    @Test
    void outcomeOfAnOperationIsOpenWhereItMayHaveBeenDone() throws Exception {
        Files.createDirectory(root.resolve("sub"));
        Files.write(root.resolve("one"), BYTES);
        Map<String, String> to = Map.of(Attributes.RENAMED_TO, "sub/two");
        assertThat(mayBeDone(deliver(failing("rename"), object(TransferKind.RENAME, "one", to, true))))
                .isFalse();
        Storage unforceable = unforceable(new CannotOpenNowException("busy", new IOException()));
        VerifiedObject rename = object(TransferKind.RENAME, "one", to, false);
        assertThat(mayBeDone(deliver(unforceable, rename))).isTrue();
        assertThat(root.resolve("sub/two")).exists();
        VerifiedObject again = new VerifiedObject(rename.manifest(), rename.commit(), rename.file(), true, true);
        assertThat(mayBeDone(deliver(unforceable, again))).isTrue();
        assertThat(deliver(again)).isInstanceOf(DeliveryOutcome.Delivered.class);
    }

    private static boolean mayBeDone(DeliveryOutcome delivery) {
        assertThat(later(delivery)).isNotEmpty();
        return ((DeliveryOutcome.Later) delivery).mayBeDone();
    }

    @Test
    void whatStandsAtTheNameOfWhatIsTakenForDeliveredIsLookedAt() throws Exception {
        VerifiedObject again = file("one", true);
        Files.delete(again.file());
        assertThat(deliver(again)).isEqualTo(new DeliveryOutcome.Delivered(again, true));
        Files.writeString(root.resolve("one"), "of another size");
        assertThat(deliver(again)).isEqualTo(new DeliveryOutcome.Delivered(again, true));
        Files.write(root.resolve("one"), new byte[BYTES.length]);
        assertThat(deliver(again)).isEqualTo(new DeliveryOutcome.Delivered(again, true));
        Files.write(root.resolve("one"), BYTES);
        assertThat(deliver(again)).isEqualTo(new DeliveryOutcome.Delivered(again, false));
        assertThat(deliver(unreadable(root.resolve("one"), 9), again))
                .isEqualTo(new DeliveryOutcome.Delivered(again, true));

        base();
        VerifiedObject patch = patch("10", Map.of(), true);
        Files.delete(patch.file());
        assertThat(deliver(patch)).isEqualTo(new DeliveryOutcome.Delivered(patch, true)); // 10 bytes, not 12
        Files.write(root.resolve("base"), new byte[12]);
        assertThat(deliver(patch))
                .isEqualTo(new DeliveryOutcome.Delivered(patch, false)); // no digest is known any more
        Files.writeString(PatchPlan.sum(patch.file()), "that of other bytes");
        assertThat(deliver(patch)).isEqualTo(new DeliveryOutcome.Delivered(patch, true));
    }

    @Test
    void whereNothingCanBeSeenTheFirstFailureIsTheReason() throws Exception {
        Storage blind = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("rename") || (method.equals("facts") && arguments[0].equals(root.resolve("one")))) {
                throw new StorageException(method + ": Input/output error");
            }
            return real.call();
        });

        assertThat(later(deliver(blind, file("one", false)))).contains("rename");
    }

    @Test
    void withoutItsLandingFileAnObjectWasPublishedOnlyIfItHadBeenTried() throws Exception {
        VerifiedObject first = file("one", false);
        Files.delete(first.file());
        assertThat(failed(deliver(first))).contains("removed before it could be published");

        VerifiedObject again = file("two", true);
        Files.delete(again.file());
        assertThat(deliver(again)).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(root.resolve("two")).doesNotExist(); // a consumer has taken it
    }

    @Test
    void aDirectoryThatAConsumerRemovedLeavesTheOneAboveItToBeForced() throws Exception {
        List<Path> forced = new ArrayList<>();
        Storage removing = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("forceDirectory")) {
                forced.add((Path) arguments[0]);
                if (arguments[0].equals(root.resolve("sub"))) {
                    throw new PathMissingException(root.resolve("sub") + ": gone");
                }
            }
            return real.call();
        });
        Files.createDirectories(root.resolve("sub"));

        assertThat(deliver(removing, file("sub/one", false))).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(forced).containsExactly(root.resolve("sub"), root);
    }

    /** What is published below it would be reported as durable. */
    @Test
    void aDirectoryThatWasMadeAndWhoseForceFailedIsNotGoneOnWith() throws Exception {
        Storage unforced = Interposed.before(disk, (method, arguments, real) -> {
            Object done = real.call();
            if (method.equals("createDirectories")) {
                throw new StorageException("force: Input/output error");
            }
            return done;
        });

        assertThat(deliver(unforced, file("new/one", false))).isInstanceOf(DeliveryOutcome.Unsure.class);
        assertThat(root.resolve("new/one")).doesNotExist();
    }

    /** Somebody may make a file of that name in the same moment. */
    @Test
    void whereSomethingElseStandsBehindAFailedMkdirItIsTriedAgain() throws Exception {
        Storage filed = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("createDirectories")) {
                Files.write((Path) arguments[0], BYTES);
                throw new StorageException("mkdir: File exists");
            }
            return real.call();
        });

        assertThat(later(deliver(filed, file("new/one", false)))).contains("File exists");
    }

    @Test
    void aDirectoryThatIsThereAndCannotBeForcedNowIsTriedAgain() throws Exception {
        Files.createDirectories(root.resolve("sub"));
        VerifiedObject again = object(TransferKind.MAKE_DIRECTORY, "sub", Map.of(), true);

        assertThat(later(deliver(
                        unforceable(new CannotOpenNowException("too many open files", new IOException())), again)))
                .contains("too many");
        assertThat(later(deliver(unforceable(new PathMissingException("gone")), again)))
                .contains("gone");
    }

    @Test
    void whatIsNoDirectoryAnyMoreLeavesTheOneAboveItToBeForced() throws Exception {
        Files.createDirectories(root.resolve("sub"));
        Storage replaced = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("forceDirectory") && arguments[0].equals(root.resolve("sub"))) {
                throw new PathRefusedException("sub", DirectoryFsync.NOT_DIRECTORY, new IOException());
            }
            return real.call();
        });

        assertThat(deliver(replaced, file("sub/one", false))).isInstanceOf(DeliveryOutcome.Delivered.class);
    }

    private Storage unforceable(StorageException why) {
        return Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("forceDirectory")) {
                throw why;
            }
            return real.call();
        });
    }

    @Test
    void withoutItsRootNothingIsDeliveredYet() throws Exception {
        Storage gone = Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("forceDirectory")) {
                throw new PathMissingException("gone");
            }
            return real.call();
        });

        VerifiedObject one = file("one", false);
        assertThat(later(deliver(gone, one))).contains("can be seen").contains("gone");
        VerifiedObject again = new VerifiedObject(one.manifest(), one.commit(), one.file(), true);
        assertThat(deliver(again)).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(root.resolve("one")).hasBinaryContent(BYTES);
        DirectoryFsync slash = new DirectoryFsync(disk, Path.of("/"));
        assertThat(slash.parentOf(Path.of("/"))).isEqualTo(Path.of("/"));
    }

    @Test
    void aFileThatVanishesBeforeItIsDeletedWasNotDeletedByUs() throws Exception {
        Files.write(root.resolve("one"), BYTES);
        Storage late =
                Interposed.before(disk, (method, arguments, real) -> method.equals("delete") ? false : real.call());

        assertThat(failed(deliver(late, object(TransferKind.DELETE, "one", Map.of(), false))))
                .isEqualTo("No such file or directory");
    }

    @Test
    void aFileThatAConsumerTakesWhileItsTimeIsSetHasItsTime() throws Exception {
        Path one = Files.write(root.resolve("one"), BYTES);
        Storage taking = Interposed.before(disk, (method, arguments, real) -> {
            Object done = real.call();
            if (method.equals("setModified")) {
                Files.delete(one);
            }
            return done;
        });

        assertThat(deliver(
                        taking,
                        object(TransferKind.SET_TIME, "one", Map.of(Attributes.MODIFIED_MILLIS, "1000"), false)))
                .isInstanceOf(DeliveryOutcome.Delivered.class);
    }

    @Test
    void aPipeHasNoPermissionsToSetAndNonsenseIsNoMode() throws Exception {
        Path one = Files.write(root.resolve("one"), BYTES);
        Storage pipe = Interposed.before(
                disk,
                (method, arguments, real) -> method.equals("facts") && arguments[0].equals(one)
                        ? new FileFacts(0, 0, "", FileFacts.Kind.OTHER)
                        : real.call());

        assertThat(failed(deliver(pipe, object(TransferKind.SET_MODE, "one", Map.of(Attributes.MODE, "600"), false))))
                .isEqualTo("Invalid argument");
        assertThat(failed(deliver(object(TransferKind.SET_MODE, "one", Map.of(Attributes.MODE, "999"), false))))
                .contains("octal");
    }

    /** A disk on which the file or directory cannot be opened the first {@code times} times, for want of a right to read it. */
    private Storage unreadable(Path path, int times) {
        AtomicInteger tries = new AtomicInteger();
        return Interposed.before(disk, (method, arguments, real) -> {
            if (method.equals("open") && arguments[0].equals(path) && tries.getAndIncrement() < times) {
                throw new PathRefusedException("open " + path, "Permission denied", new AccessDeniedException("open"));
            }
            return real.call();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void modeOfAnUnreadableFileIsSetAndForced(int times) throws Exception {
        Path one = Files.write(root.resolve("one"), BYTES);
        List<String> forced = new ArrayList<>();
        Storage storage = Interposed.before(unreadable(one, times), (method, arguments, real) -> {
            if (method.equals("forceDirectory")) {
                forced.add(arguments[0].toString());
            }
            return real.call();
        });

        assertThat(deliver(storage, object(TransferKind.SET_MODE, "one", Map.of(Attributes.MODE, "600"), false)))
                .isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(Files.getPosixFilePermissions(one))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        // What can be read afterwards is forced by its handle; else the directory is.
        assertThat(forced.contains(root.toString())).isEqualTo(times == 2);
    }

    @Test
    void unreadableFileTakenAfterTheChangeHasTheChange() throws Exception {
        Path one = Files.write(root.resolve("one"), BYTES);
        Storage taking = Interposed.before(unreadable(one, 1), (method, arguments, real) -> {
            Object done = real.call();
            if (method.equals("setMode")) {
                Files.delete(one);
            }
            return done;
        });

        assertThat(deliver(taking, object(TransferKind.SET_MODE, "one", Map.of(Attributes.MODE, "600"), false)))
                .isInstanceOf(DeliveryOutcome.Delivered.class);
    }

    @Test
    void nothingIsDeliveredWithoutTheLandingArea() throws Exception {
        VerifiedObject one = file("one", false);
        Files.delete(one.file());
        Files.delete(area);

        assertThat(later(deliver(one))).contains("is the target's file system mounted?");
        assertThat(root.resolve("one")).doesNotExist();
    }

    @Test
    void aDirectoryIsNotMadeOverAFile() throws Exception {
        Files.write(root.resolve("x"), BYTES);

        assertThat(failed(deliver(object(TransferKind.MAKE_DIRECTORY, "x/y", Map.of(), false))))
                .contains("\"x\" is no directory");
    }

    private Path base() throws IOException {
        return Files.writeString(root.resolve("base"), BASE);
    }

    @Test
    void aPatchThatWasMergedBeforeACrashIsOnlyRenamed() throws Exception {
        base();
        VerifiedObject patch = patch("10", Map.of(), true);
        Files.delete(patch.file());
        Files.writeString(PatchPlan.merged(patch.file()), "merged");

        assertThat(deliver(patch)).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(root.resolve("base")).hasContent("merged");

        Files.writeString(root.resolve("base"), "of a later one");
        assertThat(deliver(patch)).isInstanceOf(DeliveryOutcome.Delivered.class); // nothing of it is left: it is done
        assertThat(root.resolve("base")).hasContent("of a later one");
    }

    /** The first time that the base is opened, something is done to it. */
    private Storage meanwhile(Interfering doing) {
        boolean[] done = new boolean[1];
        return Interposed.before(disk, (method, arguments, real) -> {
            Object result = real.call();
            if (method.equals("open") && arguments[0].equals(root.resolve("base")) && !done[0]) {
                done[0] = true;
                doing.to(root.resolve("base"));
            }
            return result;
        });
    }

    private interface Interfering {
        void to(Path path) throws IOException;
    }

    @Test
    void aBaseThatChangesWhileItIsCopiedIsNotPatched() throws Exception {
        base();
        Storage touching = meanwhile(path -> Files.setLastModifiedTime(path, FileTime.fromMillis(12_345)));

        assertThat(failed(deliver(touching, patch("10", Map.of(), false)))).contains("has changed");
        assertThat(root.resolve("base")).hasContent(BASE);
    }

    @Test
    void aBaseThatIsCutWhileItIsCopiedIsTriedAgain() throws Exception {
        base();
        Storage cutting = meanwhile(path -> {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(2);
            }
        });

        assertThat(later(deliver(cutting, patch("10", Map.of(), false)))).contains("ended while it was copied");
    }

    @Test
    void aPatchGoesIntoTheFileThatItIsFor() throws Exception {
        base();
        TreeDigest.Builder tree = new TreeDigest.Builder();
        for (int from = 0; from < 10; from += 5) { // the file is whole fragments
            tree.add(TreeDigest.leaf(ByteBuffer.wrap(BASE.getBytes(StandardCharsets.US_ASCII), from, 5)
                    .slice()));
        }
        TransferDigest digest = tree.root(10, 5);
        CopyDigestVerifier right = new CopyDigestVerifier(digest);
        right.update(ByteBuffer.wrap(BASE.getBytes(StandardCharsets.US_ASCII)));
        assertThat(right.matches()).isTrue();
        CopyDigestVerifier cut = new CopyDigestVerifier(digest);
        cut.update(ByteBuffer.wrap(BASE.getBytes(StandardCharsets.US_ASCII), 0, 9));
        assertThat(cut.matches()).isFalse();

        assertThat(failed(deliver(patch("11", Map.of(), false)))).contains("has changed");
        assertThat(failed(deliver(patch("10", Map.of(Attributes.BASE_FINGERPRINT, "other"), false))))
                .contains("has changed");
        assertThat(deliver(patch("10", Map.of(), false))).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(root.resolve("base")).hasContent("012new bytes");
    }

    @Test
    void whatIsNoFileIsNotPatched() throws Exception {
        assertThat(failed(deliver(patch("10", Map.of(), false)))).isEqualTo("No such file or directory");
        Files.createDirectory(root.resolve("base"));
        assertThat(failed(deliver(patch("10", Map.of(), false)))).isEqualTo("Is a directory");
        assertThat(failed(deliver(patch(Attributes.NO_BASE, Map.of(), false)))).isEqualTo("Is a directory");
        Files.delete(root.resolve("base"));
        Files.createSymbolicLink(root.resolve("base"), Path.of("elsewhere"));
        assertThat(failed(deliver(patch("10", Map.of(), false)))).isEqualTo("Not a file");
        assertThat(failed(deliver(patch(Attributes.NO_BASE, Map.of(), false)))).startsWith("File exists");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 644, ''",
        "none at all, 0, 644, ''",
        "1152921504606846977, 0, 644, ''",
        "10, '', 644, ''",
        "10, 1152921504606846977, 644, ''",
        "10, 0, 644, hts256-2147483392:0000000000000000000000000000000000000000000000000000000000000000",
        "10, 0, 8, ''",
        "10, 0, 1777, ''",
        "10, 0, 644, nonsense"
    })
    void parametersThatMakeNoSenseAreRefused(String baseSize, String offset, String mode, String digest) {
        assertThat(check(baseSize, offset, mode, digest)).isFalse();
        assertThat(check("10", "0", "644", "")).isTrue();
    }

    private static boolean check(String baseSize, String offset, String mode, String digest) {
        Map<String, String> attributes = new java.util.HashMap<>();
        attributes.put(Attributes.BASE_SIZE, baseSize);
        attributes.put(Attributes.OFFSET, offset);
        attributes.put(Attributes.MODE, mode);
        if (!digest.isEmpty()) {
            attributes.put(Attributes.BASE_DIGEST, digest);
        }
        return PatchPlan.check(LandingRig.manifest(1, TransferKind.PATCH, "p", 5, attributes)) == null;
    }

    @Test
    void whatIsPublishedTwiceFreesNobodyTwice() {
        PublicationOrder<String> order = new PublicationOrder<>();
        assertThat(order.add("first", List.of("a"))).isTrue();
        assertThat(order.add("second", List.of("a", "b"))).isFalse();
        assertThat(order.remove("unknown")).isEmpty();
        assertThat(order.remove("first")).containsExactly("second");
        assertThat(order.remove("first")).isEmpty();
        assertThat(order.add("third", List.of("b"))).isFalse();
        assertThat(order.remove("second")).containsExactly("third");
        assertThat(order.remove("third")).isEmpty();
        assertThat(order.add("fourth", List.of("a", "b"))).isTrue();
    }
}
