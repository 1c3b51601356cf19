package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import io.hawser.it.harness.TcpProxy;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A link: a TCP proxy that can be cut, reset, throttled and made a black hole. Thread: any. */
final class ChaosProxy implements AutoCloseable, TcpProxy.Gate {
    private static final int PIECE_BYTES = 64 << 10;
    private static final long LOOK_NANOS = 10_000_000;
    /** How long the near side still sends into connections that will be outdated. */
    private static final long HOLD_NANOS = 200_000_000;

    private final String name;
    private final TcpProxy proxy;
    /** Near ends of connections in which nothing passes until {@link #heal}. */
    private final Set<Socket> outdated = ConcurrentHashMap.newKeySet();

    private volatile boolean cut;
    private volatile boolean blackHole;
    /** For each direction of each connection; 0 is no limit. */
    private volatile long bytesPerSecond;

    private volatile boolean closed;

    /** @param target asked for each connection */
    ChaosProxy(String name, Supplier<HostPort> target) throws IOException {
        this.name = name;
        proxy = new TcpProxy(target, PIECE_BYTES, 0, this);
    }

    String name() {
        return name;
    }

    HostPort address() {
        return proxy.address();
    }

    void cut() {
        cut = true;
        proxy.endAll(false);
    }

    void blackHole() {
        blackHole = true;
    }

    void reset() {
        proxy.endAll(true);
    }

    /**
     * Resets the connections at the near side only; what was on its way to the broker waits here in the old ones, and reaches it after
     * {@link #heal}, when new ones are up.
     */
    void outdate() {
        outdated.addAll(proxy.connections());
        LockSupport.parkNanos(HOLD_NANOS);
        outdated.forEach(near -> proxy.end(near, true));
    }

    void throttle(long limitBytesPerSecond) {
        bytesPerSecond = limitBytesPerSecond;
    }

    /** Everything passes again. */
    void heal() {
        cut = false;
        blackHole = false;
        bytesPerSecond = 0;
        outdated.clear();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        proxy.close();
    }

    @Override
    public boolean admits() {
        return !cut;
    }

    @Override
    public void pass(Socket near, byte[] piece, int length, boolean up) {
        awaitPassage(near);
        long limit = bytesPerSecond;
        if (limit > 0) {
            LockSupport.parkNanos(length * 1_000_000_000L / limit);
        }
    }

    /** The broker's end of an outdated connection stays up. */
    @Override
    public void end(Socket near) {
        awaitPassage(near);
    }

    private void awaitPassage(Socket near) {
        while ((blackHole || outdated.contains(near)) && !closed) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
