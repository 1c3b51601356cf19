package io.hawser.it.harness;

import io.hawser.common.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy that flips single bits of what goes upstream: one in each {@code everyBytes}, as long as flips are left.
 *
 * <p>Thread: its own.
 */
public final class FlippingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final HostPort target;
    private final long everyBytes;
    private final AtomicInteger flipsLeft;
    private final AtomicInteger flips = new AtomicInteger();
    private final AtomicLong upstreamBytes = new AtomicLong();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    public FlippingProxy(HostPort target, long everyBytes, int flips) throws IOException {
        this.target = target;
        this.everyBytes = everyBytes;
        this.flipsLeft = new AtomicInteger(flips);
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread("accept", this::accept);
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    /** How many bits were flipped so far. */
    public int flips() {
        return flips.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = listener.accept();
            Socket far = new Socket(target.host(), target.port());
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            sockets.add(near);
            sockets.add(far);
            thread("up", () -> copy(near, far, true));
            thread("down", () -> copy(far, near, false));
        }
    }

    private void copy(Socket from, Socket to, boolean upstream) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 * 1024];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (upstream) {
                    flip(buffer, length);
                }
                out.write(buffer, 0, length);
            }
        }
    }

    private void flip(byte[] buffer, int length) {
        long after = upstreamBytes.addAndGet(length);
        // Only in a full buffer, and in its middle: a bit of the payload, not of a small control message.
        if (length == buffer.length && after / everyBytes > flips.get() && flipsLeft.getAndDecrement() > 0) {
            flips.incrementAndGet();
            buffer[length / 2] ^= 0x10;
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void thread(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // A side went away, as sides do.
                        return;
                    }
                },
                "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
