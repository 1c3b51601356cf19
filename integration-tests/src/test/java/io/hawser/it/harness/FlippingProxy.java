package io.hawser.it.harness;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy that flips single bits of what goes upstream: one in each {@code everyBytes}, as long as flips are left.
 *
 * <p>Thread: its own.
 */
public final class FlippingProxy implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;

    private final long everyBytes;
    private final AtomicInteger flipsLeft;
    private final AtomicInteger flips = new AtomicInteger();
    private final AtomicLong upstreamBytes = new AtomicLong();
    private final TcpProxy proxy;

    public FlippingProxy(HostPort target, long everyBytes, int flips) throws IOException {
        this.everyBytes = everyBytes;
        this.flipsLeft = new AtomicInteger(flips);
        this.proxy = new TcpProxy(() -> target, PIECE_BYTES, 0, (near, piece, length, up) -> {
            if (up) {
                flip(piece, length);
            }
        });
    }

    public HostPort address() {
        return proxy.address();
    }

    /** How many bits were flipped so far. */
    public int flips() {
        return flips.get();
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }

    private void flip(byte[] buffer, int length) {
        long after = upstreamBytes.addAndGet(length);
        // Only in a full buffer, and in its middle: a bit of the payload, not of a small control message.
        if (length == buffer.length && after / everyBytes > flips.get() && flipsLeft.getAndDecrement() > 0) {
            flips.incrementAndGet();
            buffer[length / 2] ^= 0x10;
        }
    }
}
