package io.hawser.ops.keys;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.ptcp.PeerNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the connections of callers before they present a token. When there are too many, it closes the oldest, so that a caller that sends at once
 * gets through a flood of silent ones. It bars a network ({@link PeerNetwork}) with too many wrong tokens for a while.
 *
 * <p>Thread: any.
 */
final class JoinAdmission implements AutoCloseable {
    private static final int MAX_NETWORKS = 1024;
    private static final Logger LOG = LoggerFactory.getLogger(JoinAdmission.class);

    private final Limits limits;
    private final LongSupplier nanoClock;
    private final Map<Socket, ScheduledFuture<?>> open = new LinkedHashMap<>();
    private final Map<InetAddress, FailedAttempts> failed = new EvictingMap<>(MAX_NETWORKS);
    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("hawser-join-timer");

    /**
     * @param connections at once
     * @param ofOneAddress of these
     * @param timeout how long each may last
     * @param wrongTokens of one network, before it is barred
     * @param bar for how long
     */
    record Limits(int connections, int ofOneAddress, Duration timeout, int wrongTokens, Duration bar) {
        /** For a server that others can reach. */
        static final Limits DEFAULT = new Limits(32, 8, Duration.ofSeconds(10), 10, Duration.ofMinutes(1));
    }

    private record FailedAttempts(int count, long lastNanos) {}

    JoinAdmission(Limits limits) {
        this(limits, System::nanoTime);
    }

    JoinAdmission(Limits limits, LongSupplier nanoClock) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        timer.setRemoveOnCancelPolicy(true); // otherwise a closed connection would be kept until its deadline
    }

    Limits limits() {
        return limits;
    }

    /** Admits a caller, or closes its connection; whether it is admitted. */
    synchronized boolean admit(Socket caller) {
        InetAddress address = caller.getInetAddress();
        long same = open.keySet().stream()
                .filter(each -> address.equals(each.getInetAddress()))
                .count();
        if (timer.isShutdown() || isBarred(address)) {
            close(caller);
            return false;
        }
        if (same >= limits.ofOneAddress()) {
            closeOldest(address);
        } else if (open.size() >= limits.connections()) {
            closeOldest(null);
        }
        open.put(caller, timer.schedule(() -> left(caller), limits.timeout().toMillis(), TimeUnit.MILLISECONDS));
        return true;
    }

    private void closeOldest(@Nullable InetAddress of) {
        open.keySet().stream()
                .filter(each -> of == null || of.equals(each.getInetAddress()))
                .findFirst()
                .ifPresent(this::left);
    }

    /** The connection has ended, or has lasted too long. */
    synchronized void left(Socket caller) {
        ScheduledFuture<?> deadline = open.remove(caller);
        if (deadline != null) {
            deadline.cancel(false);
        }
        close(caller);
    }

    /** A caller at that address has presented no valid token. */
    synchronized void countWrongToken(InetAddress address) {
        InetAddress network = PeerNetwork.of(address);
        FailedAttempts before = failed.remove(network);
        int count = before == null || isOver(before) ? 1 : before.count() + 1;
        failed.put(
                network,
                new FailedAttempts(
                        count, nanoClock.getAsLong())); // at the end, so that the first is the least recently used
        if (count == limits.wrongTokens()) {
            LOG.atWarn()
                    .addKeyValue("from", address.getHostAddress())
                    .addKeyValue("tries", count)
                    .log("too many wrong tokens from one network; refusing its connections for a while");
        }
    }

    private boolean isOver(FailedAttempts entry) {
        return nanoClock.getAsLong() - entry.lastNanos() >= limits.bar().toNanos();
    }

    /** Whether callers from there are refused. */
    synchronized boolean isBarred(InetAddress address) {
        FailedAttempts entry = failed.get(PeerNetwork.of(address));
        return entry != null && entry.count() >= limits.wrongTokens() && !isOver(entry);
    }

    synchronized int open() {
        return open.size();
    }

    int deadlines() {
        return timer.getQueue().size();
    }

    private static void close(Socket caller) {
        try {
            caller.close();
        } catch (IOException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("closing a caller's connection failed");
        }
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
        List<Socket> all = new ArrayList<>(open.keySet());
        all.forEach(this::left);
    }
}
