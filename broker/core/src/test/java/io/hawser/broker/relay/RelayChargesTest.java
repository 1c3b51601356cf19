package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a node can make the broker write down, or keep. */
class RelayChargesTest extends RelayFixture {
    private static final NodeId NODE = new NodeId(3, 3);

    private final SentOn link = new SentOn();
    private final PublisherIntake publisher = relay.publisherConnected(NODE, link);

    private static SampleTransfer sample(long number) {
        return SampleTransfer.file(NODE, number, "t", "a", 10, 64, number);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void cancelOfWhatIsNotHereIsAnsweredWithoutARecord() {
        for (int number = 1; number <= 100; number++) {
            publisher.receiver().on(new HopMessage.Cancel(sample(number).key(), "never mind"));
        }
        settle();

        assertThat(store.appended).isEmpty();
        assertThat(link.messages)
                .filteredOn(HopMessage.Cancelled.class::isInstance)
                .hasSize(100);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void smallTransferThatComesAfterItsCancelIsRefusedThoughNoRecordSaysSo() {
        SampleTransfer sample = sample(1);
        publisher.receiver().on(new HopMessage.Cancel(sample.key(), "never mind"));
        settle();
        link.messages.clear();

        small(publisher, sample);
        settle();

        assertThat(store.appended).isEmpty();
        assertThat(link.messages).singleElement().isInstanceOfSatisfying(HopMessage.Refuse.class, refuse -> assertThat(
                        refuse.refusal().code())
                .isEqualTo(ErrorCode.CANCELLED));
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void acknowledgementOfAReceiptThatWasNotSentIsNotRecorded() {
        publisher.receiver().on(new HopMessage.ReceiptAck(sample(1).key(), "s", ReceiptStatus.DELIVERED));
        settle();
        assertThat(store.appended).isEmpty();

        publisher.receipt(new Receipt(sample(1).key(), "s", ReceiptStatus.DELIVERED, "", 1));
        publisher.receiver().on(new HopMessage.ReceiptAck(sample(1).key(), "s", ReceiptStatus.DELIVERED));
        publisher.receiver().on(new HopMessage.ReceiptAck(sample(1).key(), "s", ReceiptStatus.DELIVERED));
        settle();
        assertThat(store.appended).hasSize(1);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void acknowledgementOfLandedLeavesThatOfDeliveredToCome() {
        for (ReceiptStatus status : List.of(ReceiptStatus.LANDED, ReceiptStatus.DELIVERED)) {
            publisher.receipt(new Receipt(sample(1).key(), "s", status, "", 1));
        }
        publisher.receiver().on(new HopMessage.ReceiptAck(sample(1).key(), "s", ReceiptStatus.LANDED));
        publisher.receiver().on(new HopMessage.ReceiptAck(sample(1).key(), "s", ReceiptStatus.DELIVERED));
        settle();

        assertThat(store.appended)
                .containsExactly(new RelayRecord.ReceiptAcked(sample(1).key(), "s"));
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void subscriptionsOfATopicAreCappedBelowWhatCommittedCanName() {
        List<String> refused = new ArrayList<>();
        for (int i = 0; i <= Subscriptions.MAX_PER_TOPIC; i++) {
            subscribe("s" + i, "t", refused);
        }
        settle();

        assertThat(Subscriptions.MAX_PER_TOPIC).isLessThanOrEqualTo(HopMessage.Committed.MAX_DELIVERY_SET);
        assertThat(refused)
                .singleElement()
                .asString()
                .contains("topic t has 1000 subscriptions", "hawser subscriptions remove");
        subscribe("s0", "t", refused);
        subscribe("other", "u", refused);
        settle();
        assertThat(refused).as("one that there is, and another topic").hasSize(1);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void subscriptionsOfABrokerAreCapped() {
        List<String> refused = new ArrayList<>();
        for (int i = 0; i <= Subscriptions.MAX_IN_ALL; i++) {
            subscribe("s" + i, "t" + i % 20, refused);
        }
        settle();
        assertThat(refused).singleElement().asString().contains("this broker has 10000 subscriptions");
    }

    private void subscribe(String name, String topic, List<String> refused) {
        relay.subscriptions()
                .subscribe(
                        new SubscriptionSpec(name, new Topic(topic), NODE, StartAt.EARLIEST, AckLevel.DURABLE),
                        new SentOn(),
                        outcome -> {
                            if (outcome.isRefused()) {
                                refused.add(Objects.requireNonNull(outcome.refusal())
                                        .detail());
                            }
                        });
    }
}
