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
 * The connections of a server, and which of them have to go when there are too many: of those that it waits for, because they say nothing, half of
 * a request, or do not read, the one that it has waited for longest.
 *
 * <p>Thread: the server's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that is closed says so by channelInactive
final class OpenConnections {
    private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);
    private static final long FLOOD_TOLD_EVERY_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final int limit;
    private final Set<Channel> open = new HashSet<>();
    private final PendingConnections<Channel> waiting;
    private long evicted;
    private long floodToldNanos;

    OpenConnections(HttpLimits limits) {
        limit = limits.connections();
        waiting = new PendingConnections<>(limit, limits.connectionsOfAddress());
    }

    /** A new one, which is waited for. It is closed if the server works for as many as there may be. */
    void opened(Channel channel) {
        open.add(channel);
        waitsFor(channel);
        if (open.size() > limit) {
            evict(waiting.evictOldest());
        }
    }

    /** The server can do nothing for it until the peer sends or reads something. It is the youngest of these again. */
    void waitsFor(Channel channel) {
        waiting.remove(channel);
        evict(waiting.add(channel, channel.remoteAddress()));
    }

    /** The peer waits for the server. */
    void worksFor(Channel channel) {
        waiting.remove(channel);
    }

    void closed(Channel channel) {
        waiting.remove(channel);
        open.remove(channel);
    }

    /** Closes all of them. */
    void closeAll() {
        List.copyOf(open).forEach(Channel::close);
    }

    private void evict(@Nullable Channel oldest) {
        if (oldest != null) {
            tellOfFlood(oldest);
            closed(oldest);
            oldest.pipeline().firstContext().close(); // past TLS, which would first wait until it has said goodbye
        }
    }

    /** One line for many connections: a log that a flood fills is the flood's work, too. */
    private void tellOfFlood(Channel oldest) {
        evicted++;
        long now = System.nanoTime();
        if (evicted == 1 || now - floodToldNanos >= FLOOD_TOLD_EVERY_NANOS) {
            LOG.atWarn()
                    .addKeyValue("remote", oldest.remoteAddress())
                    .addKeyValue("closed", evicted)
                    .log("too many HTTP connections; the oldest silent ones are closed");
            floodToldNanos = now;
        }
    }
}
