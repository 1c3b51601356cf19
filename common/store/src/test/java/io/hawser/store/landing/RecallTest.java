package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.manifest;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.PlainTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transfer that is recalled ends with one word: cancelled, or what had become of it. */
@Invariant(InvariantName.HONEST_ANSWERS)
class RecallTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init") // see open
    private LandingRig rig;

    private final FarTarget target = new FarTarget();

    /** Takes nothing while it is down, and says nothing while it is silent. */
    private static final class FarTarget extends PlainTarget {
        final List<String> delivered = Collections.synchronizedList(new ArrayList<>());
        final List<Runnable> pending = Collections.synchronizedList(new ArrayList<>());
        volatile boolean down;
        volatile boolean silent;

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
            for (VerifiedObject object : objects) {
                if (silent) {
                    pending.add(() -> results.accept(outcome(object)));
                } else {
                    results.accept(outcome(object));
                }
            }
        }

        private DeliveryOutcome outcome(VerifiedObject object) {
            if (down) {
                return new DeliveryOutcome.Later(object, "the far server is down", false);
            }
            delivered.add(object.manifest().name());
            return new DeliveryOutcome.Delivered(object);
        }
    }

    @BeforeEach
    void open() throws StorageException {
        open(Duration.ofDays(1));
    }

    private void open(Duration deadline) throws StorageException {
        LandingOptions options = LandingOptions.in(directory, "sub").withDeliveryDeadline(deadline);
        rig = new LandingRig(new DiskStorage(), options, target, CrashPoints.NONE);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void recall(long number) {
        rig.onLoop(() -> {
            rig.area.recall(key(number), "not needed");
            return true;
        });
    }

    private ReceiptStatus wordOf(int number) {
        rig.awaitReceipts(number);
        return rig.receipts.get(number - 1).status();
    }

    private Path landingFile(long number) {
        return directory.resolve("files/" + key(number) + ".part");
    }

    @Test
    void whatWaitsForItsTargetIsCancelledAndItsBytesGo() {
        target.down = true;
        ok(rig.small(file(1, "a", 5), bytes(1, 5)));
        await().until(() -> rig.onLoop(() -> rig.area.transfers().get(0).attempts()) > 0);

        recall(1);

        assertThat(wordOf(1)).isEqualTo(ReceiptStatus.CANCELLED);
        assertThat(rig.receipts.get(0).reason()).isEqualTo("not needed");
        await().until(() -> !Files.exists(landingFile(1)));
        target.down = false;
        assertThat(rig.onLoop(() -> rig.area.transfers())).isEmpty();
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.COMMITTED);
        assertThat(target.delivered).isEmpty();
    }

    @Test
    void whatItsTargetHasInHandIsDeliveredOrCancelledAsTheAttemptEnds() {
        target.silent = true;
        ok(rig.small(file(1, "a", 5), bytes(1, 5)));
        await().until(() -> target.pending.size() == 1);
        recall(1);
        target.pending.remove(0).run();
        assertThat(wordOf(1)).isEqualTo(ReceiptStatus.DELIVERED);

        target.down = true;
        ok(rig.small(file(2, "b", 5), bytes(2, 5)));
        await().until(() -> target.pending.size() == 1);
        recall(2);
        target.pending.remove(0).run();
        assertThat(wordOf(2)).isEqualTo(ReceiptStatus.CANCELLED);
        assertThat(target.delivered).containsExactly("a");
    }

    @Test
    void aLaterTransferOfThePathGoesOn() {
        target.silent = true;
        ok(rig.small(file(1, "a", 5), bytes(1, 5)));
        await().until(() -> target.pending.size() == 1);
        ok(rig.small(file(2, "a", 5), bytes(2, 5)));
        ok(rig.small(file(3, "a", 5), bytes(3, 5)));
        recall(2);
        assertThat(wordOf(1)).isEqualTo(ReceiptStatus.CANCELLED);
        assertThat(rig.receipts.get(0).key()).isEqualTo(key(2));

        target.silent = false;
        target.pending.remove(0).run();
        rig.awaitReceipts(3);
        assertThat(rig.receipts)
                .extracting(Receipt::key, Receipt::status)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(key(2), ReceiptStatus.CANCELLED),
                        org.assertj.core.groups.Tuple.tuple(key(1), ReceiptStatus.DELIVERED),
                        org.assertj.core.groups.Tuple.tuple(key(3), ReceiptStatus.DELIVERED));
    }

    @Test
    void whatIsIncompleteOrUnknownIsCancelledForGood() throws StorageException {
        byte[] content = bytes(1, 3 * LandingRig.FRAGMENT_BYTES);
        ok(rig.open(file(1, "a", content.length)));
        ok(rig.offer(key(1), content, 0));
        recall(1);
        recall(2);
        rig.awaitReceipts(2);
        assertThat(rig.receipts).extracting(Receipt::status).containsOnly(ReceiptStatus.CANCELLED);
        await().until(() -> !Files.exists(landingFile(1)));

        rig.close();
        open();
        assertThat(rig.onLoop(() -> rig.area.pendingReceipts()))
                .extracting(Receipt::status)
                .containsExactly(ReceiptStatus.CANCELLED, ReceiptStatus.CANCELLED);
        ok(rig.small(file(2, "b", 5), bytes(2, 5)));
        assertThat(target.delivered).isEmpty();
    }

    @Test
    void aDeadLetterIsCancelledAndWhatWasDeliveredSaysSoAgain() throws StorageException {
        rig.close();
        open(Duration.ZERO);
        target.down = true;
        ok(rig.small(file(1, "a", 5), bytes(1, 5)));
        await().until(() -> rig.onLoop(() -> rig.area.deadLetters()).size() == 1);
        recall(1);
        assertThat(wordOf(1)).isEqualTo(ReceiptStatus.CANCELLED);
        assertThat(rig.onLoop(() -> rig.area.deadLetters())).isEmpty();

        target.down = false;
        ok(rig.small(file(2, "b", 5), bytes(2, 5)));
        assertThat(wordOf(2)).isEqualTo(ReceiptStatus.DELIVERED);
        recall(2);
        assertThat(wordOf(3)).isEqualTo(ReceiptStatus.DELIVERED);
    }

    @Test
    void anOperatorHereCancelsOnlyWhatIsWhole() {
        target.down = true;
        ok(rig.open(manifest(1, TransferKind.FILE, "a", 3 * LandingRig.FRAGMENT_BYTES, Map.of())));
        ok(rig.small(file(2, "b", 5), bytes(2, 5)));

        assertThat(LandingRig.refused(rig.cancelWhole(key(1))).detail()).contains("not complete here");
        assertThat(LandingRig.refused(rig.cancelWhole(key(3))).detail()).contains("no transfer");
        assertThat(ok(rig.cancelWhole(key(2))).status()).isEqualTo(ReceiptStatus.CANCELLED);
        assertThat(LandingRig.refused(rig.cancelWhole(key(2))).detail()).contains("has ended");
    }
}
