package io.hawser.ptcp;

import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The options of a socket. Timeouts, SO_LINGER and buffer sizes act; the others are only stored, because small writes leave at once and sessions have a heartbeat in any case.
 *
 * <p>Thread: any.
 */
final class SocketSettings {
    /** The default of both windows in bytes. */
    static final int DEFAULT_WINDOW_BYTES = 16 << 20;

    static final int LEAST_WINDOW_BYTES = 1 << 20;
    static final int MOST_WINDOW_BYTES = 64 << 20;

    private static final int MOST_TRAFFIC_CLASS = 255;
    private static final Map<SocketOption<?>, Integer> OF_SERVERS = Map.of(
            StandardSocketOptions.SO_RCVBUF, SocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
            StandardSocketOptions.IP_TOS, SocketOptions.IP_TOS);
    private static final Map<SocketOption<?>, Integer> OF_SOCKETS = Map.of(
            StandardSocketOptions.SO_RCVBUF, SocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF, SocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_KEEPALIVE, SocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_LINGER, SocketOptions.SO_LINGER,
            StandardSocketOptions.TCP_NODELAY, SocketOptions.TCP_NODELAY,
            StandardSocketOptions.IP_TOS, SocketOptions.IP_TOS);

    private final boolean isServer;
    private final Map<Integer, Object> kept = new ConcurrentHashMap<>();
    private volatile int timeoutMillis;
    private volatile int lingerSeconds = -1;
    private volatile int sendBytes = DEFAULT_WINDOW_BYTES;
    private volatile int receiveBytes = DEFAULT_WINDOW_BYTES;

    SocketSettings(boolean isServer) {
        this.isServer = isServer;
        kept.put(SocketOptions.SO_REUSEADDR, isServer);
        kept.put(SocketOptions.TCP_NODELAY, true);
        kept.put(SocketOptions.SO_KEEPALIVE, false);
        kept.put(SocketOptions.SO_OOBINLINE, false);
        kept.put(SocketOptions.IP_TOS, 0);
    }

    /** The settings of a connection that a server socket with these settings accepts. */
    SocketSettings ofAccepted() {
        SocketSettings accepted = new SocketSettings(false);
        accepted.receiveBytes = receiveBytes;
        return accepted;
    }

    /** The timeout of read and accept in nanoseconds. */
    long timeoutNanos() {
        int millis = timeoutMillis;
        return millis == 0 ? UninterruptibleWait.FOR_EVER : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** How many seconds a close waits for the peer; 0 drops undelivered bytes, -1 does not wait. */
    int lingerSeconds() {
        return lingerSeconds;
    }

    boolean reuseAddress() {
        return (Boolean) get(SocketOptions.SO_REUSEADDR);
    }

    /** The send window: the most bytes written and not received. */
    int sendWindow() {
        return sendBytes;
    }

    /** The receive window: the most bytes in flight or received, and not read. */
    int receiveWindow() {
        return receiveBytes;
    }

    void set(int id, Object value) throws SocketException {
        switch (id) {
            case SocketOptions.SO_TIMEOUT -> timeoutMillis = atLeast(0, value, "SO_TIMEOUT");
            case SocketOptions.SO_LINGER ->
                lingerSeconds = Boolean.FALSE.equals(value) ? -1 : atLeast(-1, value, "SO_LINGER");
            case SocketOptions.SO_SNDBUF -> sendBytes = window(atLeast(1, value, "SO_SNDBUF"));
            case SocketOptions.SO_RCVBUF -> receiveBytes = window(atLeast(1, value, "SO_RCVBUF"));
            case SocketOptions.IP_TOS -> kept.put(id, atLeast(0, value, "IP_TOS"));
            default -> {
                Object before = kept.get(id);
                if (before == null) {
                    throw new SocketException("Unknown option " + id);
                } else if (!before.getClass().isInstance(value)) {
                    throw new SocketException("Bad value for option " + id);
                }
                kept.put(id, value);
            }
        }
    }

    Object get(int id) {
        return switch (id) {
            case SocketOptions.SO_TIMEOUT -> timeoutMillis;
            case SocketOptions.SO_LINGER -> lingerSeconds;
            case SocketOptions.SO_SNDBUF -> sendBytes;
            case SocketOptions.SO_RCVBUF -> receiveBytes;
            default -> kept.getOrDefault(id, false);
        };
    }

    Set<SocketOption<?>> supported() {
        return supportedIds().keySet();
    }

    <T> void set(SocketOption<T> option, T value) throws SocketException {
        int id = idOf(option);
        boolean fits =
                option.type().isInstance(value) && !(value instanceof Integer number && !isInRange(option, number));
        if (!fits) {
            throw new IllegalArgumentException("Invalid value '" + value + "' of " + option);
        }
        set(id, value);
    }

    <T> T get(SocketOption<T> option) {
        return option.type().cast(get(idOf(option)));
    }

    private Map<SocketOption<?>, Integer> supportedIds() {
        return isServer ? OF_SERVERS : OF_SOCKETS;
    }

    private int idOf(SocketOption<?> option) {
        Integer id = supportedIds().get(option);
        if (id == null) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
        return id;
    }

    private static boolean isInRange(SocketOption<?> option, int number) {
        if (option == StandardSocketOptions.IP_TOS) {
            return number >= 0 && number <= MOST_TRAFFIC_CLASS;
        }
        return option == StandardSocketOptions.SO_LINGER || number >= 0;
    }

    private static int atLeast(int least, Object value, String name) throws SocketException {
        if (!(value instanceof Integer number) || number < least) {
            throw new SocketException("Bad value for " + name);
        }
        return number;
    }

    private static int window(int wanted) {
        return Math.max(LEAST_WINDOW_BYTES, Math.min(MOST_WINDOW_BYTES, wanted));
    }
}
