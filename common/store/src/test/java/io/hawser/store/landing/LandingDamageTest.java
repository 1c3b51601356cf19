package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.get;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that changes a landing directory's files while the node is down, or after it has read them back: the right bytes in the end, or a FAILED receipt. */
@Invariant(InvariantName.VERIFIED_THIS_RUN)
final class LandingDamageTest {
    private static final int SIZE = 3 * FRAGMENT_BYTES + 100;
    private static final byte[] CONTENT = bytes(1, SIZE);
    private static final byte[] OTHER = bytes(2, SIZE);
    private static final Manifest FILE = file(1, "a", SIZE);
    private static final Manifest OTHER_FILE = file(2, "b", SIZE);

    @TempDir
    Path scratch;

    private final Storage storage = new DiskStorage();
    private Path root;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(scratch.resolve("into"));
    }

    private Path landing(Manifest manifest, String ending) {
        return root.resolve(".hawser-landing-sub/files/" + manifest.key() + ending);
    }

    /** A run in which nothing can be delivered. */
    private LandingRig withoutTarget(boolean takesFile) throws StorageException {
        DeliveryTarget directory = new DirectoryTarget(storage, root);
        return new LandingRig(
                storage,
                LandingOptions.below(root, "sub"),
                new DeliveryTarget() {
                    @Override
                    public @Nullable Refusal check(Manifest manifest) {
                        return directory.check(manifest);
                    }

                    @Override
                    public boolean takesFile() {
                        return takesFile;
                    }

                    @Override
                    public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
                        objects.forEach(object -> results.accept(new DeliveryOutcome.Later(object, "away")));
                    }
                },
                CrashPoints.NONE);
    }

    /** As a sender does that goes on in a new session: what is missing, and COMMIT, until it is answered. */
    private static void goOn(LandingRig rig, Manifest manifest, byte[] content) {
        for (int attempt = 0; attempt < 5; attempt++) {
            ok(rig.open(manifest));
            FragmentRanges there = ok(rig.lookup(manifest.key())).durable();
            for (int i = 0; i * FRAGMENT_BYTES < content.length; i++) {
                if (!there.contains(i)) {
                    ok(rig.offer(manifest.key(), content, i));
                }
            }
            Outcome<List<String>> committed = get(rig.commit(manifest.key(), content));
            Refusal refusal = committed.refusal();
            if (refusal == null) {
                return;
            }
            assertThat(refusal.code()).as(refusal.detail()).isEqualTo(ErrorCode.STORAGE_FAILED);
        }
        throw new AssertionError("it was never committed");
    }

    private void receiveAllButTheCommit() throws Exception {
        try (LandingRig rig = LandingRig.into(storage, root)) {
            for (Manifest manifest : List.of(FILE, OTHER_FILE)) {
                ok(rig.open(manifest));
                for (int i = 0; i < 4; i++) {
                    ok(rig.offer(manifest.key(), manifest.equals(FILE) ? CONTENT : OTHER, i));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        ".part, FLIP", ".part, TRUNCATE", ".part, DELETE", ".part, SWAP", ".part, OLDER",
        ".leaves, FLIP", ".leaves, TRUNCATE", ".leaves, DELETE", ".leaves, SWAP", ".leaves, OLDER"
    })
    void whatIsIncompleteIsFetchedAgainWhereTheDiskChangedIt(String ending, Damage damage) throws Exception {
        Path older = null;
        try (LandingRig rig = LandingRig.into(storage, root)) {
            ok(rig.open(FILE));
            ok(rig.offer(FILE.key(), CONTENT, 1));
            older = Files.copy(landing(FILE, ending), scratch.resolve("older"));
        }
        receiveAllButTheCommit();

        damage.apply(landing(FILE, ending), landing(OTHER_FILE, ending), older);

        try (LandingRig rig = LandingRig.into(storage, root)) {
            goOn(rig, FILE, CONTENT);
            goOn(rig, OTHER_FILE, OTHER);
            rig.awaitReceipts(2);
            assertThat(rig.receipts).allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
        }
        assertThat(root.resolve("a")).hasBinaryContent(CONTENT);
        assertThat(root.resolve("b")).hasBinaryContent(OTHER);
    }

    /** Its last word would be that the publisher's digest is wrong, and the broker still has the object. */
    @ParameterizedTest
    @EnumSource(
            value = Damage.class,
            names = {"FLIP", "TRUNCATE"})
    void aSidecarThatIsDamagedInTheSameRunIsMadeAgain(Damage damage) throws Exception {
        try (LandingRig rig = LandingRig.into(storage, root)) {
            ok(rig.open(FILE));
            for (int i = 0; i < 4; i++) {
                ok(rig.offer(FILE.key(), CONTENT, i));
            }
            damage.apply(landing(FILE, ".leaves"), root, null);

            goOn(rig, FILE, CONTENT);

            rig.awaitReceipts(1);
            assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
        }
        assertThat(root.resolve("a")).hasBinaryContent(CONTENT);
    }

    /** Fragment 0 is one that this run wrote, fragment 1 one that the earlier run wrote. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatChangesAfterItWasReadBackIsFetchedAgain(int fragment) throws Exception {
        receiveAllButTheCommit();
        Damage.flip(landing(FILE, ".part"), 5);

        try (LandingRig rig = LandingRig.into(storage, root)) {
            ok(rig.open(FILE));
            await().until(() -> rig.onLoop(rig.area::status).damaged() == 1); // one step reads the whole file
            ok(rig.offer(FILE.key(), CONTENT, 0));
            Damage.flip(landing(FILE, ".part"), fragment * FRAGMENT_BYTES + 5);

            Refusal refusal = LandingRig.refused(rig.commit(FILE.key(), CONTENT));

            assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
            FragmentRanges there = ok(rig.lookup(FILE.key())).durable();
            assertThat(there.count()).isEqualTo(3);
            assertThat(there.contains(fragment)).isFalse();
            goOn(rig, FILE, CONTENT);
            rig.awaitReceipts(1);
            assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
            assertThat(rig.onLoop(rig.area::status).damaged()).isEqualTo(2);
        }
        assertThat(root.resolve("a")).hasBinaryContent(CONTENT);
    }

    /** A sender that sends more than it commits, and a write that fails, must not end the reading before all is read. */
    @Test
    void whatDiesBeforeItWasReadBackIsNotPublished() throws Exception {
        Manifest stream = file(1, "a", Manifest.UNKNOWN_SIZE);
        byte[] more = Arrays.copyOf(CONTENT, 5 * FRAGMENT_BYTES);
        try (LandingRig rig = LandingRig.into(storage, root)) {
            ok(rig.open(stream));
            for (int i = 0; i < 4; i++) {
                ok(rig.offer(stream.key(), CONTENT, i));
            }
        }
        Damage.flip(landing(stream, ".part"), FRAGMENT_BYTES + 5);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        AtomicBoolean hasFailed = new AtomicBoolean();
        Storage failing = Interposed.before(storage, (method, arguments, real) -> {
            boolean opensPart = method.equals("open") && arguments[0].equals(landing(stream, ".part"));
            if (opensPart && arguments[1] == OpenMode.READ) {
                reading.countDown();
                failed.await();
            } else if (opensPart && reading.getCount() == 0 && !hasFailed.getAndSet(true)) {
                throw new StorageException("the disk fails");
            }
            return real.call();
        });

        try (LandingRig rig = LandingRig.into(failing, root)) {
            ok(rig.open(stream));
            reading.await();
            CompletableFuture<Outcome<List<String>>> committed = rig.commit(stream.key(), CONTENT);
            LandingRig.refused(rig.offer(stream.key(), more, 4));
            LandingRig.refused(committed);
            failed.countDown();
            await().until(() -> Files.notExists(landing(stream, ".part")));
            ok(rig.open(OTHER_FILE)); // what was journaled before it is durable
        }
        assertThat(root.resolve("a")).doesNotExist();
        try (LandingRig rig = LandingRig.into(storage, root)) {
            goOn(rig, stream, CONTENT);
            rig.awaitReceipts(1);
            assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
        }
        assertThat(root.resolve("a")).hasBinaryContent(CONTENT);
    }

    @Test
    void whatOneRunWroteWholeIsNotReadAgain() throws Exception {
        List<Path> opened = new CopyOnWriteArrayList<>();
        Storage watched = Interposed.before(storage, (method, arguments, real) -> {
            if (method.equals("open") && arguments[1] == OpenMode.READ) {
                opened.add((Path) arguments[0]);
            }
            return real.call();
        });
        try (LandingRig rig = LandingRig.into(watched, root)) {
            ok(rig.send(FILE, CONTENT));
            rig.awaitReceipts(1);
        }
        assertThat(opened).doesNotContain(landing(FILE, ".part"));
        assertThat(root.resolve("a")).hasBinaryContent(CONTENT);
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void whatIsCompleteIsNotPublishedWithOtherBytes(Damage damage) throws Exception {
        for (int size : new int[] {SIZE, 700}) {
            makeComplete(size, damage, true);
        }
    }

    private void makeComplete(int size, Damage damage, boolean takesFile) throws Exception {
        Manifest one = file(size, "one" + size, size);
        Manifest two = file(size + 1, "two" + size, size);
        byte[] content = bytes(size, size);
        try (LandingRig rig = withoutTarget(takesFile)) {
            for (Manifest manifest : List.of(one, two)) {
                byte[] its = manifest.equals(one) ? content : bytes(size + 1, size);
                CompletableFuture<Outcome<List<String>>> sent =
                        size > FRAGMENT_BYTES ? rig.send(manifest, its) : rig.small(manifest, its);
                ok(sent);
            }
        }
        Path older = Files.write(scratch.resolve("older" + size), new byte[size]);

        damage.apply(landing(one, ".part"), landing(two, ".part"), older);

        try (LandingRig rig = LandingRig.into(storage, root)) {
            rig.awaitReceipts(2);
            boolean deleted = damage == Damage.DELETE; // as after a rename: whether it was published nobody can tell
            assertThat(rig.receipts).anySatisfy(receipt -> {
                assertThat(receipt.key()).isEqualTo(one.key());
                assertThat(receipt.status()).isEqualTo(deleted ? ReceiptStatus.DELIVERED : ReceiptStatus.FAILED);
                assertThat(receipt.reason().contains("damaged on the destination's disk"))
                        .isEqualTo(!deleted);
            });
        }
        assertThat(root.resolve("one" + size)).doesNotExist();
        if (damage != Damage.SWAP) {
            assertThat(root.resolve("two" + size)).hasBinaryContent(bytes(size + 1, size));
        }
    }

    @Test
    void aCompleteObjectThatIsGoneFailsWhereTheTargetDoesNotTakeTheFile() throws Exception {
        try (LandingRig rig = withoutTarget(false)) {
            ok(rig.send(FILE, CONTENT));
        }
        Files.delete(landing(FILE, ".part"));

        try (LandingRig rig = withoutTarget(false)) {
            rig.awaitReceipts(1);
            assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.FAILED);
            assertThat(rig.receipts.get(0).reason()).contains("its landing file is gone");
        }
    }

    @Test
    void aPatchedFileThatTheDiskChangedIsNotPublished() throws Exception {
        Files.write(root.resolve("base"), bytes(9, 500));
        Manifest patch = LandingRig.manifest(
                7,
                TransferKind.PATCH,
                "base",
                300,
                Map.of(Attributes.BASE_SIZE, "500", Attributes.OFFSET, "100", Attributes.MODE, "640"));
        Storage dying = Interposed.before(storage, (method, arguments, real) -> {
            if (method.equals("rename") && arguments[1].equals(root.resolve("base"))) {
                throw new StorageException("the node dies here");
            }
            return real.call();
        });
        try (LandingRig rig = LandingRig.into(dying, root)) {
            ok(rig.small(patch, bytes(7, 300)));
            await().until(() -> Files.exists(landing(patch, ".merged")) && Files.notExists(landing(patch, ".part")));
        }

        Damage.flip(landing(patch, ".merged"), 450);

        try (LandingRig rig = LandingRig.into(storage, root)) {
            rig.awaitReceipts(1);
            assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.FAILED);
        }
        assertThat(root.resolve("base")).hasBinaryContent(bytes(9, 500));
    }

    /** The rename was never tried, so that nothing is at its old name does not mean that it was done. */
    @Test
    void renameOfAnUploadThatFailedAfterARestartFails() throws Exception {
        Manifest upload = file(1, "x.tmp", SIZE);
        Manifest rename = new Manifest(
                LandingRig.key(2),
                2,
                FILE.topic(),
                TransferKind.RENAME,
                "x.tmp",
                List.of("x.tmp", "x"),
                0,
                FRAGMENT_BYTES,
                Map.of(Attributes.RENAMED_TO, "x"));
        try (LandingRig rig = withoutTarget(true)) {
            ok(rig.send(upload, CONTENT));
            ok(rig.small(rename, new byte[0]));
        }
        Damage.flip(landing(upload, ".part"), 7);

        try (LandingRig rig = LandingRig.into(storage, root)) {
            rig.awaitReceipts(2);
            assertThat(rig.receipts)
                    .allSatisfy(receipt -> assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED));
            assertThat(rig.receipts.get(1).reason()).isEqualTo("No such file or directory");
        }
    }
}
