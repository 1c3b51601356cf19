package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which states of the spool complete which futures. */
class SentTransferTest {
    private static final TransferKey KEY = TransferKey.parse("%032x-%032x".formatted(1, 2));
    private static final Manifest MANIFEST =
            new Manifest(KEY, 1, new Topic("site-b"), TransferKind.FILE, "f", List.of("f"), 0, 1 << 20, Map.of());

    @TempDir
    private Path directory;

    private HawserClient client;
    private SentTransfer transfer;

    @BeforeEach
    void start() throws IOException {
        client = HawserClient.connect(ClientOptions.of("127.0.0.1:1").withState(directory));
        transfer = new SentTransfer(KEY, "f", client, Runnable::run, Runnable::run);
    }

    @AfterEach
    void stop() {
        client.close();
    }

    private static Receipt receipt(String subscription, ReceiptStatus status) {
        return new Receipt(KEY, subscription, status, "", 5);
    }

    private void apply(SpoolPhase phase, List<String> deliverySet, Receipt... receipts) {
        transfer.onState(new TransferSnapshot(
                MANIFEST,
                phase,
                null,
                0,
                0,
                deliverySet,
                List.of(receipts),
                null,
                null,
                false,
                0,
                false,
                false,
                null,
                false));
    }

    @Test
    void deliveredCompletesWhenTheWholeDeliverySetHasIt() {
        apply(SpoolPhase.BROKERED, List.of("one", "two"), receipt("one", ReceiptStatus.DELIVERED));
        assertThat(transfer.landed()).isNotDone();

        apply(
                SpoolPhase.BROKERED,
                List.of("one", "two"),
                receipt("one", ReceiptStatus.DELIVERED),
                receipt("two", ReceiptStatus.LANDED));
        assertThat(transfer.landed()).isCompleted();
        assertThat(transfer.delivered()).isNotDone();

        apply(
                SpoolPhase.FINISHED,
                List.of("one", "two"),
                receipt("one", ReceiptStatus.DELIVERED),
                receipt("two", ReceiptStatus.DELIVERED));
        assertThat(transfer.delivered()).isCompleted();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aDeadLetterEndsTheWaitForItsDelivery() {
        Receipt dead = new Receipt(KEY, "one", ReceiptStatus.DEAD, "f is a directory", 5);
        apply(SpoolPhase.BROKERED, List.of("one"), dead);

        assertThat(transfer.landed()).isCompleted();
        assertThatThrownBy(() -> transfer.delivered().join())
                .hasCauseInstanceOf(HawserException.class)
                .hasMessageContaining("one: on its dead-letter list: f is a directory")
                .hasMessageContaining("hawser dead retry " + KEY);
    }

    @Test
    void futuresFailWhenTheTransferIsNoLongerFollowed() {
        apply(SpoolPhase.FINISHED, List.of("one", "two"), receipt("one", ReceiptStatus.DELIVERED));

        assertThat(transfer.brokered()).isCompleted();
        assertThatThrownBy(() -> transfer.delivered().join())
                .hasCauseInstanceOf(HawserException.class)
                .hasMessageContaining("no longer followed");
        assertThat(transfer.landed()).isCompletedExceptionally();
    }

    /** A later subscription that starts with the earliest gets the transfer, and is not in its delivery set. */
    @Test
    void receiptsFromOutsideTheDeliverySetDoNotCount() {
        apply(
                SpoolPhase.BROKERED,
                List.of("one", "two"),
                receipt("other", ReceiptStatus.DELIVERED),
                receipt("one", ReceiptStatus.DELIVERED));
        assertThat(transfer.delivered()).isNotDone();

        apply(
                SpoolPhase.FINISHED,
                List.of("one"),
                receipt("other", ReceiptStatus.LANDED),
                receipt("one", ReceiptStatus.DELIVERED));
        assertThat(transfer.delivered()).isCompleted();
    }

    @Test
    void withoutADeliverySetTheFirstReceiptCounts() {
        apply(SpoolPhase.FINISHED, List.of(), receipt("late", ReceiptStatus.DELIVERED));

        assertThat(transfer.delivered()).isCompleted();
    }

    @Test
    void anyCountOfFarEndsCompletesTheFuture() {
        List<String> three = List.of("one", "two", "three");
        var early = transfer.deliveredAtAny(2);
        apply(
                SpoolPhase.BROKERED,
                three,
                receipt("one", ReceiptStatus.DELIVERED),
                receipt("two", ReceiptStatus.FAILED));
        assertThat(early).isNotDone();
        assertThat(transfer.delivered()).isCompletedExceptionally();

        apply(
                SpoolPhase.BROKERED,
                three,
                receipt("one", ReceiptStatus.DELIVERED),
                receipt("two", ReceiptStatus.FAILED),
                receipt("three", ReceiptStatus.DELIVERED));
        assertThat(early).isCompleted();
        assertThat(transfer.deliveredAtAny(1)).isCompleted();
        assertThat(transfer.landedAtAny(2)).isCompleted();
    }

    @Test
    void aCountAboveTheDeliverySetFailsAtOnce() {
        apply(SpoolPhase.BROKERED, List.of("one"));

        assertThatThrownBy(() -> transfer.landedAtAny(2).join())
                .hasCauseInstanceOf(HawserException.class)
                .hasMessageContaining("it goes to 1 subscription");
        assertThat(transfer.landed()).isNotDone();
    }

    @Test
    void aFutureMadeAfterARefusalFailsToo() {
        transfer.fail(new HawserException(HawserException.Reason.NOT_ALLOWED, "no"));

        assertThat(transfer.landedAtAny(1)).isCompletedExceptionally();
    }
}
