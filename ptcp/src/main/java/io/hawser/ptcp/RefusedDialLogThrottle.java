package io.hawser.ptcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Suppresses repeated log lines about refused connections, because a peer without the right keys dials again every few seconds. Passes the first of a network ({@link PeerNetwork}) and cause, then one in {@value #REMINDER_MINUTES} minutes. Bounded.
 *
 * <p>Thread: the server's loop.
 */
public final class RefusedDialLogThrottle {
    private static final int MAX_KNOWN = 256;
    private static final int REMINDER_MINUTES = 10;
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(REMINDER_MINUTES);

    private record Refused(Object network, String cause) {}

    private static final class LoggedRefusal {
        private final long atNanos;
        private int unsaid;

        LoggedRefusal(long atNanos) {
            this.atNanos = atNanos;
        }
    }

    private final Map<Refused, LoggedRefusal> logged = new LinkedHashMap<>();

    /**
     * A connection was refused.
     *
     * @return how many were suppressed before this one; -1 if this one is suppressed too
     */
    public int refused(SocketAddress from, String cause, long nowNanos) {
        Refused key = new Refused(network(from), cause);
        LoggedRefusal before = logged.get(key);
        if (before != null && nowNanos - before.atNanos < REMINDER_NANOS) {
            before.unsaid++;
            return -1;
        }
        logged.put(key, new LoggedRefusal(nowNanos));
        if (logged.size() > MAX_KNOWN) {
            logged.remove(logged.keySet().iterator().next());
        }
        return before == null ? 0 : before.unsaid;
    }

    /** Without the port, which differs at each attempt. */
    private static Object network(SocketAddress address) {
        InetAddress host = address instanceof InetSocketAddress inet ? inet.getAddress() : null;
        return host == null ? address : PeerNetwork.of(host);
    }
}
