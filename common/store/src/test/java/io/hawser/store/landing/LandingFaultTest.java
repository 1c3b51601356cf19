package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.ok;
import static io.hawser.store.landing.LandingRig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.model.TransferKind;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.ReadOnlyException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.CrashStorage;
import io.hawser.store.testkit.PlainTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the landing area does when disks, targets and space fail, while the process lives. */
final class LandingFaultTest {
    private static final RetryPolicy SOON = new RetryPolicy(Duration.ofMillis(5), 1, Duration.ofMillis(5), 0, 3);

    @TempDir
    Path root;

    @TempDir
    Path graveyard;

    private CrashStorage storage;
    private LandingRig rig;

    @BeforeEach
    void open() throws IOException {
        storage = new CrashStorage(new DiskStorage(), graveyard);
        rig = LandingRig.into(storage, root);
    }

    @AfterEach
    void close() {
        rig.closeInOrder();
    }

    private LandingOptions options() {
        return LandingOptions.below(root, "sub");
    }

    private void reopen(LandingOptions options, DeliveryTarget target) throws IOException {
        rig.close();
        storage = new CrashStorage(new DiskStorage(), graveyard);
        rig = new LandingRig(storage, options, target, CrashPoints.NONE);
    }

    private static @Nullable StorageException ioErrorIf(boolean condition) {
        return condition ? new StorageException("injected I/O error") : null;
    }

    @ParameterizedTest
    @ValueSource(strings = {"force .*[.]part", "force .*[.]leaves", "force-directory files"})
    void aDiskThatFailsWhenALandingFileIsMadeEndsTheNode(String broken) {
        AtomicInteger once = new AtomicInteger();
        storage.failCalls(call -> ioErrorIf(call.matches(broken) && once.getAndIncrement() == 0));

        assertThat(refused(rig.open(file(1, "file", FRAGMENT_BYTES))).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(once).as("it was asked to").hasPositiveValue();
        assertThat(rig.area.fileFailure()).hasMessage("injected I/O error");
    }

    @ParameterizedTest
    @ValueSource(strings = {".part", ".leaves"})
    void aLandingFileThatMayNotBeMadeIsRefusedAndTheNodeGoesOn(String ending) {
        storage.failCalls(call -> ioErrorIf(call.startsWith("create ") && call.endsWith(ending)));

        refused(rig.open(file(1, "file", FRAGMENT_BYTES)));
        assertThat(rig.area.fileFailure()).isNull();
    }

    @Test
    void aFileSystemThatTurnsReadOnlyEndsTheNode() {
        storage.failCalls(call -> call.startsWith("create ") && call.endsWith(".part")
                ? new ReadOnlyException("Read-only file system", new IOException())
                : null);

        refused(rig.open(file(1, "file", FRAGMENT_BYTES)));
        assertThat(rig.area.fileFailure()).hasMessage("Read-only file system");
    }

    @Test
    void afterAFailedForceNothingOfTheFileIsDurableAndTheTransferStartsAgain() {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        Manifest manifest = file(1, "file", content.length);
        ok(rig.open(manifest));
        ok(rig.offer(key(1), content, 0));
        AtomicInteger once = new AtomicInteger();
        storage.failCalls(
                call -> ioErrorIf(call.startsWith("force ") && call.endsWith(".part") && once.getAndIncrement() == 0));

        Refusal refusal = refused(rig.offer(key(1), content, 1));

        assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(rig.area.fileFailure()).hasMessage("injected I/O error"); // a node ends with it
        assertThat(ok(rig.lookup(key(1))))
                .isEqualTo(new StoredTransfer(StoredTransfer.State.OPEN, new FragmentRanges()));
        assertThat(refused(rig.offer(key(1), content, 2)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        ok(rig.send(manifest, content));
        rig.awaitReceipts(1);
        assertThat(root.resolve("file")).hasBinaryContent(content);
        assertThat(rig.area.failure()).isNull();
    }

    @Test
    void aSmallFileThatCannotBeWrittenIsANodesEnd() {
        storage.failCalls(call -> ioErrorIf(call.startsWith("write ") && call.endsWith(".part")));

        assertThat(refused(rig.small(file(1, "small", 10), bytes(1, 10))).code())
                .isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(rig.area.fileFailure()).hasMessage("injected I/O error");
    }

    @Test
    void onAFullDiskFilesAreRefusedAndOperationsDone() throws IOException {
        ok(rig.small(file(1, "first", 10), bytes(1, 10)));
        rig.awaitReceipts(1);
        reopen(options().withLimits(100, 100, 1L << 60), new DirectoryTarget(storage, root));

        assertThat(refused(rig.small(file(2, "second", 10), bytes(2, 10))).code())
                .isEqualTo(ErrorCode.NO_SPACE);
        ok(rig.small(LandingRig.manifest(3, TransferKind.DELETE, "first", 0, Map.of()), new byte[0]));
        await().until(() -> !Files.exists(root.resolve("first")));
        assertThat(rig.area.fileFailure()).isNull();
        assertThat(rig.allBuffersAreFree()).isTrue();
    }

    @Test
    void whenADiskIsFullAtAWriteWhatIsDurableStaysSo() {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        ok(rig.offer(key(1), content, 0));
        storage.failCalls(call -> call.startsWith("write ") && call.endsWith(".part")
                ? new OutOfSpaceException("write: no space left")
                : null);

        Refusal refusal = refused(rig.offer(key(1), content, 1));
        storage.failCalls(call -> null);

        assertThat(refusal.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(ok(rig.lookup(key(1))).durable()).isEqualTo(FragmentRanges.of(0, 1));
        ok(rig.offer(key(1), content, 1));
        ok(rig.offer(key(1), content, 2));
        ok(rig.commit(key(1), content));
        rig.awaitReceipts(1);
        assertThat(root.resolve("file")).hasBinaryContent(content);
    }

    @Test
    void aKnownSizeIsRefusedWithFiguresWhenItDoesNotFitAndTakenWhenItDoes() {
        long headroom = options().limits().headroomBytes();
        storage.pretendUsableSpace(headroom + 100_000);
        ok(rig.open(file(1, "first", 60_000)));

        Refusal refusal = refused(rig.open(file(2, "second", 60_000)));

        assertThat(refusal.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refusal.detail()).contains("No room for 60,000 bytes of second, only for 40,000");
        assertThat(ok(rig.lookup(key(2))).state()).isEqualTo(StoredTransfer.State.ABSENT);
        ok(rig.cancel(key(1)));
        ok(rig.open(file(2, "second", 60_000)));
    }

    @Test
    void aTransferOfUnknownSizeMayNotTakeWhatIsPromisedToOthers() {
        byte[] content = bytes(2, 2 * FRAGMENT_BYTES);
        storage.pretendUsableSpace(options().limits().headroomBytes() + 60_000 + FRAGMENT_BYTES / 2);
        ok(rig.open(file(1, "known", 60_000)));
        ok(rig.open(file(2, "unknown", Manifest.UNKNOWN_SIZE)));

        assertThat(refused(rig.offer(key(2), content, 0)).code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refused(rig.small(file(3, "small", 8000), bytes(3, 8000))).code())
                .isEqualTo(ErrorCode.NO_SPACE);
        storage.pretendUsableSpace(-1);
        ok(rig.offer(key(2), content, 0));
    }

    @Test
    void afterAFailureOfTheJournalEverythingIsRefused() {
        byte[] content = bytes(1, FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        storage.failCalls(call -> ioErrorIf(call.startsWith("write ") && !call.contains(key(2).toString())));

        assertThat(refused(rig.open(file(2, "other", 10_000))).code()).isEqualTo(ErrorCode.STORAGE_FAILED);

        await().until(() -> rig.area.failure() != null);
        storage.failCalls(call -> null);
        assertThat(refused(rig.offer(key(1), content, 0)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(refused(rig.small(file(3, "small", 3), bytes(3, 3))).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(refused(rig.lookup(key(1))).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(refused(rig.commit(key(1), content)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(refused(rig.cancel(key(1))).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    @Test
    void aTargetErrorThatMayPassIsRetriedWhileOthersArePublished() throws IOException {
        AtomicInteger attempts = new AtomicInteger();
        rig.close();
        storage = new CrashStorage(new DiskStorage(), graveyard);
        Path other = root.resolve("other");
        storage.failCalls(call -> ioErrorIf(
                call.startsWith("rename " + key(1)) && (attempts.incrementAndGet() <= 2 || !Files.exists(other))));
        RetryPolicy often = RetryPolicy.forever(Duration.ofMillis(10), Duration.ofMillis(20));
        rig = new LandingRig(storage, options().withRetry(often), new DirectoryTarget(storage, root), CrashPoints.NONE);

        ok(rig.small(file(1, "stubborn", 5), bytes(1, 5)));
        ok(rig.small(file(2, "other", 5), bytes(2, 5)));
        rig.awaitReceipts(2);

        assertThat(rig.receipts).allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
        assertThat(other).hasBinaryContent(bytes(2, 5));
        assertThat(root.resolve("stubborn")).hasBinaryContent(bytes(1, 5));
        assertThat(attempts).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void aTargetErrorThatStaysEndsInAFailedReceiptAndTheBytesAreSetAside() throws IOException {
        reopen(options().withRetry(SOON), refusingTarget("the far server is down"));

        ok(rig.small(file(1, "file", 5), bytes(1, 5)));
        rig.awaitReceipts(1);

        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(rig.receipts.get(0).reason()).contains("3 attempts").contains("the far server is down");
        Path aside = root.resolve(".hawser-landing-sub/files/" + key(1) + ".failed");
        await().untilAsserted(() -> assertThat(aside).hasBinaryContent(bytes(1, 5)));
    }

    private static DeliveryTarget refusingTarget(String reason) {
        return new HandTarget() {
            @Override
            public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
                objects.forEach(object -> results.accept(new DeliveryOutcome.Later(object, reason)));
            }
        };
    }

    @Test
    void whenTheForceOfATargetDirectoryFailsTheLandingAreaEnds() {
        storage.failCalls(call -> ioErrorIf(call.equals("force-directory " + root.getFileName())));

        ok(rig.small(file(1, "file", 5), bytes(1, 5)));

        await().until(() -> rig.area.failure() != null);
        assertThat(rig.receipts).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "d/f"})
    void whenTheForceOfAChangedModeFailsTheLandingAreaEnds(String what) throws IOException {
        Path changed = Files.createDirectory(root.resolve("d")).resolve("f");
        Files.writeString(changed, "x");
        storage.failCalls(
                call -> ioErrorIf(call.equals("force " + root.resolve(what).getFileName())));

        ok(rig.small(
                LandingRig.manifest(1, TransferKind.SET_MODE, what, 0, Map.of(Attributes.MODE, "700")), new byte[0]));

        await().until(() -> rig.area.failure() != null);
        assertThat(rig.receipts).isEmpty();
    }

    @Test
    void anApplicationsAckDecidesWhenACommitIsAnswered() throws IOException {
        HandTarget application = new HandTarget();
        reopen(options().withAckLevel(AckLevel.CONSUMED), application);
        byte[] content = bytes(1, 2 * FRAGMENT_BYTES);

        CompletableFuture<Outcome<List<String>>> answer = rig.send(file(1, "object", content.length), content);
        await().until(() -> application.offered.size() == 1);

        assertThat(answer).isNotDone();
        VerifiedObject object = application.offered.get(0);
        assertThat(object.file()).hasBinaryContent(content);
        assertThat(object.offeredBefore()).isFalse();
        application.results.get(0).accept(new DeliveryOutcome.Delivered(object));
        ok(answer);
        rig.awaitReceipts(1);
        await().until(() -> Files.notExists(object.file()));
    }

    @Test
    void whatItsTargetLetsWaitIsAnnouncedAsLanded() throws IOException {
        HandTarget application = new HandTarget();
        reopen(options(), application);

        ok(rig.small(file(1, "object", 5), bytes(1, 5)));
        await().until(() -> rig.landed.size() == 1);
        assertThat(rig.landed.get(0).status()).isEqualTo(ReceiptStatus.LANDED);
        assertThat(rig.onLoop(() -> rig.area.pendingReceipts())).isEqualTo(rig.landed);

        application.results.get(0).accept(new DeliveryOutcome.Delivered(application.offered.get(0)));
        rig.awaitReceipts(1);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(rig.onLoop(() -> rig.area.pendingReceipts())).isEqualTo(rig.receipts);
    }

    @Test
    void tombstonesAreNoMoreThanTheirLimit() throws IOException {
        reopen(options().withLimits(100, 3, 0), new DirectoryTarget(new DiskStorage(), root));
        for (int i = 1; i <= 10; i++) {
            ok(rig.cancel(key(i)));
        }

        assertThat(rig.onLoop(() -> rig.area.status().tombstones())).isEqualTo(3);
        assertThat(ok(rig.lookup(key(10))).state()).isEqualTo(StoredTransfer.State.CANCELLED);
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.ABSENT);
    }

    @Test
    void whatAnApplicationDidNotAckIsOfferedAgainAfterARestart() throws IOException {
        HandTarget application = new HandTarget();
        reopen(options().withAckLevel(AckLevel.CONSUMED), application);
        CompletableFuture<Outcome<List<String>>> unanswered = rig.small(file(1, "object", 5), bytes(1, 5));
        await().until(() -> application.offered.size() == 1);
        assertThat(unanswered).isNotDone();

        HandTarget next = new HandTarget();
        reopen(options().withAckLevel(AckLevel.CONSUMED), next);
        await().until(() -> next.offered.size() == 1);

        assertThat(next.offered.get(0).key()).isEqualTo(key(1));
        assertThat(next.offered.get(0).offeredBefore()).isTrue();
        next.results.get(0).accept(new DeliveryOutcome.Delivered(next.offered.get(0)));
        rig.awaitReceipts(1);
    }

    @Test
    void anIncompleteTransferIsRemovedAfterItsTimeAndMayBeginAgain() throws IOException {
        byte[] content = bytes(1, 2 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        ok(rig.offer(key(1), content, 0));

        reopen(
                options().withRetention(Duration.ZERO, Duration.ofHours(1)),
                new DirectoryTarget(new DiskStorage(), root));

        await().untilAsserted(() -> assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.ABSENT));
        await().until(() -> isEmpty(root.resolve(".hawser-landing-sub/files")));
        ok(rig.send(file(1, "file", content.length), content));
    }

    @Test
    void tombstonesAreForgottenAfterTheirTime() throws IOException {
        ok(rig.small(file(1, "file", 5), bytes(1, 5)));
        rig.awaitReceipts(1);
        rig.onLoop(() -> {
            rig.area.receiptAcked(key(1), "sub", ReceiptStatus.DELIVERED);
            return "";
        });
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.GONE);

        reopen(
                options().withRetention(Duration.ofDays(1), Duration.ZERO),
                new DirectoryTarget(new DiskStorage(), root));

        await().untilAsserted(() -> assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.ABSENT));
    }

    @Test
    void filesThatBelongToNobodyAreSweptAtTheStart() throws IOException {
        Path files = root.resolve(".hawser-landing-sub/files");
        Files.writeString(files.resolve(key(77) + ".part"), "orphan");
        Files.writeString(files.resolve(key(77) + ".leaves"), "orphan");
        Files.writeString(files.resolve("README"), "not ours");

        reopen(options(), new DirectoryTarget(new DiskStorage(), root));

        assertThat(files).isDirectoryNotContaining("glob:**.part").isDirectoryNotContaining("glob:**.leaves");
        assertThat(files.resolve("README")).exists();
    }

    @Test
    void aTransferWhoseLandingFileWasLostStartsAgainFromZero() throws IOException {
        byte[] content = bytes(1, 2 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        ok(rig.offer(key(1), content, 0));
        rig.close();
        Files.delete(root.resolve(".hawser-landing-sub/files/" + key(1) + ".part"));

        reopen(options(), new DirectoryTarget(new DiskStorage(), root));

        assertThat(ok(rig.lookup(key(1))).durable().isEmpty()).isTrue();
        ok(rig.send(file(1, "file", content.length), content));
        rig.awaitReceipts(1);
        assertThat(root.resolve("file")).hasBinaryContent(content);
    }

    @Test
    void moreTransfersThanTheLimitAreRefusedUntilOneIsOver() throws IOException {
        reopen(options().withLimits(1, 10, 0), new DirectoryTarget(new DiskStorage(), root));
        ok(rig.open(file(1, "first", 10_000)));

        assertThat(refused(rig.open(file(2, "second", 10_000))).code()).isEqualTo(ErrorCode.NO_SPACE);

        ok(rig.cancel(key(1)));
        ok(rig.open(file(2, "second", 10_000)));
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    /** Hands objects to the test, which answers. */
    private static class HandTarget extends PlainTarget {
        final List<VerifiedObject> offered = Collections.synchronizedList(new ArrayList<>());
        final List<Consumer<DeliveryOutcome>> results = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> answers) {
            objects.forEach(object -> results.add(answers));
            offered.addAll(objects);
        }
    }
}
