package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.manifest;
import static io.hawser.store.landing.LandingRig.ok;
import static io.hawser.store.landing.LandingRig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.meter.TransferCounts.Count;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The landing area on a real disk, without faults. */
final class LandingAreaTest {
    @TempDir
    Path root;

    private LandingRig rig;

    @BeforeEach
    void open() throws IOException {
        rig = LandingRig.into(new DiskStorage(), root);
    }

    @AfterEach
    void close() {
        rig.closeInOrder();
    }

    private void restart() throws IOException {
        rig.close();
        rig = LandingRig.into(new DiskStorage(), root);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 4096, FRAGMENT_BYTES - 1, FRAGMENT_BYTES, FRAGMENT_BYTES + 1, 700_001})
    void aTransferOfAnySizeIsPublishedWithItsBytes(int length) throws IOException {
        byte[] content = bytes(length, length);

        assertThat(ok(rig.send(file(1, "dir/name", length), content))).containsExactly("sub");
        rig.awaitReceipts(1);

        assertThat(root.resolve("dir/name")).hasBinaryContent(content);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(rig.receipts.get(0).subscription()).isEqualTo("sub");
        assertThat(landingFiles()).isEmpty();
        assertThat(rig.allBuffersAreFree()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 1024, 4096, 5000, FRAGMENT_BYTES})
    void aSmallTransferOfAnySizeIsPublishedWithItsBytes(int length) throws IOException {
        byte[] content = bytes(length, length);

        assertThat(ok(rig.small(file(1, "small", length), content))).containsExactly("sub");
        rig.awaitReceipts(1);

        assertThat(root.resolve("small")).hasBinaryContent(content);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
    }

    @Test
    void theSizeMayBeUnknownUntilTheCommit() {
        byte[] content = bytes(1, 50_000);

        ok(rig.send(file(1, "stream", Manifest.UNKNOWN_SIZE), content));
        rig.awaitReceipts(1);

        assertThat(root.resolve("stream")).hasBinaryContent(content);
    }

    @Test
    void theSourcesModificationTimeIsKept() throws IOException {
        Map<String, String> attributes = Map.of(Attributes.MODIFIED_MILLIS, "1234567890123");
        byte[] content = bytes(1, 20_000);

        ok(rig.send(manifest(1, TransferKind.FILE, "large", 20_000, attributes), content));
        ok(rig.small(manifest(2, TransferKind.FILE, "small", 3, attributes), bytes(2, 3)));
        rig.awaitReceipts(2);

        assertThat(Files.getLastModifiedTime(root.resolve("large")).toMillis()).isEqualTo(1234567890123L);
        assertThat(Files.getLastModifiedTime(root.resolve("small")).toMillis()).isEqualTo(1234567890123L);
    }

    @Test
    void nothingIsVisibleBeforeTheCommit() throws IOException {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));

        ok(rig.offer(key(1), content, 2));

        assertThat(visible()).isEmpty();
        assertThat(ok(rig.lookup(key(1))))
                .isEqualTo(new StoredTransfer(StoredTransfer.State.OPEN, FragmentRanges.of(2, 3)));
    }

    @Test
    void durableFragmentsAreKnownAfterARestartAndTheRestCompletesThem() throws IOException {
        byte[] content = bytes(1, 5 * FRAGMENT_BYTES + 10);
        Manifest manifest = file(1, "file", content.length);
        ok(rig.open(manifest));
        ok(rig.offer(key(1), content, 5));
        ok(rig.offer(key(1), content, 1));

        restart();

        FragmentRanges durable = FragmentRanges.of(1, 2);
        durable.add(5);
        assertThat(ok(rig.lookup(key(1)))).isEqualTo(new StoredTransfer(StoredTransfer.State.OPEN, durable));
        ok(rig.send(manifest, content));
        rig.awaitReceipts(1);
        assertThat(root.resolve("file")).hasBinaryContent(content);
    }

    @Test
    void aFragmentThatDoesNotAgreeWithItsLeafIsRefusedAndNotDurable() {
        byte[] content = bytes(1, 2 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        Fragment good = rig.fragment(key(1), content, 0);
        good.buffer().payload(17, 1).put((byte) (content[17] + 1));

        Refusal outcome = refused(rig.offer(good));
        assertThat(outcome.code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        assertThat(ok(rig.lookup(key(1))).durable().isEmpty()).isTrue();
        ok(rig.offer(key(1), content, 0));
        ok(rig.offer(key(1), content, 1));
        ok(rig.commit(key(1), content));
        rig.awaitReceipts(1);
        assertThat(root.resolve("file")).hasBinaryContent(content);
    }

    @Test
    void aCommitThatIsNotTheFragmentsIsRefused() {
        byte[] content = bytes(1, 2 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        ok(rig.offer(key(1), content, 0));
        ok(rig.offer(key(1), content, 1));

        Refusal outcome = refused(rig.commit(key(1), bytes(2, 2 * FRAGMENT_BYTES)));
        assertThat(outcome.code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        assertThat(root.resolve("file")).doesNotExist();
        ok(rig.commit(key(1), content));
    }

    @Test
    void aSmallTransferWithAWrongDigestIsRefusedAndLeavesNothing() throws IOException {
        Fragment fragment = rig.fragment(key(1), bytes(1, 100), 0);

        Refusal outcome = refused(rig.<List<String>>ask(done -> {
            rig.area.small(file(1, "x", 100), fragment, LandingRig.commitOf(bytes(2, 100)), done);
            fragment.buffer().release();
        }));
        assertThat(outcome.code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        assertThat(landingFiles()).isEmpty();
        assertThat(visible()).isEmpty();
    }

    /** As with a disk that changes what it was given: the leaf and the commit are those of other bytes than can be read back. */
    @Test
    void aSmallTransferThatTheDiskChangedIsToBeSentAgain() throws IOException {
        byte[] right = bytes(1, 100);
        Fragment other = rig.fragment(key(1), bytes(2, 100), 0);
        Fragment changed = new Fragment(
                key(1), 0, 100, other.crc32c(), TreeDigest.leaf(ByteBuffer.wrap(right)), other.buffer(), 0);

        Refusal outcome = refused(rig.<List<String>>ask(done -> {
            rig.area.small(file(1, "x", 100), changed, LandingRig.commitOf(right), done);
            changed.buffer().release();
        }));
        assertThat(outcome.code().retriable()).isTrue();
        assertThat(landingFiles()).isEmpty();
        assertThat(visible()).isEmpty();
    }

    @Test
    void everyRepetitionIsWithoutEffect() throws IOException {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        Manifest manifest = file(1, "file", content.length);
        ok(rig.send(manifest, content));
        rig.awaitReceipts(1);
        Files.delete(root.resolve("file")); // the consumer takes it

        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.COMMITTED);
        ok(rig.send(manifest, content));
        ok(rig.small(manifest, bytes(1, 5)));
        acknowledge(1);
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.GONE);
        assertThat(ok(rig.commit(key(1), content))).containsExactly("sub");
        ok(rig.small(manifest, bytes(1, 5)));

        assertThat(refused(rig.open(manifest)).detail()).isNotEmpty();
        assertThat(rig.receipts)
                .as("who asks about it hears the last word again, also when only the tombstone is left")
                .hasSize(3)
                .allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
        assertThat(root.resolve("file")).doesNotExist();
    }

    @Test
    void aFinishedTransferIsRememberedAcrossARestart() throws IOException {
        ok(rig.small(file(1, "a", 3), bytes(1, 3)));
        ok(rig.small(file(2, "b", 3), bytes(2, 3)));
        rig.awaitReceipts(2);
        acknowledge(1);
        Files.delete(root.resolve("a"));
        Files.delete(root.resolve("b"));

        restart();

        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.GONE);
        assertThat(ok(rig.lookup(key(2))).state()).isEqualTo(StoredTransfer.State.COMMITTED);
        assertThat(rig.onLoop(() -> rig.area.pendingReceipts()))
                .singleElement()
                .satisfies(receipt -> assertThat(receipt.key()).isEqualTo(key(2)));
        ok(rig.small(file(1, "a", 3), bytes(1, 3)));
        ok(rig.small(file(2, "b", 3), bytes(2, 3)));
        assertThat(visible()).isEmpty();
    }

    @Test
    void theLaterOfTwoTransfersWithOneNameWins() {
        List<CompletableFuture<Outcome<List<String>>>> answers = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            answers.add(rig.small(file(i, "same", 1000), bytes(i, 1000)));
        }
        answers.forEach(LandingRig::ok);
        rig.awaitReceipts(20);

        assertThat(root.resolve("same")).hasBinaryContent(bytes(20, 1000));
        assertThat(rig.receipts).extracting(receipt -> receipt.key().id().low()).isSorted();
    }

    @Test
    void directoriesAreMadeAndMayBeThereAlready() {
        ok(rig.small(manifest(1, TransferKind.MAKE_DIRECTORY, "a/b", 0, Map.of()), new byte[0]));
        ok(rig.small(manifest(2, TransferKind.MAKE_DIRECTORY, "a/b", 0, Map.of()), new byte[0]));
        ok(rig.send(manifest(3, TransferKind.MAKE_DIRECTORY, "a/c", 0, Map.of()), new byte[0]));
        rig.awaitReceipts(3);

        assertThat(root.resolve("a/b")).isDirectory();
        assertThat(root.resolve("a/c")).isDirectory();
        assertThat(rig.receipts).allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
    }

    @Test
    void aMessageWithAFilesNameIsDeliveredAsAFile() {
        ok(rig.small(manifest(1, TransferKind.MESSAGE, "note.txt", 5, Map.of()), bytes(1, 5)));
        rig.awaitReceipts(1);

        assertThat(root.resolve("note.txt")).hasBinaryContent(bytes(1, 5));
        assertThat(rig.area.counts().completedBytes()).extracting(Count::value).containsExactly(5L);
        assertThat(rig.area.counts().receipts())
                .filteredOn(count -> count.what().equals("delivered"))
                .extracting(Count::value)
                .containsExactly(1L);
        Refusal nameless = refused(rig.small(manifest(2, TransferKind.MESSAGE, "", 5, Map.of()), bytes(1, 5)));
        assertThat(nameless.code()).isEqualTo(ErrorCode.BAD_NAME);
        assertThat(nameless.detail()).contains("label");
    }

    @Test
    void aBadNameIsRefusedBeforeAByteIsWritten() throws IOException {
        Refusal large = refused(rig.open(file(1, "../x", 100_000)));
        Refusal small = refused(rig.small(file(2, ".hawser-landing-sub/x", 1), bytes(1, 1)));
        assertThat(large.code()).isEqualTo(ErrorCode.BAD_NAME);
        assertThat(small.code()).isEqualTo(ErrorCode.BAD_NAME);
        assertThat(landingFiles()).isEmpty();
    }

    @Test
    void oddButLegalNamesReachTheDisk() {
        List<String> names = List.of(
                "with space/-rf",
                "Gr\u00fc\u00dfe/\u6587\u4ef6",
                "line\nbreak",
                "x".repeat(255),
                "d/" + "\u00e4".repeat(127) + "y");
        for (int i = 0; i < names.size(); i++) {
            ok(rig.small(file(i + 1, names.get(i), 10), bytes(i, 10)));
            ok(rig.send(file(i + 101, names.get(i), 9000), bytes(i + 101, 9000)));
        }
        rig.awaitReceipts(2 * names.size());

        assertThat(rig.receipts).allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
        for (int i = 0; i < names.size(); i++) {
            assertThat(root.resolve(names.get(i))).hasBinaryContent(bytes(i + 101, 9000));
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aNameThatIsTakenByADirectoryWaitsForAPerson() throws IOException {
        Files.createDirectories(root.resolve("taken/inside"));
        Files.writeString(root.resolve("file"), "x");

        ok(rig.small(file(1, "taken", 3), bytes(1, 3)));
        ok(rig.small(file(2, "file/below", 3), bytes(2, 3)));
        await().until(() -> letters().size() == 2);

        assertThat(letters()).allMatch(letter -> !letter.reason().isEmpty());
        assertThat(root.resolve("taken/inside")).isDirectory();
        assertThat(rig.receipts).isEmpty();

        Files.delete(root.resolve("taken/inside"));
        Files.delete(root.resolve("taken"));
        Files.delete(root.resolve("file"));
        ok(rig.retryDead(key(1)));
        ok(rig.retryDead(key(2)));
        rig.awaitReceipts(2);
        assertThat(rig.receipts).allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
        assertThat(root.resolve("taken")).hasBinaryContent(bytes(1, 3));
        assertThat(root.resolve("file/below")).hasBinaryContent(bytes(2, 3));
    }

    private List<DeadLetter> letters() {
        return rig.onLoop(() -> rig.area.deadLetters());
    }

    @Test
    void aSymbolicLinkBelowTheRootIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Files.createSymbolicLink(root.resolve("link"), elsewhere);

        ok(rig.small(file(1, "link/x", 3), bytes(1, 3)));
        await().until(() -> letters().size() == 1);

        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aCancelledTransferLeavesOnlyItsTombstone() throws IOException {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        Manifest manifest = file(1, "file", content.length);
        ok(rig.open(manifest));
        ok(rig.offer(key(1), content, 0));

        ok(rig.cancel(key(1)));
        ok(rig.cancel(key(1)));
        ok(rig.cancel(key(99)));

        await().untilAsserted(() -> assertThat(landingFiles()).isEmpty());
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.CANCELLED);
        restart();
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.CANCELLED);
        assertThat(refused(rig.open(manifest)).detail()).isNotEmpty();
        assertThat(refused(rig.small(manifest, bytes(1, 1))).detail()).isNotEmpty();
    }

    @Test
    void whatAnotherMemberOfTheGroupGetsGoesWithoutATombstoneAndMayComeAgain() throws IOException {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        Manifest manifest = file(1, "file", content.length);
        ok(rig.open(manifest));
        ok(rig.offer(key(1), content, 0));

        ok(rig.cancel(key(1), HopMessage.Cancel.HANDED_OVER));
        ok(rig.cancel(key(99), HopMessage.Cancel.HANDED_OVER));

        assertThat(landingFiles()).isEmpty();
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.ABSENT);
        restart();
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.ABSENT);
        ok(rig.send(manifest, content));
        rig.awaitReceipts(1);
        assertThat(root.resolve("file")).hasBinaryContent(content);
        assertThat(refused(rig.cancel(key(1), HopMessage.Cancel.HANDED_OVER)).code())
                .isEqualTo(ErrorCode.ID_USED);
    }

    /** They are in memory until the transfers are over, which may be long, and after each start again. */
    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void longManifestsOfUnfinishedTransfersAreBounded() {
        Map<String, String> attributes = Map.of("x", "y".repeat(30_000));
        int fitting = (8 << 20)
                / manifest(1, TransferKind.FILE, "f100", 10, attributes).weightBytes();
        for (int number = 1; number <= fitting; number++) {
            ok(rig.open(manifest(number, TransferKind.FILE, "f" + number, 10, attributes)));
        }

        assertThat(refused(rig.open(manifest(5000, TransferKind.FILE, "more", 10, attributes)))
                        .code())
                .isEqualTo(ErrorCode.NO_SPACE);
        ok(rig.open(manifest(5001, TransferKind.FILE, "short", 10, Map.of())));
    }

    @Test
    void aCommittedTransferIsNotCancelled() {
        ok(rig.small(file(1, "file", 3), bytes(1, 3)));

        assertThat(refused(rig.cancel(key(1))).detail()).isNotEmpty();
    }

    @Test
    void transfersAreFoundAndCountedHoweverManyThereAre() throws Exception {
        rig.close();
        rig = new LandingRig(
                new DiskStorage(),
                LandingOptions.below(root, "sub"),
                new DeliveryTarget() {
                    @Override
                    public @Nullable Refusal check(Manifest manifest) {
                        return null;
                    }

                    @Override
                    public boolean takesFile() {
                        return true;
                    }

                    @Override
                    public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {}
                },
                CrashPoints.NONE);
        for (int i = 1; i <= 1_001; i++) {
            ok(rig.small(LandingRig.manifest(i, TransferKind.DELETE, "n" + i, 0, Map.of()), new byte[0]));
        }

        assertThat(rig.onLoop(() -> rig.area.transfers("n1001"))).hasSize(1);
        assertThat(rig.onLoop(() -> rig.area.transfers(key(1_001).toString()))).hasSize(1);
        assertThat(rig.onLoop(() -> rig.area.transfers())).hasSize(1_001);
        assertThat(rig.onLoop(() -> rig.area.status()).unfinished()).isEqualTo(1_001);
    }

    @Test
    void theStatusShowsWhatIsDurable() {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", content.length)));
        ok(rig.offer(key(1), content, 1));

        LandingStatus status = rig.onLoop(() -> rig.area.status());

        assertThat(rig.onLoop(() -> rig.area.transfers())).singleElement().satisfies(transfer -> {
            assertThat(transfer.state()).isEqualTo(LandingState.OPEN);
            assertThat(transfer.durableBytes()).isEqualTo(FRAGMENT_BYTES);
            assertThat(transfer.sizeBytes()).isEqualTo(3 * FRAGMENT_BYTES);
            assertThat(transfer.name()).isEqualTo("file");
        });
        assertThat(status.reservedBytes()).isEqualTo(2 * FRAGMENT_BYTES);
        assertThat(status.usableBytes()).isPositive();
    }

    @Test
    void aFragmentThatHasNoPlaceIsRefused() {
        byte[] content = bytes(1, 3 * FRAGMENT_BYTES);
        ok(rig.open(file(1, "file", 2 * FRAGMENT_BYTES)));

        Refusal outcome = refused(rig.offer(key(1), content, 2));
        assertThat(outcome.code()).isEqualTo(ErrorCode.MALFORMED);
        assertThat(refused(rig.offer(key(9), content, 0)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    @Test
    void fragmentsTooSmallForADiskAreRefused() {
        Manifest sound = file(1, "file", 2 * FRAGMENT_BYTES);
        Manifest tiny = new Manifest(
                sound.key(),
                sound.number(),
                sound.topic(),
                sound.kind(),
                sound.name(),
                sound.paths(),
                sound.sizeBytes(),
                16,
                sound.attributes());

        assertThat(refused(rig.open(tiny)).code()).isEqualTo(ErrorCode.MALFORMED);
        assertThat(rig.allBuffersAreFree()).isTrue();
    }

    @Test
    void manySmallAndLargeTransfersAtOnceAllArrive() {
        List<CompletableFuture<Outcome<List<String>>>> answers = new ArrayList<>();
        for (int i = 1; i <= 300; i++) {
            answers.add(rig.small(file(i, "tree/d" + i % 7 + "/f" + i, i * 10L), bytes(i, i * 10)));
        }
        for (int i = 301; i <= 310; i++) {
            answers.add(rig.send(file(i, "large/f" + i, 300_000), bytes(i, 300_000)));
        }
        answers.forEach(LandingRig::ok);
        rig.awaitReceipts(310);

        for (int i = 1; i <= 300; i++) {
            assertThat(root.resolve("tree/d" + i % 7 + "/f" + i)).hasBinaryContent(bytes(i, i * 10));
        }
        for (int i = 301; i <= 310; i++) {
            assertThat(root.resolve("large/f" + i)).hasBinaryContent(bytes(i, 300_000));
        }
        assertThat(rig.allBuffersAreFree()).isTrue();
    }

    @Test
    void aSecondLandingAreaOnOneDirectoryIsRefused() {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> LandingRig.into(new DiskStorage(), root)))
                .hasMessageContaining("in use");
    }

    private void acknowledge(long number) {
        rig.onLoop(() -> {
            rig.area.receiptAcked(key(number), "sub", ReceiptStatus.DELIVERED);
            return "";
        });
    }

    /** What readers of the target see. */
    private List<String> visible() throws IOException {
        return names(root).stream().filter(name -> !name.startsWith(".")).toList();
    }

    private List<String> landingFiles() throws IOException {
        return names(root.resolve(".hawser-landing-sub/files"));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString()).toList();
        }
    }
}
