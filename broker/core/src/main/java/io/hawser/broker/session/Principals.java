package io.hawser.broker.session;

import io.hawser.core.access.Identity;
import io.hawser.core.access.PrincipalLimits;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.model.NodeId;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The principals that have sessions: certificate subjects or, without TLS, addresses. All sessions of one principal share its
 * limits.
 *
 * <p>Thread: the relay's loop.
 */
public final class Principals {
    /** So many are remembered, so that what one has used up does not come back with a new session. */
    private static final int MAX_REMEMBERED = 1024;

    private final int poolBuffers;
    private final LongSupplier steadyNanos;
    private final Map<String, PrincipalUse> byKey = new LinkedHashMap<>();
    /** Of nodes without a certificate, where they came from; nodes with one are bound to it. */
    private final Map<NodeId, String> nodes = new HashMap<>();

    /**
     * @param poolBuffers how many buffers there are for what comes in
     * @param steadyNanos a clock that is never set
     */
    public Principals(int poolBuffers, LongSupplier steadyNanos) {
        this.poolBuffers = poolBuffers;
        this.steadyNanos = steadyNanos;
    }

    /** How it is called for people. */
    static String name(Identity identity, SocketAddress from) {
        return identity.isKnown() ? identity.text() : host(from);
    }

    private static String host(SocketAddress from) {
        return from instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : from.toString();
    }

    private static String key(Identity identity, SocketAddress from) {
        return identity.isKnown() ? identity.principal() : host(from);
    }

    /** Whether a peer may make a session now; if not, it may later. */
    boolean mayConnect(Identity identity, SocketAddress from) {
        PrincipalUse use = byKey.get(key(identity, from));
        return use == null || use.mayConnect();
    }

    void connectRefused(Identity identity, SocketAddress from) {
        PrincipalUse use = byKey.get(key(identity, from));
        if (use != null) {
            use.connectRefused();
        }
    }

    PrincipalUse sessionUp(NodeId node, Identity identity, SocketAddress from, PrincipalLimits limits) {
        PrincipalUse use = byKey.computeIfAbsent(
                key(identity, from),
                unused -> new PrincipalUse(name(identity, from), limits, poolBuffers, steadyNanos));
        use.limits(limits);
        use.sessionUp();
        if (!identity.isKnown()) {
            nodes.put(node, host(from));
        }
        return use;
    }

    void sessionDown(NodeId node, PrincipalUse use) {
        use.sessionDown();
        if (byKey.size() > MAX_REMEMBERED) {
            byKey.values().removeIf(each -> each.sessions() == 0);
        }
        nodes.remove(node);
    }

    /** Whether a node without a certificate has a session from where {@code name} has. */
    boolean isFrom(NodeId node, String name) {
        return name.equals(nodes.get(node));
    }

    /** Those that have sessions. */
    public Collection<PrincipalUse> all() {
        return byKey.values().stream().filter(use -> use.sessions() > 0).toList();
    }
}
