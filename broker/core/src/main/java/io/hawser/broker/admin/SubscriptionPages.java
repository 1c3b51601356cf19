package io.hawser.broker.admin;

import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.GroupMemberStatus;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.BrokerStore;
import io.hawser.core.access.Right;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.MemberStatus;
import io.hawser.ops.observe.SubscriptionStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The subscriptions over HTTP: {@code GET /subscriptions}, {@code POST /subscriptions/remove?name=NAME}, {@code POST
 * /subscriptions/lost?name=NAME&member=MEMBER}, {@code POST /subscriptions/release?name=NAME}. The parameter {@code
 * topic}, if given, narrows the list to that topic, and a change to a subscription that is bound to it.
 *
 * <p>Thread: the admin thread; it asks the loop and the store.
 */
final class SubscriptionPages {
    private final NodeThreads net;
    private final LoopQueries questions;
    private final BrokerStore store;
    private final Relay relay;
    private final CallRelay calls;

    SubscriptionPages(NodeThreads net, BrokerStore store, Relay relay, CallRelay calls) {
        this.net = net;
        this.questions = new LoopQueries(net);
        this.store = store;
        this.relay = relay;
        this.calls = calls;
    }

    List<SubscriptionStatus> list(Map<String, String> query, Caller caller) throws IOException {
        String topic = query.getOrDefault("topic", "");
        List<io.hawser.broker.store.SubscriptionStatus> kept = questions.ask(store::subscriptionStatus);
        long nowMillis = System.currentTimeMillis();
        return net.onLoop(() -> kept.stream()
                .filter(status -> fits(status.spec(), topic)
                        && (caller.access().seesAll()
                                || caller.access().sees(status.spec().topic())))
                .map(status -> line(status, nowMillis))
                .toList());
    }

    /** Those that are owed something. */
    List<SubscriptionStatus> waiting(Caller caller) throws IOException {
        return list(Map.of(), caller).stream()
                .filter(each -> each.backlog().pendingTransfers() > 0)
                .toList();
    }

    /** All subscriptions at one moment, and what has waited longest. */
    SubscriptionMetrics survey() throws IOException {
        List<io.hawser.broker.store.SubscriptionStatus> kept = questions.ask(store::subscriptionStatus);
        long nowMillis = System.currentTimeMillis();
        return net.onLoop(() -> new SubscriptionMetrics(
                kept.stream().map(status -> line(status, nowMillis)).toList(),
                relay.waitingForSpace().longestMillis(),
                longestIdleMillis(kept),
                nowMillis));
    }

    private long longestIdleMillis(List<io.hawser.broker.store.SubscriptionStatus> kept) {
        return kept.stream()
                .filter(status -> status.owedTransfers() > 0)
                .mapToLong(status ->
                        relay.subscriptions().longestIdleMillis(status.spec().name()))
                .max()
                .orElse(0);
    }

    private static boolean fits(SubscriptionSpec spec, String topic) {
        return topic.isEmpty() || spec.topic().name().equals(topic);
    }

    Map<String, AdminPage> actions() {
        return Map.of(
                "/subscriptions/remove", AdminPage.json(this::remove),
                "/subscriptions/lost", AdminPage.json(this::lost),
                "/subscriptions/release", AdminPage.json(this::release));
    }

    /** Removes one and answers with how it stood. */
    private SubscriptionStatus remove(Map<String, String> query, Caller caller) throws IOException {
        SubscriptionStatus found = toChange(query, caller);
        String name = found.name();
        Consumer<Outcome.Callback<SubscriptionSpec>> removal =
                done -> relay.subscriptions().unsubscribe(name, outcome -> {
                    if (!outcome.isRefused()) {
                        calls.left(name, outcome.get().topic());
                    }
                    done.accept(outcome);
                });
        answer(removal);
        return found;
    }

    /** Declares a member of a group lost and answers with how the subscription stood. */
    private SubscriptionStatus lost(Map<String, String> query, Caller caller) throws IOException {
        SubscriptionStatus found = toChange(query, caller);
        answer(done -> relay.subscriptions().lost(found.name(), query.getOrDefault("member", ""), done));
        return found;
    }

    /** Takes one from its owner and answers with how it stood. */
    private SubscriptionStatus release(Map<String, String> query, Caller caller) throws IOException {
        SubscriptionStatus found = toChange(query, caller);
        answer(done -> relay.subscriptions().release(found.name(), done));
        return found;
    }

    private SubscriptionStatus toChange(Map<String, String> query, Caller caller) throws IOException {
        String name = query.getOrDefault("name", "");
        SubscriptionStatus found = list(query, caller).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(notFound(name, query.getOrDefault("topic", ""))));
        Topic topic = new Topic(found.topic());
        if (!caller.access().grants().allow(Right.ADMIN, topic)) {
            throw new IllegalArgumentException(caller.access().refusal(Right.ADMIN, topic));
        }
        return found;
    }

    private void answer(Consumer<Outcome.Callback<SubscriptionSpec>> change) throws IOException {
        Refusal refusal = questions.outcome(change).refusal();
        if (refusal != null && refusal.code() == ErrorCode.STORAGE_FAILED) {
            throw new IOException(refusal.detail());
        } else if (refusal != null) {
            throw new IllegalArgumentException(refusal.detail());
        }
    }

    private static String notFound(String name, String topic) {
        return "there is no subscription '" + name + "'" + (topic.isEmpty() ? "" : " on topic " + topic)
                + "; 'hawser subscriptions list' shows them";
    }

    private SubscriptionStatus line(io.hawser.broker.store.SubscriptionStatus status, long nowMillis) {
        String name = status.spec().name();
        SubscriptionTerms terms = status.spec().terms();
        long oldest = status.oldestOwedEpochMillis();
        long committed = status.oldestCommittedEpochMillis();
        return new SubscriptionStatus(
                status.spec().topic().name(),
                name,
                new SubscriptionStatus.Ownership(
                        status.spec().owner().toString(),
                        status.spec().ownership().subject(),
                        status.spec().ownership().sinceEpochMillis(),
                        status.spec().ownership().released()),
                new SubscriptionStatus.Presence(
                        relay.subscriptions().isConnected(name),
                        relay.subscriptions().idleMillis(name)),
                new SubscriptionStatus.Backlog(
                        status.owedTransfers(),
                        status.owedBytes(),
                        oldest == 0 ? 0 : Math.max(0, nowMillis - oldest),
                        status.heldTransfers(),
                        status.heldBytes(),
                        committed,
                        terms.deadlineMillis() == 0 || committed == 0 ? 0 : committed + terms.deadlineMillis()),
                new SubscriptionStatus.Terms(terms.deadlineMillis(), terms.maxRateBytesPerSecond(), terms.priority()),
                relay.subscriptions().members(name).stream()
                        .map(SubscriptionPages::member)
                        .toList());
    }

    private static MemberStatus member(GroupMemberStatus member) {
        return new MemberStatus(
                member.name(),
                member.node().toString(),
                member.subject(),
                member.connected(),
                member.awayMillis(),
                new MemberStatus.Assigned(member.transfers(), member.bytes(), member.pinned()),
                new MemberStatus.Delivered(member.deliveredTransfers(), member.deliveredBytes()));
    }
}
