package io.hawser.ptcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides which refused connections are worth a line in the log: a peer without the right keys dials again every few seconds and
 * fails in the same way. The first of an address and cause is, and then one in {@value #REMINDER_MINUTES} minutes. Bounded.
 *
 * <p>Thread: the server's loop.
 */
final class RefusedAddresses {
    private static final int MAX_KNOWN = 256;
    private static final int REMINDER_MINUTES = 10;
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(REMINDER_MINUTES);

    private record Refused(Object address, String cause) {}

    private static final class Said {
        private final long atNanos;
        private int unsaid;

        Said(long atNanos) {
            this.atNanos = atNanos;
        }
    }

    private final Map<Refused, Said> known = new LinkedHashMap<>();

    /**
     * A connection was refused.
     *
     * @return how many like it were not said before this one, which is to be said; -1 if this one is not
     */
    int refused(SocketAddress from, String cause, long nowNanos) {
        Refused key = new Refused(host(from), cause);
        Said before = known.get(key);
        if (before != null && nowNanos - before.atNanos < REMINDER_NANOS) {
            before.unsaid++;
            return -1;
        }
        known.put(key, new Said(nowNanos));
        if (known.size() > MAX_KNOWN) {
            known.remove(known.keySet().iterator().next());
        }
        return before == null ? 0 : before.unsaid;
    }

    /** Without the port, which is another one each time. */
    private static Object host(SocketAddress address) {
        InetAddress host = address instanceof InetSocketAddress inet ? inet.getAddress() : null;
        return host == null ? address : host;
    }
}
