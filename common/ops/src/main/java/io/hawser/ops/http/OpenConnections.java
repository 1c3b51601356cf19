package io.hawser.ops.http;

import io.hawser.ptcp.PendingConnections;
import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the connections of a server and evicts one when there are too many: the oldest of those that wait for their peer, because it sends nothing,
 * half a request, or does not read.
 *
 * <p>Thread: the server's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that is closed says so by channelInactive
final class OpenConnections {
    private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);
    private static final long FLOOD_LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final int limit;
    private final Set<Channel> open = new HashSet<>();
    private final PendingConnections<Channel> pending;
    private long evicted;
    private long floodLoggedNanos;

    OpenConnections(HttpLimits limits) {
        limit = limits.connections();
        pending = new PendingConnections<>(limit, limits.connectionsOfAddress());
    }

    /** Adds a connection, which waits for its peer. Closes it if requests occupy all others. */
    void opened(Channel channel) {
        open.add(channel);
        waitsForPeer(channel);
        if (open.size() > limit) {
            evict(pending.evictOldest());
        }
    }

    /** The connection waits until its peer sends or reads something; it is the youngest of these again. */
    void waitsForPeer(Channel channel) {
        assert channel.eventLoop().inEventLoop();
        pending.remove(channel);
        evict(pending.add(channel, channel.remoteAddress()));
    }

    /** The peer waits for the server: the connection cannot be evicted. */
    void waitsForServer(Channel channel) {
        pending.remove(channel);
    }

    void closed(Channel channel) {
        pending.remove(channel);
        open.remove(channel);
    }

    void closeAll() {
        List.copyOf(open).forEach(Channel::close);
    }

    private void evict(@Nullable Channel oldest) {
        if (oldest != null) {
            logFlood(oldest);
            closed(oldest);
            oldest.pipeline().firstContext().close(); // bypasses TLS, which would wait for close_notify
        }
    }

    /** Logs at most once a minute, so that a flood cannot fill the log. */
    private void logFlood(Channel oldest) {
        evicted++;
        long now = System.nanoTime();
        if (evicted == 1 || now - floodLoggedNanos >= FLOOD_LOG_INTERVAL_NANOS) {
            LOG.atWarn()
                    .addKeyValue("remote", oldest.remoteAddress())
                    .addKeyValue("closed", evicted)
                    .log("too many HTTP connections; closing the oldest silent ones");
            floodLoggedNanos = now;
        }
    }
}
