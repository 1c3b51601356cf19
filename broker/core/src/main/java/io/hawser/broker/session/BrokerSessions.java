package io.hawser.broker.session;

import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.Relay;
import io.hawser.core.access.Access;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.NodeId;
import io.hawser.core.transport.HopSession;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.MalformedMessageException;
import io.hawser.ptcp.PtcpPeer;
import io.hawser.ptcp.PtcpServer;
import io.hawser.ptcp.SessionAdmission;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts or refuses the sessions of agents and applications, and keeps those that are up. A node has one session: a newer one (by epoch) ends the older, and a late older
 * one is refused.
 *
 * <p>Thread: the relay's loop.
 */
public final class BrokerSessions implements SessionAdmission {
    /** When a peer that makes sessions too fast is looked at again. */
    private static final long LATER_MILLIS = 200;

    private final Relay relay;
    private final CallRelay calls;
    private final FragmentBufferPool pool;
    private final Greeting own;
    private final PeerAuthorizer authorizer;
    private final Map<NodeId, BrokerSession> byNode = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Principals principals;

    /** Creates the acceptor of a broker that greets with {@code own}. */
    public BrokerSessions(
            Relay relay,
            CallRelay calls,
            FragmentBufferPool pool,
            Greeting own,
            PeerAuthorizer authorizer,
            Principals principals) {
        this.principals = principals;
        this.authorizer = authorizer;
        this.relay = relay;
        this.calls = calls;
        this.pool = pool;
        this.own = own;
        relay.subscriptions().onChangeApplied(node -> of(node).ifPresent(BrokerSession::changeApplied));
        relay.receipts().onNotOwed((node, receipt) -> of(node).ifPresent(session -> session.receiptNotOwed(receipt)));
    }

    @Override
    public Answer accept(byte[] greeting, String principal, SocketAddress remoteAddress) {
        throw new UnsupportedOperationException("certificates count here, not their subjects");
    }

    @Override
    public Answer accept(byte[] greeting, PtcpPeer from) {
        Greeting peer;
        try {
            peer = Greeting.decode(greeting);
        } catch (MalformedMessageException e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
        Access access = authorizer.access(from.certificate());
        SessionRights rights = new SessionRights(access, peer.node(), from.address(), authorizer.audit());
        Optional<String> refusal = authorizer.whyNot(from.certificate(), peer);
        if (refusal.isPresent()) {
            rights.note("connect", peer.node().toString(), refusal.get());
            return new Refused(refusal.get());
        }
        if (!principals.mayConnect(access.peer(), from.address())) {
            return new Later(
                    new CompletableFuture<String>().completeOnTimeout("", LATER_MILLIS, TimeUnit.MILLISECONDS));
        }
        BrokerSession older = byNode.get(peer.node());
        if (older != null && older.epoch() > peer.epoch()) {
            return new Refused("a newer session of node " + peer.node()
                    + " is up: is a second process using a copy of its data directory?");
        }
        boolean replaces = older != null && older.isOf(from);
        Refusal tooMany = PrincipalUse.whyNoSession(
                Principals.name(access.peer(), from.address()),
                from.sessions() - (replaces ? 1 : 0),
                PtcpServer.MAX_SESSIONS - byNode.size(),
                authorizer.limits(from.certificate()));
        if (tooMany != null) {
            rights.note("connect", peer.node().toString(), tooMany.detail());
            principals.connectRefused(access.peer(), from.address());
            return new Refused(tooMany.detail());
        }
        Optional<CompletionStage<String>> binding = authorizer.bind(from.certificate(), peer);
        if (binding.isPresent()) {
            return new Later(binding.get());
        }
        return new Accepted(
                own.encode(), new HopSession(pool, new BrokerSession(this, relay, calls, peer, from, rights)));
    }

    public Principals principals() {
        return principals;
    }

    /** Decides which nodes are admitted. */
    PeerAuthorizer authorizer() {
        return authorizer;
    }

    /** The session is up: it takes the place of an older one of the same node. */
    void opened(BrokerSession session) {
        BrokerSession older = byNode.put(session.node(), session);
        count.set(byNode.size());
        if (older != null) {
            older.end("a newer session of this node has taken over");
        }
    }

    void closed(BrokerSession session) {
        byNode.remove(session.node(), session);
        count.set(byNode.size());
    }

    public Optional<BrokerSession> of(NodeId node) {
        return Optional.ofNullable(byNode.get(node));
    }

    /** The number of a principal's subscriptions, with or without a connected consumer, as far as their owner is known. */
    public long subscriptionsOf(PrincipalUse use) {
        return relay.subscriptions()
                .count(node ->
                        authorizer.identity(node).text().equals(use.name()) || principals.isFrom(node, use.name()));
    }

    /** How many sessions are up. Any thread. */
    public int count() {
        return count.get();
    }

    /** How many sessions of each role are up. */
    public Map<Greeting.Role, Integer> countByRole() {
        Map<Greeting.Role, Integer> counts = new EnumMap<>(Greeting.Role.class);
        byNode.values().forEach(session -> counts.merge(session.role(), 1, Integer::sum));
        return counts;
    }

    /** Ends the sessions whose rights have changed. */
    public void recheck() {
        List.copyOf(byNode.values()).forEach(session -> session.recheck(authorizer));
    }

    /** Time passes: call it every 100 ms. */
    public void tick() {
        byNode.values().forEach(BrokerSession::tick);
    }
}
