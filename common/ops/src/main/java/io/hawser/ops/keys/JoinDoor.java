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
 * Bounds what callers cost who have shown no token yet. When there are too many, the eldest goes: who speaks at once gets in through a flood
 * of those who do not. A network ({@link PeerNetwork}) that has shown too many wrong tokens is not listened to for a while.
 *
 * <p>Thread: any.
 */
final class JoinDoor implements AutoCloseable {
    private static final int ADDRESSES = 1024;
    private static final Logger LOG = LoggerFactory.getLogger(JoinDoor.class);

    private final Limits limits;
    private final LongSupplier nanoClock;
    private final Map<Socket, ScheduledFuture<?>> inside = new LinkedHashMap<>();
    private final Map<InetAddress, Wrong> wrong = new EvictingMap<>(ADDRESSES);
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.named("hawser-join-timer"));

    /**
     * The bounds.
     *
     * @param connections at once
     * @param ofOneAddress of these
     * @param patience how long each may last, from its first byte to its last
     * @param wrongTokens of one address, before it is shut out
     * @param shut for how long
     */
    record Limits(int connections, int ofOneAddress, Duration patience, int wrongTokens, Duration shut) {
        /** For a server that others can reach. */
        static final Limits DEFAULT = new Limits(32, 8, Duration.ofSeconds(10), 10, Duration.ofMinutes(1));
    }

    private record Wrong(int count, long lastNanos) {}

    JoinDoor(Limits limits) {
        this(limits, System::nanoTime);
    }

    JoinDoor(Limits limits, LongSupplier nanoClock) {
        this.limits = limits;
        this.nanoClock = nanoClock;
        timer.setRemoveOnCancelPolicy(true); // or who has left would be kept until his deadline
    }

    Limits limits() {
        return limits;
    }

    /** Takes a caller in; who is not is closed. */
    synchronized boolean admit(Socket caller) {
        InetAddress address = caller.getInetAddress();
        long same = inside.keySet().stream()
                .filter(each -> address.equals(each.getInetAddress()))
                .count();
        if (timer.isShutdown() || isShut(address)) {
            shut(caller);
            return false;
        }
        if (same >= limits.ofOneAddress()) {
            eldest(address);
        } else if (inside.size() >= limits.connections()) {
            eldest(null);
        }
        inside.put(caller, timer.schedule(() -> left(caller), limits.patience().toMillis(), TimeUnit.MILLISECONDS));
        return true;
    }

    private void eldest(@Nullable InetAddress of) {
        inside.keySet().stream()
                .filter(each -> of == null || of.equals(each.getInetAddress()))
                .findFirst()
                .ifPresent(this::left);
    }

    /** It is over, or has lasted too long. */
    synchronized void left(Socket caller) {
        ScheduledFuture<?> deadline = inside.remove(caller);
        if (deadline != null) {
            deadline.cancel(false);
        }
        shut(caller);
    }

    /** That address has shown something else than a token that holds. */
    synchronized void wasWrong(InetAddress address) {
        InetAddress network = PeerNetwork.of(address);
        Wrong before = wrong.remove(network);
        int count = before == null || isOver(before) ? 1 : before.count() + 1;
        wrong.put(
                network,
                new Wrong(
                        count, nanoClock.getAsLong())); // behind the others: the first is the one heard of least lately
        if (count == limits.wrongTokens()) {
            LOG.atWarn()
                    .addKeyValue("from", address.getHostAddress())
                    .addKeyValue("tries", count)
                    .log("an address shows wrong tokens; it is not listened to for a while");
        }
    }

    private boolean isOver(Wrong entry) {
        return nanoClock.getAsLong() - entry.lastNanos() >= limits.shut().toNanos();
    }

    /** Whether callers from there are sent away. */
    synchronized boolean isShut(InetAddress address) {
        Wrong entry = wrong.get(PeerNetwork.of(address));
        return entry != null && entry.count() >= limits.wrongTokens() && !isOver(entry);
    }

    /** How many it has taken in that have not left. */
    synchronized int inside() {
        return inside.size();
    }

    /** Of how many addresses it remembers wrong tokens. */
    synchronized int remembered() {
        return wrong.size();
    }

    /** How many deadlines are waited for. */
    int deadlines() {
        return timer.getQueue().size();
    }

    private static void shut(Socket caller) {
        try {
            caller.close();
        } catch (IOException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("a caller's connection was broken already");
        }
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
        List<Socket> all = new ArrayList<>(inside.keySet());
        all.forEach(this::left);
    }
}
