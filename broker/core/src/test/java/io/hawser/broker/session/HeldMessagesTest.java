package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayFixture;
import io.hawser.broker.relay.SentOn;
import io.hawser.broker.relay.Subscriptions;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.wire.SessionMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A peer that subscribes and unsubscribes as fast as it can. */
class HeldMessagesTest extends RelayFixture {
    private static final NodeId NODE = new NodeId(1, 1);
    private static final Topic REPLIES = Topic.repliesTo(NODE);
    private static final SubscriptionSpec SPEC =
            new SubscriptionSpec(REPLIES.name(), REPLIES, NODE, StartAt.EARLIEST, AckLevel.CONSUMED);
    private static final SessionMessage SUBSCRIBE = new SessionMessage.Subscribe(
            1, REPLIES.name(), REPLIES, StartAt.EARLIEST, AckLevel.CONSUMED, ServingMode.NONE, Map.of());
    private static final SessionMessage UNSUBSCRIBE = new SessionMessage.Unsubscribe(1);

    private final HeldMessages held =
            new HeldMessages(() -> relay.subscriptions().mayChange(NODE), this::handle);
    private final SessionAllowance allowance = new SessionAllowance(SenderAllowance.UNLIMITED, held);
    private final List<SessionMessage> handled = new ArrayList<>();
    private @Nullable HopLink link;

    private void handle(SessionMessage message) {
        handled.add(message);
        if (message instanceof SessionMessage.Subscribe) {
            HopLink fresh = new SentOn();
            link = fresh;
            relay.subscriptions().subscribe(SPEC, fresh, unused -> {});
        } else if (link != null) {
            relay.subscriptions().unlink(SPEC.name(), link);
            relay.subscriptions().unsubscribe(SPEC.name(), unused -> {});
        }
    }

    /** Takes messages as long as a session is read. */
    private List<SessionMessage> flood(int most) {
        List<SessionMessage> taken = new ArrayList<>();
        while (taken.size() < most && !allowance.isOverRate()) {
            SessionMessage message = taken.size() % 2 == 0 ? SUBSCRIBE : UNSUBSCRIBE;
            taken.add(message);
            held.take(message);
        }
        return taken;
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void whatWaitsIsBoundedHoweverFastAPeerSubscribes() {
        List<SessionMessage> taken = flood(100_000);

        assertThat(taken).hasSize(Subscriptions.MAX_CHANGES + HeldMessages.FULL);
        assertThat(handled).hasSize(Subscriptions.MAX_CHANGES);
        assertThat(store.appended).as("records that wait").hasSizeLessThanOrEqualTo(Subscriptions.MAX_CHANGES);
        assertThat(loop).as("answers that wait").hasSizeLessThanOrEqualTo(Subscriptions.MAX_CHANGES);
    }

    @Test
    void whatWasHeldIsTakenInItsOrderWhenChangesAreApplied() {
        relay.subscriptions().onChangeApplied(node -> held.release());
        List<SessionMessage> taken = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            taken.addAll(flood(100));
            settle();
            assertThat(handled).isEqualTo(taken);
        }
        assertThat(relay.subscriptions().mayChange(NODE)).isTrue();
        assertThat(allowance.isOverRate()).isFalse();
    }

    @Test
    void whatASessionHeldHasNoEffectAfterItsEnd() {
        relay.subscriptions().onChangeApplied(node -> held.release());
        flood(100);
        held.clear();
        settle();

        assertThat(handled).hasSize(Subscriptions.MAX_CHANGES);
    }

    @Test
    void anotherNodeDoesNotWait() {
        flood(100);

        assertThat(relay.subscriptions().mayChange(NODE)).isFalse();
        assertThat(relay.subscriptions().mayChange(new NodeId(1, 2))).isTrue();
    }
}
