package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a relay: creates, connects and removes them.
 *
 * <p>Thread: the relay's loop.
 */
public final class Subscriptions {
    /**
     * A subscription to replies ends when its program is away for so long: the program died. One that was cut off and comes back later gets no
     * replies to what it asked before.
     */
    static final long REPLIES_ABSENCE_MILLIS = TimeUnit.HOURS.toMillis(24);
    /** The most on one topic: each transfer's COMMITTED names all of them, and each fragment is offered to all. */
    static final int MAX_PER_TOPIC = 1000;
    /** The most of a broker: each is in memory. */
    static final int MAX_IN_ALL = 10_000;
    /** The most changes of one node's subscriptions that are under way: each makes the store's index work, and keeps questions there. */
    public static final int MAX_CHANGES = 16;

    /** The memory for descriptions of transfers on their way to consumers, and early receipts: each that is connected gets an equal share. */
    private static final long MEMORY_BYTES = 32L << 20;

    /** Shares become smaller with each consumer; while more than this is in use, none takes more than one transfer, nor early receipts. */
    private static final long MOST_MEMORY_BYTES = 2 * MEMORY_BYTES;

    /** The same for receipts that come before their transfer is over here. */
    private static final long EARLY_RECEIPT_BYTES = 8L << 20;

    private final Relay relay;
    private final RelayStore store;
    private final RelayLimits limits;
    private final LongSupplier epochMillis;
    private final LongSupplier steadyMillis;
    private final Map<String, SubscriptionFeed> byName = new HashMap<>();
    private final Map<Topic, List<SubscriptionFeed>> byTopic = new HashMap<>();
    /** The callbacks that wait for a durable removal. */
    private final Map<String, List<Outcome.Callback<SubscriptionSpec>>> removing = new HashMap<>();
    /** Removals that could not be written: the log has failed, and the node ends. */
    private final Map<String, Refusal> notRemoved = new HashMap<>();

    /** How many changes of a node's subscriptions are not applied to the store's index. */
    private final Map<NodeId, Integer> changes = new HashMap<>();

    private Consumer<NodeId> changeApplied = node -> {};

    /** Those that have a consumer. */
    private int connected;

    /** The memory in use, as of the last tick. */
    private long memoryInUseBytes;

    Subscriptions(
            Relay relay, RelayStore store, RelayLimits limits, LongSupplier epochMillis, LongSupplier steadyMillis) {
        this.relay = relay;
        this.store = store;
        this.limits = limits;
        this.epochMillis = epochMillis;
        this.steadyMillis = steadyMillis;
    }

    /** One that an earlier run of the broker created. */
    void restore(SubscriptionSpec spec) {
        SubscriptionFeed feed = add(spec);
        feed.idleSince(steadyMillis.getAsLong());
        feed.ready();
    }

    /**
     * Whether a session of that node may make and remove subscriptions now. If not, so many of its changes are under way that the next one
     * has to wait for {@link #onChangeApplied}.
     */
    public boolean mayChange(NodeId node) {
        return changes.getOrDefault(node, 0) < MAX_CHANGES;
    }

    /** Learns of each change that is applied, with the node whose it was. */
    public void onChangeApplied(Consumer<NodeId> listener) {
        changeApplied = listener;
    }

    /** Records a change of one of that node's subscriptions. */
    private void change(NodeId node, RelayRecord record, Outcome.Callback<Long> durable) {
        changes.merge(node, 1, Integer::sum);
        store.append(record, outcome -> {
            durable.accept(outcome);
            relay.receipts().made(() -> {
                changes.computeIfPresent(node, (unused, count) -> count == 1 ? null : count - 1);
                changeApplied.accept(node);
            });
        });
    }

    private SubscriptionFeed add(SubscriptionSpec spec) {
        SubscriptionFeed feed = spec.roster().isGroup()
                ? new GroupSubscription(relay, store, limits, spec, steadyMillis)
                : new SingleConsumerSubscription(relay, store, limits, spec);
        byName.put(spec.name(), feed);
        byTopic.computeIfAbsent(spec.topic(), unused -> new ArrayList<>()).add(feed);
        return feed;
    }

    /**
     * A consumer asks for a subscription on a session; a new one comes into being. Answered when it is durable.
     *
     * @param link where its hop is to be sent
     * @return the sender that feeds the link, or null if the answer will be a refusal
     */
    public @Nullable HopSender subscribe(
            SubscriptionSpec requested, HopLink link, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionFeed existing = byName.get(requested.name());
        Refusal refusal = existing == null ? whyNoMore(requested.topic()) : null;
        if (refusal == null) {
            refusal = whyNot(requested, existing);
        }
        if (refusal != null) {
            refuse(done, refusal);
            return null;
        }
        SubscriptionSpec spec = owned(withRoster(requested, existing), existing);
        // One whose record is not durable yet (its consumer's last session was short) is recorded once more.
        if (existing != null && existing.isReady() && isKnown(existing.spec(), spec)) {
            HopSender sender = connect(existing, spec, link);
            relay.post(() -> done.accept(Outcome.of(existing.spec())));
            return sender;
        }
        boolean first = of(spec.topic()).stream().allMatch(each -> each == existing && !each.isReady());
        SubscriptionFeed feed = existing == null ? add(spec) : existing;
        feed.spec(spec);
        HopSender sender = connect(feed, spec, link);
        // The records of a new member's permits follow this one.
        change(spec.owner(), new RelayRecord.Subscribed(spec, first), outcome -> {
            if (!outcome.isRefused()) {
                feed.ready();
            }
            done.accept(outcome.map(sequence -> spec));
        });
        return sender;
    }

    private HopSender connect(SubscriptionFeed feed, SubscriptionSpec spec, HopLink link) {
        connected += feed.connected() ? 0 : 1;
        return feed.connect(spec.owner(), link);
    }

    /** The most memory for descriptions of transfers on their way to one subscription. */
    long memoryOfEachBytes() {
        return memoryInUseBytes > MOST_MEMORY_BYTES ? 0 : MEMORY_BYTES / Math.max(1, connected);
    }

    /** Passes on the time. */
    void tick(long nowNanos, long nowMillis) {
        long inUse = 0;
        for (SubscriptionFeed each : byName.values()) {
            each.tick(nowNanos, nowMillis);
            inUse += each.memoryBytes();
        }
        memoryInUseBytes = inUse;
        endAbandonedReplies();
    }

    /** The most bytes of receipts on the way to one subscription that wait for the end of their transfers. */
    long earlyReceiptsOfEachBytes() {
        return memoryInUseBytes > MOST_MEMORY_BYTES ? 0 : EARLY_RECEIPT_BYTES / Math.max(1, connected);
    }

    /** The members recorded in the log for a consumer that shares the subscription: the whole group. */
    private static SubscriptionSpec withRoster(SubscriptionSpec requested, @Nullable SubscriptionFeed existing) {
        return requested
                .terms()
                .member()
                .map(name -> {
                    GroupRoster roster = existing == null
                            ? GroupRoster.NONE
                            : existing.spec().roster();
                    String subject = requested.ownership().subject();
                    GroupRoster.Member before = roster.member(requested.owner());
                    if (subject.isEmpty() && before != null) { // the broker asks for no certificates now
                        subject = before.subject();
                    }
                    return requested
                            .with(requested.terms().withMember(Optional.empty()))
                            .with(roster.with(name, new GroupRoster.Member(requested.owner(), subject)));
                })
                .orElse(requested);
    }

    /** With the owner as the log has it: a new one from now on, else the one that it has had. */
    private SubscriptionSpec owned(SubscriptionSpec spec, @Nullable SubscriptionFeed existing) {
        String subject = spec.roster().isGroup() ? "" : spec.ownership().subject();
        Ownership before = existing == null ? null : existing.spec().ownership();
        if (before == null || before.released()) {
            return spec.with(Ownership.of(subject).since(epochMillis.getAsLong()));
        }
        return spec.with(
                Ownership.of(subject.isEmpty() ? before.subject() : subject).since(before.sinceEpochMillis()));
    }

    /** Whether nothing of it is new. Where it starts counts only once; of a group any member may have been the last to come. */
    private static boolean isKnown(SubscriptionSpec known, SubscriptionSpec spec) {
        return known.roster().equals(spec.roster())
                && (known.roster().isGroup() || known.owner().equals(spec.owner()))
                && known.ownership().equals(spec.ownership())
                && known.terms().areInForceAs(spec.terms());
    }

    private @Nullable Refusal whyNoMore(Topic topic) {
        int onTopic = of(topic).size();
        if (onTopic >= MAX_PER_TOPIC) {
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    "topic " + topic + " has " + onTopic + " subscriptions, and a topic may have " + MAX_PER_TOPIC
                            + "; remove some with 'hawser subscriptions remove', or use another topic");
        }
        if (byName.size() >= MAX_IN_ALL) {
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    "this broker has " + byName.size() + " subscriptions, and may have " + MAX_IN_ALL
                            + "; remove some with 'hawser subscriptions remove'");
        }
        return null;
    }

    /** How many subscriptions were last consumed by nodes of which that is true. */
    public long count(Predicate<NodeId> owner) {
        return byName.values().stream()
                .filter(feed -> owner.test(feed.spec().owner()))
                .count();
    }

    private static @Nullable Refusal whyNot(SubscriptionSpec spec, @Nullable SubscriptionFeed existing) {
        if (spec.topic().isOfReplies() && !spec.topic().equals(Topic.repliesTo(spec.owner()))) {
            return new Refusal(ErrorCode.NOT_ALLOWED, "only the node itself may subscribe to its replies");
        }
        if (new Topic(spec.name()).isOfReplies()
                && !spec.name().equals(spec.topic().name())) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + spec.name()
                            + " can only be one to the topic of that name; choose another --name");
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
        if (existing instanceof GroupSubscription group) {
            return whyNotMember(spec, group);
        } else if (spec.terms().member().isPresent()) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + spec.name()
                            + " has one consumer and is no group's; choose another --name, or remove it first");
        }
        if (!mayOwn(spec, existing.spec())) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + spec.name() + " belongs to " + ownerOf(existing.spec())
                            + "; choose another --name, or, if that consumer is gone for good, let the broker's operator say"
                            + " 'hawser subscriptions release " + spec.name() + "'");
        }
        if (existing.connected() && !existing.spec().owner().equals(spec.owner())) {
            return new Refusal(
                    ErrorCode.SUBSCRIPTION_BUSY,
                    "subscription " + spec.name() + " is in use by node "
                            + existing.spec().owner() + "; stop that consumer or choose another --name");
        }
        return null;
    }

    /** Whether it is the owner that comes, or one that may become it. */
    private static boolean mayOwn(SubscriptionSpec requested, SubscriptionSpec kept) {
        Ownership ownership = kept.ownership();
        return ownership.released() || isSame(requested, kept.owner(), ownership.subject());
    }

    /** A subject counts if there is one on both sides; else the node id does, which is bound to a subject where nodes show certificates. */
    private static boolean isSame(SubscriptionSpec requested, NodeId node, String subject) {
        String own = requested.ownership().subject();
        return (own.isEmpty() || subject.isEmpty()) ? requested.owner().equals(node) : own.equals(subject);
    }

    private static String ownerOf(SubscriptionSpec kept) {
        return kept.ownership().subject().isEmpty() ? "node " + kept.owner() : "another certificate";
    }

    private static @Nullable Refusal whyNotMember(SubscriptionSpec spec, GroupSubscription group) {
        GroupRoster roster = group.spec().roster();
        String name = spec.terms().member().orElse("");
        if (name.isEmpty()) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + spec.name() + " is shared by a group; name this node's member with --member");
        } else if (roster.lost().contains(spec.owner())) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "this node was declared lost as a member of " + spec.name()
                            + ", and others have got its share since; start it with new data directories");
        }
        GroupRoster.Member known = roster.member(spec.owner());
        if (known != null && !isSame(spec, known.node(), known.subject())) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED, "this node has come to " + spec.name() + " with another certificate before");
        }
        NodeId holder = roster.node(name);
        if (holder != null && !holder.equals(spec.owner())) {
            return new Refusal(
                    ErrorCode.SUBSCRIPTION_BUSY,
                    "member " + name + " of " + spec.name() + " is node " + holder
                            + (group.connected(holder)
                                    ? "; choose another --member"
                                    : ", which is away; choose another --member, or, if its data directory is gone for good,"
                                            + " say 'hawser subscriptions lost " + spec.name() + " " + name + "'"));
        } else if (holder == null && known == null && roster.members().size() >= GroupRoster.MAX_MEMBERS) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + spec.name() + " has " + GroupRoster.MAX_MEMBERS + " members, as many as it can");
        }
        return null;
    }

    /**
     * An operator's word that a member of a group will never come back: what it alone might deliver goes to others, and its node is not
     * let in again. Answered when that is durable. Refused if there is no such member, or while it is connected.
     */
    public void lost(String subscription, String member, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionFeed feed = byName.get(subscription);
        NodeId node = feed == null ? null : feed.spec().roster().node(member);
        if (feed == null) {
            refuse(done, ErrorCode.NOT_FOUND, "there is no subscription " + subscription);
        } else if (node == null || !(feed instanceof GroupSubscription group)) {
            refuse(done, ErrorCode.NOT_FOUND, "subscription " + subscription + " has no member " + member);
        } else if (group.connected(node)) {
            refuse(
                    done,
                    ErrorCode.SUBSCRIPTION_BUSY,
                    "member " + member + " of " + subscription + " is connected; stop it first");
        } else {
            declareLost(group, member, node, done);
        }
    }

    /**
     * Whether that consumer would newly join an existing group: no node of its certificate is a member.
     */
    public boolean wouldJoinOthers(SubscriptionSpec requested) {
        SubscriptionFeed feed = byName.get(requested.name());
        GroupRoster roster = feed == null ? GroupRoster.NONE : feed.spec().roster();
        return !roster.members().isEmpty()
                && roster.member(requested.owner()) == null
                && !roster.hasSubject(requested.ownership().subject());
    }

    /**
     * An operator takes a subscription from its owner: the next consumer that may subscribe owns it, with all that it is owed. Answered
     * when that is durable. Refused if there is none, while its consumer is connected, and of a group's.
     */
    public void release(String subscription, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionFeed feed = byName.get(subscription);
        if (feed == null) {
            refuse(done, ErrorCode.NOT_FOUND, "there is no subscription " + subscription);
        } else if (feed instanceof GroupSubscription) {
            refuse(
                    done,
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + subscription + " is shared by a group: say 'hawser subscriptions lost "
                            + subscription + " MEMBER' of a member that is gone for good");
        } else if (feed.connected()) {
            refuse(done, ErrorCode.SUBSCRIPTION_BUSY, inUse(feed.spec()));
        } else {
            SubscriptionSpec free = feed.spec().with(feed.spec().ownership().release());
            feed.spec(free);
            store.append(
                    new RelayRecord.Subscribed(free, false), outcome -> done.accept(outcome.map(sequence -> free)));
        }
    }

    private static String inUse(SubscriptionSpec spec) {
        return "subscription " + spec.name() + " is in use by node " + spec.owner() + "; stop that consumer first";
    }

    private void refuse(Outcome.Callback<SubscriptionSpec> done, ErrorCode code, String why) {
        refuse(done, new Refusal(code, why));
    }

    private void refuse(Outcome.Callback<SubscriptionSpec> done, Refusal refusal) {
        relay.post(() -> done.accept(Outcome.refused(refusal)));
    }

    private void declareLost(
            GroupSubscription group, String member, NodeId node, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionSpec without = group.spec().with(group.spec().roster().withLost(member));
        group.spec(without);
        store.append(new RelayRecord.Subscribed(without, false), outcome -> {
            if (!outcome.isRefused()) {
                group.lost(node);
            }
            done.accept(outcome.map(sequence -> without));
        });
    }

    /** The members of that subscription with their shares; empty if it has one consumer. */
    public List<GroupMemberStatus> members(String subscription) {
        return byName.get(subscription) instanceof GroupSubscription group ? group.memberStatuses() : List.of();
    }

    /** Which member of a group has that transfer, or gets it; empty if none does. */
    public Optional<String> memberOf(String subscription, TransferKey key) {
        GroupMember member = byName.get(subscription) instanceof GroupSubscription group ? group.memberOf(key) : null;
        return Optional.ofNullable(member).map(GroupMember::name);
    }

    /** A consumer's session is gone. */
    public void unlink(String subscription, HopLink link) {
        SubscriptionFeed feed = byName.get(subscription);
        if (feed != null && feed.isLink(link)) {
            feed.disconnect(link);
            connected -= feed.connected() ? 0 : 1;
            feed.idleSince(steadyMillis.getAsLong());
        }
    }

    /**
     * An operator removes a subscription: drops what it is owed, with receipts to the publishers. Answered when that is durable.
     * Refused if there is none, or while its consumer is connected.
     */
    public void unsubscribe(String subscription, Outcome.Callback<SubscriptionSpec> done) {
        SubscriptionFeed feed = byName.get(subscription);
        List<Outcome.Callback<SubscriptionSpec>> asked = removing.get(subscription);
        if (feed == null && asked != null) {
            asked.add(done); // "there is none" would be said of what a crash could still bring back
            return;
        }
        Refusal why = notRemoved.get(subscription);
        if (feed == null && why != null) {
            refuse(done, why.code(), why.detail()); // a start will bring it back
            return;
        }
        if (feed == null) {
            refuse(done, ErrorCode.NOT_FOUND, "there is no subscription " + subscription);
            return;
        }
        if (feed.connected()) {
            refuse(done, ErrorCode.SUBSCRIPTION_BUSY, inUse(feed.spec()));
            return;
        }
        SubscriptionSpec spec = feed.spec();
        feed.remove();
        byName.remove(subscription);
        List<SubscriptionFeed> others = byTopic.get(spec.topic());
        if (others != null) {
            others.remove(feed);
        }
        List<Outcome.Callback<SubscriptionSpec>> waiters = new ArrayList<>(List.of(done));
        removing.put(subscription, waiters);
        RelayRecord record = new RelayRecord.Unsubscribed(subscription, spec.topic(), epochMillis.getAsLong());
        change(spec.owner(), record, outcome -> {
            removing.remove(subscription, waiters);
            Refusal failure = outcome.refusal();
            if (failure != null) {
                notRemoved.put(subscription, failure);
            }
            waiters.forEach(waiter -> waiter.accept(outcome.map(sequence -> spec)));
        });
    }

    /** Ends the subscriptions to replies whose programs are gone. */
    private void endAbandonedReplies() {
        long now = steadyMillis.getAsLong();
        List<String> abandoned = byName.values().stream()
                .filter(feed -> feed.spec().topic().isOfReplies() && feed.idleMillis(now) >= REPLIES_ABSENCE_MILLIS)
                .map(feed -> feed.spec().name())
                .toList();
        abandoned.forEach(name -> unsubscribe(name, unused -> {}));
    }

    /** The topic that a subscription is bound to; null if there is no such subscription. */
    public @Nullable Topic topic(String subscription) {
        SubscriptionFeed feed = byName.get(subscription);
        return feed == null ? null : feed.spec().topic();
    }

    /** A subscription as its consumer last asked for it; empty if there is none. */
    public Optional<SubscriptionSpec> spec(String subscription) {
        return Optional.ofNullable(byName.get(subscription)).map(SubscriptionFeed::spec);
    }

    /** The sender of a subscription that has one consumer, for its session; null if there is no such subscription. */
    public @Nullable HopSender sender(String subscription) {
        return byName.get(subscription) instanceof SingleConsumerSubscription feed ? feed.sender() : null;
    }

    /** What sends, or would send, that transfer to a subscription; null if there is nothing. */
    public @Nullable HopSender sender(String subscription, TransferKey key) {
        SubscriptionFeed feed = byName.get(subscription);
        return feed == null ? null : feed.sender(key);
    }

    public boolean isConnected(String subscription) {
        SubscriptionFeed feed = byName.get(subscription);
        return feed != null && feed.connected();
    }

    /** Whether the consumers of all subscriptions of that topic are connected. */
    public boolean areConnected(Topic topic) {
        return of(topic).stream().allMatch(SubscriptionFeed::connected);
    }

    public List<String> names(Topic topic) {
        return of(topic).stream().map(feed -> feed.spec().name()).toList();
    }

    /** Tells of each subscription where each of at most {@code most} transfers on their way to it wait now. */
    public void stages(int most, StageVisitor visitor) {
        byName.forEach((name, feed) -> feed.stages(most, (key, stage) -> visitor.waits(name, key, stage)));
    }

    /** Takes what a transfer on its way to a subscription waits for. */
    @FunctionalInterface
    public interface StageVisitor {
        void waits(String subscription, TransferKey key, WaitStage stage);
    }

    /** How long the subscription has had no consumer, in milliseconds; 0 while it has one. -1 if that is not known. */
    public long idleMillis(String subscription) {
        SubscriptionFeed feed = byName.get(subscription);
        return feed == null ? -1 : feed.idleMillis(steadyMillis.getAsLong());
    }

    /** The longest that something has not come forward on its hop, if anything waits there; the consumer's absence if that is longer. */
    public long longestIdleMillis(String subscription) {
        SubscriptionFeed feed = byName.get(subscription);
        if (feed == null) {
            return 0;
        }
        return Math.max(feed.longestIdleMillis(), feed.idleMillis(steadyMillis.getAsLong()));
    }

    /** Of what the subscription is being sent the transfer that has been stopped for longest; empty if there is none. */
    public Optional<HopSender.Stopped> longestStopped(String subscription) {
        SubscriptionFeed feed = byName.get(subscription);
        return feed == null ? Optional.empty() : feed.longestStopped();
    }

    List<SubscriptionFeed> of(Topic topic) {
        return byTopic.getOrDefault(topic, List.of());
    }

    @Nullable
    SubscriptionFeed find(String name) {
        return byName.get(name);
    }

    Collection<SubscriptionFeed> all() {
        return byName.values();
    }
}
