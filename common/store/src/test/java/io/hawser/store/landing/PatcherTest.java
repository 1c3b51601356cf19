package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.ok;
import static io.hawser.store.landing.LandingRig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.CrashStorage;
import io.hawser.store.testkit.Interposed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that go into a file that is there already. */
final class PatcherTest {
    private static final byte[] BASE = bytes(1, 3 * FRAGMENT_BYTES + 11);

    @TempDir
    Path scratch;

    private Path root;
    private Path target;
    private LandingRig rig;
    private long numbers;

    @BeforeEach
    void start() throws Exception {
        root = Files.createDirectory(scratch.resolve("into"));
        target = Files.write(root.resolve("f"), BASE);
        rig = LandingRig.into(new DiskStorage(), root);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private Map<String, String> base(long offset) throws Exception {
        FileFacts facts = Objects.requireNonNull(new DiskStorage().facts(target));
        return Map.of(
                Attributes.BASE_SIZE,
                Long.toString(facts.sizeBytes()),
                Attributes.BASE_FINGERPRINT,
                facts.fingerprint(),
                Attributes.OFFSET,
                Long.toString(offset),
                Attributes.MODE,
                "600");
    }

    private Receipt patch(Map<String, String> attributes, byte[] content) {
        return patch("f", attributes, content);
    }

    private Receipt patch(String name, Map<String, String> attributes, byte[] content) {
        Manifest manifest = LandingRig.manifest(++numbers, TransferKind.PATCH, name, content.length, attributes);
        ok(content.length <= FRAGMENT_BYTES ? rig.small(manifest, content) : rig.send(manifest, content));
        return await().until(
                        () -> List.copyOf(rig.receipts).stream()
                                .filter(receipt -> receipt.key().equals(manifest.key()))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void bytesAreAppendedOrWrittenInto() throws Exception {
        byte[] tail = bytes(2, 2 * FRAGMENT_BYTES + 1);
        assertThat(patch(base(BASE.length), tail).reason()).isEmpty();
        byte[] expected = Arrays.copyOf(BASE, BASE.length + tail.length);
        System.arraycopy(tail, 0, expected, BASE.length, tail.length);
        assertThat(target).hasBinaryContent(expected);

        byte[] middle = bytes(3, 700);
        assertThat(patch(base(100), middle).reason()).isEmpty();
        System.arraycopy(middle, 0, expected, 100, middle.length);
        assertThat(target).hasBinaryContent(expected);
        assertThat(patch(base(5), new byte[0]).reason()).isEmpty();
        assertThat(target).hasBinaryContent(expected);
        await().until(() -> {
            try (var files = Files.list(root.resolve(".hawser-landing-sub/files"))) {
                return files.findAny().isEmpty();
            }
        });
    }

    @Test
    void fileThatIsKnownByItsDigestIsPatchedAndNoOther() throws Exception {
        Map<String, String> known = Map.of(
                Attributes.BASE_SIZE,
                Integer.toString(BASE.length),
                Attributes.BASE_DIGEST,
                digest(BASE, 1000).toString(),
                Attributes.OFFSET,
                Integer.toString(BASE.length));
        byte[] other = BASE.clone();
        other[BASE.length / 2]++;
        Files.write(target, other);
        assertThat(patch(known, bytes(2, 10)).reason()).contains("the file has changed");
        assertThat(target).hasBinaryContent(other);

        Files.write(target, BASE);
        assertThat(patch(known, bytes(2, 10)).reason()).isEmpty();
        assertThat(target).hasSize(BASE.length + 10);
        assertThat(patch(known, bytes(2, 10)).reason()).contains("the file has changed");
    }

    private static TransferDigest digest(byte[] bytes, int fragmentBytes) {
        TreeDigest.Builder builder = new TreeDigest.Builder();
        for (int at = 0; at < bytes.length; at += fragmentBytes) {
            builder.add(TreeDigest.leaf(ByteBuffer.wrap(bytes, at, Math.min(fragmentBytes, bytes.length - at))));
        }
        return builder.root(bytes.length, fragmentBytes);
    }

    @Test
    void nobodyWaitsForTheCopyOfTheBase() throws Exception {
        CountDownLatch copied = new CountDownLatch(1);
        rig.close();
        rig = LandingRig.into(waitingToMerge(copied), root);
        byte[] tail = bytes(2, 700);
        Manifest slow = LandingRig.manifest(1, TransferKind.PATCH, "f", tail.length, base(BASE.length));
        ok(rig.small(slow, tail));

        ok(rig.small(LandingRig.file(2, "other", 10), bytes(3, 10)));
        rig.awaitReceipts(1);
        assertThat(root.resolve("other")).exists();
        assertThat(target).hasBinaryContent(BASE);

        copied.countDown();
        rig.awaitReceipts(2);
        assertThat(target).hasSize(BASE.length + tail.length);
    }

    /** A disk that takes its time to copy. */
    private static Storage waitingToMerge(CountDownLatch until) {
        Storage[] disk = {new DiskStorage()};
        Class<?>[] faces = {Storage.class};
        return (Storage) Proxy.newProxyInstance(Storage.class.getClassLoader(), faces, (self, method, arguments) -> {
            if (method.getName().equals("below")) {
                disk[0] = disk[0].below((Path) arguments[0]);
                return self;
            }
            if (method.getName().equals("forPublication")) {
                return self;
            }
            if (method.getName().equals("open") && arguments[0].toString().endsWith(PatchPlan.MERGING)) {
                assertThat(until.await(20, TimeUnit.SECONDS)).isTrue();
            }
            try {
                return method.invoke(disk[0], arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** The bytes on the disk are not those that were written. */
    @Test
    void aMergedFileThatTheDiskHasChangedIsMadeAgain() throws Exception {
        AtomicInteger made = new AtomicInteger();
        rig.close();
        rig = LandingRig.into(
                Interposed.before(new DiskStorage(), (method, arguments, real) -> {
                    boolean isFirst = isMerging(method, arguments) && made.getAndIncrement() == 0;
                    return isFirst ? flipped("write", (StorageFile) real.call()) : real.call();
                }),
                root);
        byte[] tail = bytes(2, 2 * FRAGMENT_BYTES + 1);

        assertThat(patch(base(BASE.length), tail).reason()).isEmpty();

        assertThat(made).hasValue(2);
        assertThat(target).hasBinaryContent(appended(tail));
    }

    @Test
    void aPatchThatIsReadWronglyIsReadAgain() throws Exception {
        AtomicInteger made = new AtomicInteger();
        AtomicBoolean flips = new AtomicBoolean();
        rig.close();
        rig = LandingRig.into(
                Interposed.before(new DiskStorage(), (method, arguments, real) -> {
                    if (isMerging(method, arguments)) {
                        flips.set(made.getAndIncrement() == 0);
                    } else if (isPart(method, arguments) && flips.getAndSet(false)) {
                        return flipped("read", (StorageFile) real.call());
                    }
                    return real.call();
                }),
                root);
        byte[] tail = bytes(2, 2 * FRAGMENT_BYTES + 1);

        assertThat(patch(base(BASE.length), tail).reason()).isEmpty();

        assertThat(made).hasValue(2);
        assertThat(target).hasBinaryContent(appended(tail));
    }

    @Test
    void aPatchThatTheDiskHasChangedFails() throws Exception {
        rig.close();
        rig = LandingRig.into(
                Interposed.before(new DiskStorage(), (method, arguments, real) -> {
                    if (isMerging(method, arguments)) {
                        Damage.flip(Damage.file(root.resolve(".hawser-landing-sub/files"), ".part"), 3);
                    }
                    return real.call();
                }),
                root);

        Receipt receipt = patch(base(BASE.length), bytes(2, 2 * FRAGMENT_BYTES + 1));

        assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt.reason()).contains("damaged on the destination's disk", "send it again");
        assertThat(target).hasBinaryContent(BASE);
    }

    private static boolean isMerging(String method, Object[] arguments) {
        return method.equals("open")
                && arguments[0].toString().endsWith(PatchPlan.MERGING)
                && arguments[1] == OpenMode.CREATE_NEW;
    }

    private static boolean isPart(String method, Object[] arguments) {
        return method.equals("open") && arguments[0].toString().endsWith(".part") && arguments[1] == OpenMode.READ;
    }

    private static byte[] appended(byte[] tail) {
        byte[] expected = Arrays.copyOf(BASE, BASE.length + tail.length);
        System.arraycopy(tail, 0, expected, BASE.length, tail.length);
        return expected;
    }

    /** {@code file} with one bit flipped in what each call of {@code method} reads or writes. */
    private static StorageFile flipped(String method, StorageFile file) {
        Class<?>[] faces = {StorageFile.class};
        return (StorageFile)
                Proxy.newProxyInstance(StorageFile.class.getClassLoader(), faces, (self, called, given) -> {
                    if (!called.getName().equals(method)) {
                        return called.invoke(file, given);
                    }
                    ByteBuffer bytes = (ByteBuffer) given[0];
                    int first = bytes.position();
                    if (bytes.hasRemaining() && method.equals("write")) {
                        bytes.put(first, (byte) (bytes.get(first) ^ 1));
                        file.write(bytes, (Long) given[1]);
                        bytes.put(first, (byte) (bytes.get(first) ^ 1));
                        return null;
                    }
                    Object result = called.invoke(file, given);
                    if (bytes.position() > first) {
                        bytes.put(first, (byte) (bytes.get(first) ^ 1));
                    }
                    return result;
                });
    }

    @Test
    void fileThatHasChangedIsLeftAlone() throws Exception {
        Map<String, String> before = base(4);
        byte[] other = bytes(9, BASE.length);
        Files.write(scratch.resolve("other"), other);
        Files.move(scratch.resolve("other"), target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        Receipt receipt = patch(before, bytes(2, 10));

        assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(receipt.reason()).contains("the file has changed");
        assertThat(target).hasBinaryContent(other);
    }

    @Test
    void fileThatIsGoneOrADirectoryIsRefused() throws Exception {
        Map<String, String> before = base(4);
        Files.delete(target);
        assertThat(patch(before, bytes(2, 10)).reason()).isEqualTo("No such file or directory");
        Files.createDirectory(target);
        assertThat(patch(before, bytes(2, 10)).reason()).isEqualTo("Is a directory");
    }

    @Test
    void bytesBehindAHole() throws Exception {
        byte[] tail = bytes(2, 700);
        assertThat(patch(base(BASE.length + 5L), tail).reason()).isEmpty();
        byte[] expected = Arrays.copyOf(BASE, BASE.length + 5 + tail.length);
        System.arraycopy(tail, 0, expected, BASE.length + 5, tail.length);
        assertThat(target).hasBinaryContent(expected);
    }

    @Test
    void severalGapsAreFilled() throws Exception {
        Map<String, String> attributes = new HashMap<>(base(0));
        attributes.put(Attributes.OFFSET, "0-3,7-" + (7 + FRAGMENT_BYTES) + "," + (BASE.length - 1));
        byte[] content = bytes(2, FRAGMENT_BYTES + 10);

        assertThat(patch(attributes, content).reason()).isEmpty();

        byte[] expected = Arrays.copyOf(BASE, BASE.length + 6);
        System.arraycopy(content, 0, expected, 0, 3);
        System.arraycopy(content, 3, expected, 7, FRAGMENT_BYTES);
        System.arraycopy(content, FRAGMENT_BYTES + 3, expected, BASE.length - 1, 7);
        assertThat(target).hasBinaryContent(expected);
    }

    @Test
    void fileIsMadeWhereNoneIs() throws Exception {
        byte[] content = bytes(2, 2 * FRAGMENT_BYTES + 1);
        Map<String, String> noBase = Map.of(Attributes.BASE_SIZE, Attributes.NO_BASE, Attributes.OFFSET, "500");

        assertThat(patch("new/deep/f", noBase, content).reason()).isEmpty();

        byte[] expected = new byte[500 + content.length];
        System.arraycopy(content, 0, expected, 500, content.length);
        assertThat(root.resolve("new/deep/f")).hasBinaryContent(expected);
        Receipt second = patch("new/deep/f", noBase, content);
        assertThat(second.status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(second.reason()).startsWith("File exists");
        assertThat(patch("f/below", noBase, content).status()).isEqualTo(ReceiptStatus.FAILED);
    }

    /** A disk on which that much may be written besides the head-room. */
    private CrashStorage diskWith(long bytes) throws Exception {
        rig.close();
        CrashStorage disk = new CrashStorage(new DiskStorage(), Files.createDirectory(scratch.resolve("graveyard")));
        disk.pretendUsableSpace(LandingOptions.below(root, "sub").limits().headroomBytes() + bytes);
        rig = LandingRig.into(disk, root);
        return disk;
    }

    private Predicate<LandingTransferStatus> waits(Manifest manifest) {
        return status -> status.transfer().equals(manifest.key().toString())
                && status.problem().contains("No room for");
    }

    @Test
    void aPatchThatIsCommittedWaitsUntilThereIsRoomForTheWholeFile() throws Exception {
        CrashStorage disk = diskWith(BASE.length);
        byte[] tail = bytes(2, 700);
        Manifest manifest = LandingRig.manifest(1, TransferKind.PATCH, "f", tail.length, base(BASE.length));
        ok(rig.small(manifest, tail));
        await().until(() -> rig.onLoop(() -> rig.area.transfers()).stream().anyMatch(waits(manifest)));

        ok(rig.small(LandingRig.file(2, "other", 10), bytes(3, 10))); // has room, and waits for nobody
        rig.awaitReceipts(1);
        assertThat(root.resolve("other")).exists();
        assertThat(target).hasBinaryContent(BASE);
        assertThat(rig.onLoop(rig.area::status).parked()).isZero();

        rig.close(); // it waits durably
        rig = LandingRig.into(disk, root);
        await().until(() -> rig.onLoop(() -> rig.area.transfers()).stream().anyMatch(waits(manifest)));
        disk.pretendUsableSpace(-1);
        await().until(() -> Files.size(target) == BASE.length + tail.length);
        await().until(() -> rig.onLoop(rig.area::status).reservedBytes() == 0);
    }

    @Test
    void aPatchHoldsTheRoomForTheWholeFileFromItsBeginning() throws Exception {
        byte[] content = bytes(2, 2 * FRAGMENT_BYTES);
        CrashStorage disk = diskWith(BASE.length + 2L * content.length - 1);
        Manifest patch = LandingRig.manifest(1, TransferKind.PATCH, "f", content.length, base(0));

        assertThat(refused(rig.open(patch)).code()).isEqualTo(ErrorCode.NO_SPACE);
        disk.pretendUsableSpace(
                LandingOptions.below(root, "sub").limits().headroomBytes() + BASE.length + 2L * content.length);
        ok(rig.open(patch));
        assertThat(refused(rig.open(LandingRig.file(2, "other", FRAGMENT_BYTES)))
                        .code())
                .isEqualTo(ErrorCode.NO_SPACE);
        ok(rig.send(patch, content));
        rig.awaitReceipts(1);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(rig.onLoop(rig.area::status).reservedBytes()).isZero();
        ok(rig.open(LandingRig.file(2, "other", FRAGMENT_BYTES)));
        ok(rig.cancel(LandingRig.key(2)));
    }

    @Test
    void nonsenseIsRefusedBeforeItIsTaken() {
        for (String[] wrong : new String[][] {
            {"none", "-1"}, {"", "0"}, {"10", "-1"}, {"-1", "0"}, {"x", "0"}, {"10", "3-2,5"}, {"10", "1-2"}
        }) {
            Map<String, String> attributes = new HashMap<>();
            attributes.put(Attributes.BASE_SIZE, wrong[0]);
            attributes.put(Attributes.OFFSET, wrong[1]);
            Manifest manifest = LandingRig.manifest(++numbers, TransferKind.PATCH, "f", 0, attributes);
            assertThat(refused(rig.small(manifest, new byte[0])).code())
                    .as(wrong[0] + " " + wrong[1])
                    .isEqualTo(ErrorCode.MALFORMED);
        }
    }
}
