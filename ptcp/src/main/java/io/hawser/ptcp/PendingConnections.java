package io.hawser.ptcp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connections that have not said who they are. When there are too many, the address that has the most of them loses its oldest, so a flood from
 * one address evicts only its own, and a slow handshake from another is finished. Of IPv6 a /64 counts as one address.
 *
 * @param <C> a connection
 *
 * <p>Thread: the server's loop.
 */
final class PendingConnections<C> {
    private static final int IPV6_NETWORK_BYTES = 8;

    private final int limit;
    private final Map<C, Object> sources = new HashMap<>();
    /** By address, each in the order in which they came. */
    private final Map<Object, Set<C>> bySource = new LinkedHashMap<>();

    PendingConnections(int limit) {
        this.limit = limit;
    }

    /** One more; returns the one that has to go for it, which is no longer pending. */
    @Nullable
    C add(C connection, @Nullable SocketAddress from) {
        Object source = source(from);
        sources.put(connection, source);
        bySource.computeIfAbsent(source, unused -> new LinkedHashSet<>()).add(connection);
        if (sources.size() <= limit) {
            return null;
        }
        Set<C> most = Set.of();
        for (Set<C> each : bySource.values()) {
            if (each.size() > most.size()) {
                most = each;
            }
        }
        C oldest = most.iterator().next();
        remove(oldest);
        return oldest;
    }

    /** It has spoken, or is gone. */
    void remove(C connection) {
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
        if (host instanceof Inet6Address six) {
            return ByteBuffer.wrap(six.getAddress(), 0, IPV6_NETWORK_BYTES);
        }
        return host == null ? "unknown" : host;
    }
}
