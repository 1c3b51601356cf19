package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.HopLink;
import io.hawser.common.hop.HopSender;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.SubscriptionSpec;
import io.hawser.common.model.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a relay: how they come into being, who is connected to them, how they go.
 *
 * <p>Thread: the relay's loop.
 */
public final class Subscriptions {
    private final Relay relay;
    private final RelayStore store;
    private final RelayLimits limits;
    private final LongSupplier epochMillis;
    private final LongSupplier steadyMillis;
    private final Map<String, SubscriptionEnd> byName = new HashMap<>();
    private final Map<Topic, List<SubscriptionEnd>> byTopic = new HashMap<>();
    /** Who waits for a removal to be durable. */
    private final Map<String, List<Outcome.Callback<SubscriptionSpec>>> removing = new HashMap<>();

    Subscriptions(
            Relay relay, RelayStore store, RelayLimits limits, LongSupplier epochMillis, LongSupplier steadyMillis) {
        this.relay = relay;
        this.store = store;
        this.limits = limits;
        this.epochMillis = epochMillis;
        this.steadyMillis = steadyMillis;
    }

    /** One that an earlier life has made. */
    void restore(SubscriptionSpec spec) {
        SubscriptionEnd end = add(spec);
        end.idleSince(steadyMillis.getAsLong());
        end.ready();
    }

    private SubscriptionEnd add(SubscriptionSpec spec) {
        SubscriptionEnd end = new SubscriptionEnd(relay, store, limits, spec);
        byName.put(spec.name(), end);
        byTopic.computeIfAbsent(spec.topic(), unused -> new ArrayList<>()).add(end);
        return end;
    }

    /**
     * A consumer asks for a subscription on a session; a new one comes into being. Answered when it is durable.
     *
     * @param link where its hop is to be sent
     * @return the sender that feeds the link, or null if the answer will be a refusal
     */
    public @Nullable HopSender subscribe(SubscriptionSpec spec, HopLink link, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionEnd existing = byName.get(spec.name());
        Refusal refusal = whyNot(spec, existing);
        if (refusal != null) {
            relay.post(() -> done.accept(new Outcome<>(null, refusal)));
            return null;
        }
        // One whose record is not durable yet (its consumer's last session was short) is recorded once more.
        if (existing != null && existing.isReady() && isKnown(existing.spec(), spec)) {
            existing.connect(link);
            relay.post(() -> done.accept(Outcome.of(existing.spec())));
            return existing.sender();
        }
        boolean first = of(spec.topic()).stream().allMatch(each -> each == existing && !each.isReady());
        SubscriptionEnd end = existing == null ? add(spec) : existing;
        end.spec(spec);
        end.connect(link);
        store.append(new RelayRecord.Subscribed(spec, first), outcome -> {
            Refusal failed = outcome.refusal();
            if (failed == null) {
                end.ready();
                done.accept(Outcome.of(spec));
            } else {
                done.accept(new Outcome<>(null, failed));
            }
        });
        return end.sender();
    }

    /** Whether nothing of it is new. Where it starts counts only once. */
    private static boolean isKnown(SubscriptionSpec known, SubscriptionSpec spec) {
        return known.owner().equals(spec.owner()) && known.terms().areInForceAs(spec.terms());
    }

    private static @Nullable Refusal whyNot(SubscriptionSpec spec, @Nullable SubscriptionEnd existing) {
        if (spec.topic().isOfReplies() && !spec.topic().equals(Topic.repliesTo(spec.owner()))) {
            return new Refusal(ErrorCode.NOT_ALLOWED, "only the node itself may subscribe to its replies");
        }
        if (existing == null) {
            return null;
        }
        if (!existing.spec().topic().equals(spec.topic())) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + spec.name() + " is bound to topic "
                            + existing.spec().topic() + "; choose another --name");
        }
        if (existing.connected() && !existing.spec().owner().equals(spec.owner())) {
            return new Refusal(
                    ErrorCode.SUBSCRIPTION_BUSY,
                    "subscription " + spec.name() + " is in use by node "
                            + existing.spec().owner() + "; stop that consumer or choose another --name");
        }
        return null;
    }

    /** A consumer's session is gone. */
    public void unlink(String subscription, HopLink link) {
        SubscriptionEnd end = byName.get(subscription);
        if (end != null && end.isLink(link)) {
            end.disconnect();
            end.idleSince(steadyMillis.getAsLong());
        }
    }

    /**
     * An operator removes a subscription: what it is owed is no longer, and the publishers are told. Answered when that is durable.
     * Refused if there is none, or while its consumer is connected.
     */
    public void unsubscribe(String subscription, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionEnd end = byName.get(subscription);
        List<Outcome.Callback<SubscriptionSpec>> asked = removing.get(subscription);
        if (end == null && asked != null) {
            asked.add(done); // "there is none" would be said of what a crash could still bring back
            return;
        }
        Refusal refusal = whyNotRemove(subscription, end);
        if (end == null || refusal != null) {
            relay.post(() -> done.accept(new Outcome<>(null, refusal)));
            return;
        }
        SubscriptionSpec spec = end.spec();
        byName.remove(subscription);
        List<SubscriptionEnd> others = byTopic.get(spec.topic());
        if (others != null) {
            others.remove(end);
        }
        List<Outcome.Callback<SubscriptionSpec>> waiters = new ArrayList<>(List.of(done));
        removing.put(subscription, waiters);
        RelayRecord record = new RelayRecord.Unsubscribed(subscription, spec.topic(), epochMillis.getAsLong());
        store.append(record, outcome -> {
            removing.remove(subscription, waiters);
            relay.receiptsMade();
            waiters.forEach(waiter ->
                    waiter.accept(outcome.isRefused() ? new Outcome<>(null, outcome.refusal()) : Outcome.of(spec)));
        });
    }

    private static @Nullable Refusal whyNotRemove(String subscription, @Nullable SubscriptionEnd end) {
        if (end == null) {
            return new Refusal(ErrorCode.NOT_FOUND, "there is no subscription " + subscription);
        }
        return end.connected()
                ? new Refusal(
                        ErrorCode.SUBSCRIPTION_BUSY,
                        "subscription " + subscription + " is in use by node "
                                + end.spec().owner() + "; stop that consumer first")
                : null;
    }

    /** The topic that a subscription is bound to; null if there is no such subscription. */
    public @Nullable Topic topic(String subscription) {
        SubscriptionEnd end = byName.get(subscription);
        return end == null ? null : end.spec().topic();
    }

    /** The sender of a subscription, for its session; null if there is no such subscription. */
    public @Nullable HopSender sender(String subscription) {
        SubscriptionEnd end = byName.get(subscription);
        return end == null ? null : end.sender();
    }

    /** Whether a consumer is connected to that subscription. */
    public boolean isConnected(String subscription) {
        SubscriptionEnd end = byName.get(subscription);
        return end != null && end.connected();
    }

    /** Whether the consumers of all subscriptions of that topic are connected. */
    public boolean areConnected(Topic topic) {
        return of(topic).stream().allMatch(SubscriptionEnd::connected);
    }

    /** The names of the subscriptions of a topic. */
    public List<String> names(Topic topic) {
        return of(topic).stream().map(end -> end.spec().name()).toList();
    }

    /** How long the subscription has had no consumer, in milliseconds; 0 while it has one. -1 if that is not known. */
    public long idleMillis(String subscription) {
        SubscriptionEnd end = byName.get(subscription);
        return end == null ? -1 : end.idleMillis(steadyMillis.getAsLong());
    }

    /** The longest that something has not come forward on its hop, if anything waits there; the consumer's absence if that is longer. */
    public long longestIdleMillis(String subscription) {
        SubscriptionEnd end = byName.get(subscription);
        if (end == null) {
            return 0;
        }
        return Math.max(end.sender().longestIdleMillis(), end.idleMillis(steadyMillis.getAsLong()));
    }

    /** Those of a topic. */
    List<SubscriptionEnd> of(Topic topic) {
        return byTopic.getOrDefault(topic, List.of());
    }

    @Nullable
    SubscriptionEnd find(String name) {
        return byName.get(name);
    }

    Collection<SubscriptionEnd> all() {
        return byName.values();
    }
}
