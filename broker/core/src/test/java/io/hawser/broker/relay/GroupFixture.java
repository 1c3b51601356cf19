package io.hawser.broker.relay;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.SampleTransfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A relay with a group, and sessions of its members. Thread: the test's. */
abstract class GroupFixture extends RelayFixture {
    static final int FRAGMENT = 64;
    static final String GROUP = "workers";
    static final Topic TOPIC = new Topic("t");
    static final NodeId ONE = new NodeId(2, 1);
    static final NodeId TWO = new NodeId(2, 2);
    static final Duration PATIENCE = Duration.ofSeconds(10);

    final List<Outcome<SubscriptionSpec>> answers = new ArrayList<>();

    GroupFixture() {
        super(RelayLimits.DEFAULT.withMemberPatience(PATIENCE));
        wallMillis = 1_000_000;
        steadyNanos = 1;
        store.readsWait = true;
    }

    /** A member's session: what it was sent. */
    final class Session extends SentOn {
        final String member;
        final NodeId node;
        final HopSender sender;

        Session(String member, NodeId node) {
            this(member, spec(member, node));
        }

        Session(String member, SubscriptionSpec spec) {
            this.member = member;
            this.node = spec.owner();
            sender = Objects.requireNonNull(relay.subscriptions().subscribe(spec, this, answers::add));
            store.force();
            store.answer();
        }

        boolean wasOffered(SampleTransfer sample) {
            return messages.stream()
                    .anyMatch(each -> each instanceof HopMessage.Open open
                            && open.manifest().equals(sample.manifest()));
        }

        boolean mayDeliver(SampleTransfer sample) {
            return messages.contains(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
        }

        boolean wasToldToDrop(SampleTransfer sample) {
            return messages.contains(new HopMessage.Cancel(sample.key(), HopMessage.Cancel.HANDED_OVER));
        }

        /** It has all of it durably. */
        void has(SampleTransfer sample) {
            sender.on(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, sample.fragmentCount())));
        }

        void commits(SampleTransfer sample) {
            sender.on(new HopMessage.Committed(sample.key(), List.of(GROUP)));
        }

        void reports(SampleTransfer sample) {
            sender.on(new HopMessage.ReceiptNotice(new Receipt(sample.key(), GROUP, ReceiptStatus.DELIVERED, "", 5)));
        }

        void delivers(SampleTransfer sample) {
            commits(sample);
            reports(sample);
        }

        void ends() {
            relay.subscriptions().unlink(GROUP, this);
        }

        /** What it was asked whether it still has it. */
        List<TransferKey> asked() {
            return messages.stream()
                    .filter(HopMessage.Check.class::isInstance)
                    .flatMap(each -> ((HopMessage.Check) each).keys().stream())
                    .toList();
        }
    }

    static SubscriptionSpec spec(String member, NodeId node) {
        SubscriptionTerms terms = SubscriptionTerms.NONE.withMember(Optional.of(member));
        return new SubscriptionSpec(GROUP, TOPIC, node, StartAt.NOW, AckLevel.DURABLE, terms);
    }

    static SampleTransfer sample(long number, String name) {
        return SampleTransfer.file(new NodeId(1, 1), number, "t", name, 2 * FRAGMENT, FRAGMENT, number);
    }

    final void publish(SampleTransfer sample) {
        relay.open(sample.manifest(), outcome -> {});
        relay.commit(sample.key(), sample.commit(), outcome -> {});
        store.force();
    }
}
