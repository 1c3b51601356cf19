package io.hawser.agenta.account;

import io.hawser.core.collection.EvictingMap;
import io.hawser.ptcp.PeerNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;

/**
 * Counts wrong passwords by network ({@link PeerNetwork}), whatever connection or user they came by: after a number of them no further one
 * of that network is looked at for a while (RFC 2577 section 5). It knows a bounded number of networks and forgets the oldest.
 *
 * <p>Thread: the loop.
 */
public final class LoginGuard {
    private static final int MAX_NETWORKS = 4096;

    private final int maxFailures;
    private final long barNanos;
    private final Map<InetAddress, Failures> byNetwork = EvictingMap.leastRecentlyUsed(MAX_NETWORKS);

    /** Wrong passwords, and when the last one came. */
    private record Failures(int count, long lastNanos) {}

    public LoginGuard(int maxFailures, Duration barred) {
        this.maxFailures = maxFailures;
        this.barNanos = barred.toNanos();
    }

    /** A wrong password came from there. */
    public void failed(InetAddress address, long nowNanos) {
        InetAddress network = PeerNetwork.of(address);
        int before = count(network, nowNanos);
        byNetwork.put(network, new Failures(before + 1, nowNanos));
    }

    /** Whether nothing more is to be checked for that address now. */
    public boolean isBarred(InetAddress address, long nowNanos) {
        return count(PeerNetwork.of(address), nowNanos) >= maxFailures;
    }

    private int count(InetAddress network, long nowNanos) {
        Failures failures = byNetwork.get(network);
        if (failures == null) {
            return 0;
        }
        if (nowNanos - failures.lastNanos > barNanos) {
            byNetwork.remove(network);
            return 0;
        }
        return failures.count;
    }
}
