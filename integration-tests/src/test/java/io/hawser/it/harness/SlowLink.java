package io.hawser.it.harness;

import io.hawser.common.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final ServerSocket listener;
    private final HostPort target;
    private final long bytesPerSecond;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private long freeAtNanos = System.nanoTime();
    private long downstreamBytes;

    /** Listens on loopback; what connects there is connected with {@code target}. */
    public SlowLink(HostPort target, long bytesPerSecond) throws IOException {
        this.target = target;
        this.bytesPerSecond = bytesPerSecond;
        listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        thread("accept", this::accept);
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    /** What has come downstream so far. */
    public synchronized long downstreamBytes() {
        return downstreamBytes;
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
            Socket far = new Socket();
            far.setReceiveBufferSize(BUFFER_BYTES); // before it connects, or the window is larger
            far.connect(new InetSocketAddress(target.host(), target.port()));
            sockets.add(near);
            sockets.add(far);
            thread("up", () -> copy(near, far, false));
            thread("down", () -> copy(far, near, true));
        }
    }

    private void copy(Socket from, Socket to, boolean slowly) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES / 4];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (slowly) {
                    LockSupport.parkNanos(nanosUntilThrough(length));
                }
                out.write(buffer, 0, length);
            }
        }
    }

    private synchronized long nanosUntilThrough(int length) {
        long now = System.nanoTime();
        downstreamBytes += length;
        freeAtNanos = Math.max(now, freeAtNanos) + length * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
        return freeAtNanos - now;
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
                "slow-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
