package io.hawser.it.harness;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy behind which a node is at the end of a slow line: what comes downstream over all its connections together is no faster than
 * the rate, and little of it is buffered.
 *
 * <p>Thread: its own.
 */
public final class SlowLink implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;

    private final long bytesPerSecond;
    private final TcpProxy proxy;
    private long freeAtNanos = System.nanoTime();
    private long downstreamBytes;

    /** Listens on loopback; what connects there is connected with {@code target}. */
    public SlowLink(HostPort target, long bytesPerSecond) throws IOException {
        this.bytesPerSecond = bytesPerSecond;
        this.proxy = new TcpProxy(
                () -> target,
                BUFFER_BYTES / 4,
                BUFFER_BYTES,
                (near, piece, length, up) -> LockSupport.parkNanos(up ? 0 : nanosUntilPassed(length)));
    }

    public HostPort address() {
        return proxy.address();
    }

    /** What has come downstream so far. */
    public synchronized long downstreamBytes() {
        return downstreamBytes;
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }

    private synchronized long nanosUntilPassed(int length) {
        long now = System.nanoTime();
        downstreamBytes += length;
        freeAtNanos = Math.max(now, freeAtNanos) + length * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
        return freeAtNanos - now;
    }
}
