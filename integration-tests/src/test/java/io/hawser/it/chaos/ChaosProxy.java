package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A link: a TCP proxy that can be cut, reset, throttled and made a black hole.
 *
 * <p>Thread: any; it has two of its own for each connection.
 */
final class ChaosProxy implements AutoCloseable {
    private static final int STEP_BYTES = 64 << 10;
    private static final long LOOK_NANOS = 10_000_000;
    /** For so long the near side goes on sending into connections that will be outdated. */
    private static final long HOLD_NANOS = 200_000_000;

    /** One connection through here. */
    private static final class Pair {
        private final Socket near;
        private volatile boolean outdated;

        Pair(Socket near) {
            this.near = near;
        }
    }

    private final String name;
    private final Supplier<HostPort> target;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    private volatile boolean blackHole;
    /** For each direction of each connection; 0 is no limit. */
    private volatile long bytesPerSecond;

    private volatile boolean closed;

    /** @param target asked for each connection */
    ChaosProxy(String name, Supplier<HostPort> target) throws IOException {
        this.name = name;
        this.target = target;
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        thread(this::accept);
    }

    String name() {
        return name;
    }

    HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    void cut() {
        cut = true;
        endAll(false);
    }

    void blackHole() {
        blackHole = true;
    }

    void reset() {
        endAll(true);
    }

    /**
     * The connections are reset at the near side only; what was on its way to the broker waits here in the old ones, and reaches it
     * after {@link #heal}, when new ones are up.
     */
    void outdate() {
        for (Pair pair : pairs) {
            pair.outdated = true;
        }
        LockSupport.parkNanos(HOLD_NANOS);
        for (Pair pair : pairs) {
            if (pair.outdated) {
                end(pair.near, true);
            }
        }
    }

    void throttle(long limitBytesPerSecond) {
        bytesPerSecond = limitBytesPerSecond;
    }

    /** Everything passes again. */
    void heal() {
        cut = false;
        blackHole = false;
        bytesPerSecond = 0;
        pairs.forEach(pair -> pair.outdated = false);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        endAll(false);
    }

    private void endAll(boolean hard) {
        for (Socket socket : sockets) {
            end(socket, hard);
        }
    }

    private void end(Socket socket, boolean hard) {
        sockets.remove(socket);
        try {
            if (hard) {
                socket.setSoLinger(true, 0); // close sends RST
            }
            socket.close();
        } catch (IOException e) {
            return; // it had ended before
        }
    }

    private void accept() throws IOException {
        while (!closed) {
            Socket near = listener.accept();
            sockets.add(near);
            thread(() -> connect(near));
        }
    }

    private void connect(Socket near) throws IOException {
        if (cut) {
            end(near, false);
            return;
        }
        HostPort address = target.get();
        Socket far;
        try {
            far = new Socket(address.host(), address.port());
        } catch (IOException e) {
            end(near, false);
            throw e;
        }
        sockets.add(far);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        Pair pair = new Pair(near);
        pairs.add(pair);
        thread(() -> copy(near, far, pair));
        copy(far, near, pair);
    }

    private void copy(Socket from, Socket to, Pair pair) throws IOException {
        byte[] step = new byte[STEP_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(step); length >= 0; length = in.read(step)) {
                awaitPassage(pair);
                long limit = bytesPerSecond;
                if (limit > 0) {
                    LockSupport.parkNanos(length * 1_000_000_000L / limit);
                }
                out.write(step, 0, length);
            }
        } finally {
            awaitPassage(pair); // the broker's end of an outdated connection stays up
            pairs.remove(pair);
            end(from, false);
            end(to, false);
        }
    }

    private void awaitPassage(Pair pair) {
        while ((blackHole || pair.outdated) && !closed) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void thread(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        return; // a side went away, as sides do
                    }
                },
                "link-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
