package io.hawser.broker.session;

import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.CallServerCandidate;
import io.hawser.broker.relay.PublisherIntake;
import io.hawser.broker.relay.Relay;
import io.hawser.core.access.Access;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.access.Right;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.transport.HopSession;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.SessionMessage;
import io.hawser.ops.audit.Audit;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpPeer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's session: hop 0 carries what it publishes, the others are its subscriptions.
 *
 * <p>Thread: the relay's loop.
 */
final class BrokerSession implements HopSession.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerSession.class);
    private static final int PUBLISHING_HOP = 0;
    /** Occurs in no name of a subscription. */
    private static final String MEMBER_SEPARATOR = "/";

    private record Linked(int hop, HopLink link, Topic topic, long maxRateBytesPerSecond, String answers) {}

    private final BrokerSessions sessions;
    private final Relay relay;
    private final CallRelay calls;
    private final Greeting peer;
    private final PtcpPeer from;
    private final SessionRights rights;
    private final Map<String, Linked> links = new HashMap<>();
    private final HeldMessages held;
    private @Nullable HopSession session;
    private @Nullable PublisherIntake publisher;
    private @Nullable PrincipalUse use;

    BrokerSession(
            BrokerSessions sessions, Relay relay, CallRelay calls, Greeting peer, PtcpPeer from, SessionRights rights) {
        this.from = from;
        this.rights = rights;
        this.sessions = sessions;
        this.relay = relay;
        this.calls = calls;
        this.peer = peer;
        this.held = new HeldMessages(() -> relay.subscriptions().mayChange(peer.node()), this::take);
    }

    /** The node at the other end. */
    public NodeId node() {
        return peer.node();
    }

    Greeting.Role role() {
        return peer.role();
    }

    long epoch() {
        return peer.epoch();
    }

    /** Ends it if its peer has been revoked, or has other rights now; with those it may come again. */
    void recheck(PeerAuthorizer authorizer) {
        Access now = authorizer.access(from.certificate());
        if (use != null) {
            use.limits(authorizer.limits(from.certificate()));
        }
        if (!now.equals(rights.access())) {
            rights.note("rights", node().toString(), "changed");
            end(authorizer
                    .whyNot(from.certificate(), peer)
                    .orElse("the rights of " + now.peer().text() + " have changed"));
        }
    }

    /** The node has sent a receipt for a transfer that its subscription was never owed. */
    void receiptNotOwed(Receipt receipt) {
        rights.notItsOwn(receipt.key(), "RECEIPT");
        refused();
    }

    void tick() {
        if (session != null) {
            session.tick();
        }
        if (publisher != null) {
            publisher.tick();
        }
    }

    void end(String reason) {
        if (session != null) {
            // What still arrives from it must have no effect; the relay lets go of it now.
            release();
            session.detach();
            session.session().close(reason);
        }
    }

    @Override
    public void onOpen(HopSession opened) {
        session = opened;
        sessions.opened(this);
        PrincipalUse current = sessions.principals()
                .sessionUp(
                        node(),
                        rights.access().peer(),
                        from.address(),
                        sessions.authorizer().limits(from.certificate()));
        use = current;
        opened.limitBy(new SessionAllowance(current, held));
        calls.admit(opened.calls(), current, rights::whyNotAsk);
        opened.attach(calls);
        if (peer.role() != Greeting.Role.AGENT_B) {
            PublisherIntake intake = relay.publisherConnected(node(), opened.link(PUBLISHING_HOP), rights, current);
            publisher = intake;
            opened.attach(PUBLISHING_HOP, intake.receiver());
        }
        LOG.atInfo()
                .addKeyValue("node", node())
                .addKeyValue("role", peer.role())
                .addKeyValue("from", opened.session().remoteAddress())
                .log("session is up");
        rights.note("connect", node().toString(), Audit.OK);
    }

    @Override
    public void onMessage(HopSession from, SessionMessage message) {
        held.take(message);
    }

    /** A change of this node's subscriptions has been applied. */
    void changeApplied() {
        held.release();
    }

    private void take(SessionMessage message) {
        HopSession from = session;
        if (from == null) {
            return;
        }
        if (message instanceof SessionMessage.Subscribe subscribe) {
            subscribe(from, subscribe);
        } else if (message instanceof SessionMessage.Leave leave) {
            leave(from, leave.hop(), false);
        } else if (message instanceof SessionMessage.Unsubscribe unsubscribe) {
            leave(from, unsubscribe.hop(), true);
        }
    }

    private void leave(HopSession from, int hop, boolean forGood) {
        from.detachSender(hop);
        links.entrySet().removeIf(entry -> {
            Linked linked = entry.getValue();
            boolean same = linked.hop() == hop;
            if (same) {
                relay.subscriptions().unlink(entry.getKey(), linked.link());
                calls.left(linked.answers(), linked.topic());
                if (forGood && linked.topic().isOfReplies()) {
                    recordWritten();
                    relay.subscriptions().unsubscribe(entry.getKey(), unused -> {});
                }
            }
            return same;
        });
        holdToRate(from);
    }

    /** A session is held to what its subscriptions together may get, if each has a limit; a node that delivers has one subscription. */
    private void holdToRate(HopSession from) {
        boolean limited = links.values().stream().allMatch(each -> each.maxRateBytesPerSecond() > 0);
        from.session()
                .limitRate(
                        limited
                                ? links.values().stream()
                                        .mapToLong(Linked::maxRateBytesPerSecond)
                                        .sum()
                                : 0);
    }

    private void subscribe(HopSession from, SessionMessage.Subscribe request) {
        SubscriptionTerms terms;
        Ownership ownership;
        try {
            terms = SubscriptionTerms.of(request.terms());
            ownership = Ownership.of(rights.access().peer().principal());
        } catch (IllegalArgumentException e) {
            Refusal unknown = new Refusal(ErrorCode.NOT_ALLOWED, "at the broker " + e.getMessage());
            refuse(from, request.hop(), unknown);
            return;
        }
        SubscriptionSpec spec;
        try {
            spec = new SubscriptionSpec(
                            request.name(), request.topic(), node(), request.startAt(), request.ackLevel(), terms)
                    .with(ownership);
        } catch (IllegalArgumentException e) {
            from.session().close("malformed subscription: " + e.getMessage());
            return;
        }
        Refusal refusal = rights.whyNotSubscribe(spec, relay.subscriptions());
        if (refusal != null) {
            refuse(from, request.hop(), refusal);
            return;
        }
        boolean isNew = relay.subscriptions().topic(spec.name()) == null;
        Refusal tooMany = isNew ? whyNoMoreSubscriptions() : null;
        if (tooMany != null) {
            rights.note("subscribe", spec.name(), tooMany.detail());
            refuse(from, request.hop(), tooMany);
            return;
        }
        boolean taken = links.entrySet().stream()
                .anyMatch(each ->
                        each.getValue().hop() == request.hop() && !each.getKey().equals(spec.name()));
        if (taken) {
            from.session().close("malformed subscription: hop " + request.hop() + " has another one");
            return;
        }
        recordWritten();
        HopLink link = from.link(request.hop());
        HopSender sender = relay.subscriptions().subscribe(spec, link, outcome -> answer(from, request, outcome));
        if (sender != null) {
            // Each member of a group answers by itself.
            String answers = spec.name()
                    + terms.member().map(member -> MEMBER_SEPARATOR + member).orElse("");
            Linked before = links.put(
                    spec.name(), new Linked(request.hop(), link, spec.topic(), terms.maxRateBytesPerSecond(), answers));
            if (before != null && !before.answers().equals(answers)) {
                calls.left(before.answers(), before.topic());
            }
            holdToRate(from);
            from.attach(request.hop(), sender);
        }
    }

    private void recordWritten() {
        PrincipalUse current = use;
        if (current != null) {
            current.recordWritten();
        }
    }

    private void refuse(HopSession from, int hop, Refusal refusal) {
        refused();
        from.send(new SessionMessage.NotSubscribed(hop, refusal));
    }

    private void refused() {
        PrincipalUse current = use;
        if (current != null) {
            current.refused(1);
        }
    }

    private @Nullable Refusal whyNoMoreSubscriptions() {
        PrincipalUse current = use;
        return current == null ? null : current.whyNoSubscription(sessions.subscriptionsOf(current));
    }

    private void answer(HopSession from, SessionMessage.Subscribe request, Outcome<SubscriptionSpec> outcome) {
        if (session == null) {
            return;
        }
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            if (!refusal.code().retriable()) {
                rights.note(Right.SUBSCRIBE.word(), request.topic().name(), refusal.detail());
            }
            refuse(from, request.hop(), refusal);
            return;
        }
        from.send(new SessionMessage.Subscribed(request.hop()));
        Linked linked = links.get(request.name());
        if (linked != null && linked.hop() == request.hop()) { // it has not left meanwhile
            Refusal notServing = request.serving() == ServingMode.SERVES ? rights.whyNotServe(request.topic()) : null;
            if (notServing != null) {
                from.send(new SessionMessage.NotServing(request.hop(), notServing));
            }
            long since = outcome.get().ownership().sinceEpochMillis();
            CallServerCandidate offer =
                    new CallServerCandidate(request.serving(), rights.mayServe(request.topic()), since);
            calls.connected(linked.answers(), request.topic(), offer, from.calls());
        }
    }

    @Override
    public void onClosed(HopSession gone, PtcpException cause) {
        LOG.atInfo()
                .addKeyValue("node", node())
                .addKeyValue("reason", cause.getMessage())
                .log("session is over");
        rights.note("disconnect", node().toString(), String.valueOf(cause.getMessage()));
        release();
        session = null;
        sessions.closed(this);
    }

    boolean isOf(PtcpPeer other) {
        return from.principal().equals(other.principal());
    }

    private void release() {
        held.clear();
        if (publisher != null) {
            relay.publisherDisconnected(publisher);
            publisher = null;
        }
        if (use != null) {
            sessions.principals().sessionDown(node(), use);
            use = null;
        }
        links.forEach((name, linked) -> relay.subscriptions().unlink(name, linked.link()));
        links.clear();
    }
}
