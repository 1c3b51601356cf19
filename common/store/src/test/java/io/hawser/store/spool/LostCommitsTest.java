package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The next hop does not have any more what it had committed. */
class LostCommitsTest extends OnOneSpool {
    private static final NodeId BROKER = new NodeId(7, 7);
    private static final NodeId OTHER_BROKER = new NodeId(8, 8);

    private TransferKey brokered(String name, String... deliverySet) {
        it.upload(name, bytes(2 * FRAGMENT + 5, 1));
        TransferKey key = it.keyOf(name);
        it.run(() -> it.spool.committed(key, List.of(deliverySet)));
        it.awaitPhase(key, SpoolPhase.BROKERED);
        it.run(() -> it.listener.transfers.remove(key));
        it.listener.events.clear();
        return key;
    }

    private List<TransferKey> toCheck(@Nullable NodeId broker) {
        return it.onLoop(() -> it.spool.toCheck(broker));
    }

    private void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        it.run(() -> it.spool.checked(absent, finished));
    }

    private String warning() {
        return it.onLoop(() -> it.spool.lostAtNextHop()).orElse("");
    }

    @Test
    @Invariant({InvariantName.NO_FORGET, InvariantName.NO_SILENT_STOP})
    void whatIsStillHereIsOfferedAgainWithItsNumberAndWaitsForTheNewDeliverySet() throws Exception {
        TransferKey key = brokered("f", "gone");
        long number = it.state(key).manifest().number();
        assertThat(toCheck(BROKER)).containsExactly(key);

        checked(Set.of(key), Set.of());

        assertThat(it.listener.events).containsExactly("pending again f");
        assertThat(it.listener.of(key).manifest.number()).isEqualTo(number);
        assertThat(it.listener.of(key).commit).isNotNull();
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.SPOOLED);
        assertThat(warning()).contains("1 were offered again, 0 have failed");
        assertThat(toCheck(BROKER)).isEmpty();
        it.run(() -> it.spool.committed(key, List.of("b")));
        it.awaitPhase(key, SpoolPhase.BROKERED);
        assertThat(warning()).as("the broker has it again").isEmpty();
        reopen();
        assertThat(it.state(key).deliverySet()).containsExactly("b");
        assertThat(toCheck(BROKER)).containsExactly(key);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void ofWhatIsNoLongerHereNobodyKnowsHowItEnded() throws Exception {
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config().withKeepUntilDelivered(false)).started();
        TransferKey key = brokered("f", "one", "two");
        it.run(() -> it.spool.receipt(new Receipt(key, "one", ReceiptStatus.DELIVERED, "", 5), () -> {}));
        checked(Set.of(key), Set.of()); // too early: the receipt is not durable
        await().until(() -> !it.state(key).receipts().isEmpty());

        checked(Set.of(key), Set.of());

        it.awaitPhase(key, SpoolPhase.FINISHED);
        assertThat(it.listener.events).isEmpty();
        assertThat(it.state(key).receipts())
                .extracting(receipt -> receipt.subscription() + " " + receipt.status())
                .containsExactlyInAnyOrder("one DELIVERED", "two FAILED");
        assertThat(it.state(key).receipts())
                .anyMatch(receipt -> receipt.reason().equals(LostCommits.CONTENT_GONE));
        assertThat(warning()).contains("0 were offered again, 1 have failed");
        brokered("g", "one", "two");
        assertThat(warning()).as("another path").isNotEmpty();
        brokered("f", "one", "two");
        assertThat(warning()).as("it was uploaded again").isEmpty();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatTheBrokerHasFinishedIsNotOfferedASecondTime() {
        TransferKey key = brokered("f", "one");

        checked(Set.of(), Set.of(key));

        it.awaitPhase(key, SpoolPhase.FINISHED);
        assertThat(it.listener.events).isEmpty();
        assertThat(it.state(key).receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
            assertThat(receipt.reason()).isEqualTo(LostCommits.FINISHED);
        });
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void anOlderOneIsNotOfferedAfterALaterOneOfItsPathThatIsThere() {
        TransferKey older = brokered("f", "one");
        TransferKey later = brokered("f", "one");

        checked(Set.of(older), Set.of());

        it.awaitPhase(older, SpoolPhase.FINISHED);
        assertThat(it.listener.events).isEmpty();
        assertThat(it.state(older).receipts())
                .allMatch(receipt -> receipt.reason().equals(LostCommits.OVERTAKEN));
        assertThat(it.state(later).phase()).isEqualTo(SpoolPhase.BROKERED);
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void severalOfOnePathAreOfferedInTheirOrderAndWhatFollowsWaitsForTheAnswer() {
        TransferKey older = brokered("f", "one");
        TransferKey later = brokered("f", "one");
        it.upload("f", bytes(2 * FRAGMENT + 5, 1));
        TransferKey latest = it.keyOf("f");
        it.upload("g", bytes(2 * FRAGMENT + 5, 1));
        TransferKey other = it.keyOf("g");
        it.listener.events.clear();
        assertThat(it.onLoop(() -> it.spool.followsUnchecked(latest))).isTrue();
        assertThat(it.onLoop(() -> it.spool.followsUnchecked(other))).isFalse();

        checked(Set.of(later, older), Set.of());

        assertThat(it.listener.events).containsExactly("pending again f", "pending again f");
        assertThat(it.onLoop(() -> it.spool.followsUnchecked(latest))).isFalse();
    }

    @Test
    void whatAnotherBrokerHasIsNotAskedForAlsoAfterARestart() throws Exception {
        assertThat(toCheck(BROKER)).isEmpty();
        TransferKey first = brokered("f", "one");
        assertThat(toCheck(OTHER_BROKER)).isEmpty();
        TransferKey second = brokered("g", "one");

        assertThat(toCheck(OTHER_BROKER)).containsExactly(second);
        assertThat(toCheck(null)).isEmpty();
        reopen();
        assertThat(toCheck(OTHER_BROKER)).containsExactly(second).doesNotContain(first);
    }
}
