package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a publisher is told of the second leg. */
class FarEndReporterTest extends RelayFixture {
    private static final int FRAGMENT = 64;
    private static final NodeId PUBLISHER = new NodeId(1, 1);

    private final List<FarEndProgress> told = new ArrayList<>();
    private final SampleTransfer sample = SampleTransfer.file(PUBLISHER, 1, "t", "a", 2 * FRAGMENT, FRAGMENT, 1);

    private static SubscriptionSpec spec(String name, long node) {
        return new SubscriptionSpec(name, new Topic("t"), new NodeId(2, node), StartAt.NOW, AckLevel.DURABLE);
    }

    private List<FarEndProgress> ask() {
        told.clear();
        relay.farEnds(sample.key(), outcome -> told.addAll(outcome.get()));
        settle();
        return told;
    }

    private FarEndProgress line(String subscription, long bytes, boolean connected) {
        return new FarEndProgress(sample.key(), subscription, bytes, connected);
    }

    private void isCommitted(Set<String> owed) {
        KeptTransfer kept = new KeptTransfer(
                sample.manifest(),
                FragmentRanges.of(0, sample.fragmentCount()),
                sample.commit(),
                1,
                Set.of("here", "away"),
                owed,
                Map.of(),
                Steering.NONE);
        store.known.put(sample.key(), new RelayStore.Lookup(StoredTransfer.State.COMMITTED, kept));
    }

    @Test
    void whatStillComesInIsToldForTheSubscriptionsOfItsTopic() {
        SentOn away = new SentOn();
        connect(spec("away", 1), away);
        relay.subscriptions().unlink("away", away);
        HopSender sender = connect(spec("here", 2), new SentOn());
        relay.open(sample.manifest(), outcome -> {});
        settle();
        fragment(sample, outcome -> {});
        settle();
        assertThat(ask()).containsExactly(line("away", 0, false), line("here", 0, true));

        sender.next(0);
        sender.on(new HopMessage.Ack(sample.key(), FragmentRanges.of(0, 1)));
        assertThat(ask()).containsExactly(line("away", 0, false), line("here", FRAGMENT, true));
    }

    @Test
    void whoNeedsNothingMoreHasAllOfIt() {
        SentOn away = new SentOn();
        connect(spec("away", 1), away);
        relay.subscriptions().unlink("away", away);
        connect(spec("here", 2), new SentOn());
        isCommitted(Set.of("away"));
        assertThat(ask()).containsExactly(line("away", 0, false), line("here", 2 * FRAGMENT, true));
    }

    @Test
    void aSubscriptionThatWasRemovedIsNotSaidToHaveIt() {
        isCommitted(Set.of());
        assertThat(ask()).containsExactly(line("away", 0, false), line("here", 0, false));
    }

    @Test
    void ofAnUnknownTransferNothingIsTold() {
        assertThat(ask()).isEmpty();
    }
}
