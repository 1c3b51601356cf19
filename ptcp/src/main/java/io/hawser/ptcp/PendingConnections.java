package io.hawser.ptcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bounded set of connections that a server may evict: of peers that have not authenticated, or whose session is still missing. An address that has too many loses its own oldest. When there are too many in all, the address with the most loses its
 * oldest, so a flood from one address evicts only its own connections, and a slow handshake from another completes. Of IPv6 a /64 counts as
 * one address ({@link PeerNetwork}).
 *
 * @param <C> a connection
 *
 * <p>Thread: the server's loop.
 */
public final class PendingConnections<C> {
    private final int limit;
    private final int limitOfAddress;
    private final Map<C, Object> sources = new HashMap<>();
    /** By address, the oldest first. */
    private final Map<Object, Set<C>> bySource = new LinkedHashMap<>();

    PendingConnections(int limit) {
        this(limit, limit);
    }

    /**
     * @param limit connections in all
     * @param limitOfAddress of these, from one address
     */
    public PendingConnections(int limit, int limitOfAddress) {
        this.limit = limit;
        this.limitOfAddress = limitOfAddress;
    }

    /** Adds a connection; returns the one that is evicted for it, or null. */
    public @Nullable C add(C connection, @Nullable SocketAddress from) {
        Object source = source(from);
        sources.put(connection, source);
        Set<C> ofSource = bySource.computeIfAbsent(source, unused -> new LinkedHashSet<>());
        ofSource.add(connection);
        if (ofSource.size() > limitOfAddress) {
            return removeOldest(ofSource);
        }
        return sources.size() > limit ? evictOldest() : null;
    }

    /** Evicts the oldest of the address that has the most; null if none is pending. */
    public @Nullable C evictOldest() {
        Set<C> most = Set.of();
        for (Set<C> each : bySource.values()) {
            if (each.size() > most.size()) {
                most = each;
            }
        }
        return most.isEmpty() ? null : removeOldest(most);
    }

    private C removeOldest(Set<C> ofSource) {
        C oldest = ofSource.iterator().next();
        remove(oldest);
        return oldest;
    }

    /** Removes a connection that authenticated or closed. */
    public void remove(C connection) {
        Object source = sources.remove(connection);
        Set<C> ofSource = source == null ? null : bySource.get(source);
        if (source != null && ofSource != null) {
            ofSource.remove(connection);
            if (ofSource.isEmpty()) {
                bySource.remove(source);
            }
        }
    }

    boolean contains(C connection) {
        return sources.containsKey(connection);
    }

    List<C> all() {
        return new ArrayList<>(sources.keySet());
    }

    /** What counts as one address: without the port, and of IPv6 the network. */
    static Object source(@Nullable SocketAddress from) {
        InetAddress host = from instanceof InetSocketAddress inet ? inet.getAddress() : null;
        return host == null ? "unknown" : PeerNetwork.of(host);
    }
}
