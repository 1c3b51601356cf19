package io.hawser.ptcp.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between two ends on loopback, and freezes or cuts single connections, counted from 0 as they came. */
public final class TestProxy implements AutoCloseable {
    /** Little enough that a frozen connection is soon full: the system's own limit may be tens of MiB. */
    private static final int BUFFER_BYTES = 256 << 10;

    private final ServerSocket listening;
    private final InetSocketAddress target;
    /** As they came; also those that are gone. */
    public final List<Link> links = new CopyOnWriteArrayList<>();

    /** Listens on loopback; what connects there is connected with {@code target}. */
    public TestProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        listening = new ServerSocket();
        listening.setReceiveBufferSize(BUFFER_BYTES);
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(this::acceptAll, "test-proxy");
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    private void acceptAll() {
        try {
            while (true) {
                links.add(new Link(listening.accept(), new Socket(target.getAddress(), target.getPort())));
            }
        } catch (IOException e) {
            links.forEach(Link::cut);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        links.forEach(Link::cut);
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection. */
    public static final class Link {
        private final Socket near;
        private final Socket far;
        private volatile boolean frozen;

        Link(Socket near, Socket far) {
            this.near = near;
            this.far = far;
            start(() -> copy(near, far), "test-proxy-out");
            start(() -> copy(far, near), "test-proxy-in");
        }

        /** From here on it takes bytes and lets none through; nobody hears of it. */
        public void freeze() {
            frozen = true;
        }

        /** The far end sees an orderly end of the connection, behind all that was sent. */
        public void finish() {
            try {
                near.shutdownInput();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Resets both ends. */
        public void cut() {
            for (Socket end : List.of(near, far)) {
                try {
                    end.setSoLinger(true, 0);
                    end.close();
                } catch (IOException e) {
                    assertThat(end.isClosed()).isTrue();
                }
            }
        }

        private void copy(Socket from, Socket to) {
            byte[] buffer = new byte[64 << 10];
            try {
                for (int n = from.getInputStream().read(buffer);
                        n >= 0;
                        n = from.getInputStream().read(buffer)) {
                    while (frozen) {
                        Thread.sleep(20); // between two looks
                        if (from.isClosed()) {
                            return;
                        }
                    }
                    to.getOutputStream().write(buffer, 0, n);
                }
                to.shutdownOutput();
            } catch (IOException | InterruptedException e) {
                cutQuietly();
            }
        }

        private void cutQuietly() {
            try {
                near.close();
                far.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
