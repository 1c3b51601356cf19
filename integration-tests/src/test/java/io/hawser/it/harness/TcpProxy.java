package io.hawser.it.harness;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A TCP proxy on loopback whose gate may change, delay or refuse what passes.
 *
 * <p>Thread: any; it has two of its own for each connection, which call the gate.
 */
public final class TcpProxy implements AutoCloseable {
    /** Decides on connections and bytes. */
    public interface Gate {
        /** Whether a new connection is made; else it is closed. */
        default boolean admits() {
            return true;
        }

        /**
         * Returns when a piece may pass; may change it.
         *
         * @param near the client's socket
         * @param up whether it goes to the target
         */
        void pass(Socket near, byte[] piece, int length, boolean up);

        /** Returns when the connection may end at both sides, after it has ended at one. */
        default void end(Socket near) {}
    }

    private final ServerSocket listener;
    private final Supplier<HostPort> target;
    private final int pieceBytes;
    private final int receiveBufferBytes;
    private final Gate gate;
    private final Set<Socket> nears = ConcurrentHashMap.newKeySet();
    private final Set<Socket> fars = ConcurrentHashMap.newKeySet();

    /**
     * Listens on loopback; what connects there is connected with {@code target}, which is asked for each connection.
     *
     * @param pieceBytes the most that passes at once
     * @param receiveBufferBytes of the sockets to the target; 0 for the system's own
     */
    public TcpProxy(Supplier<HostPort> target, int pieceBytes, int receiveBufferBytes, Gate gate) throws IOException {
        this.target = target;
        this.pieceBytes = pieceBytes;
        this.receiveBufferBytes = receiveBufferBytes;
        this.gate = gate;
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        thread("accept", this::accept);
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    /** The clients' sockets of the connections that are open. */
    public List<Socket> connections() {
        return List.copyOf(nears);
    }

    /** Ends all connections at both sides. */
    public void endAll(boolean reset) {
        nears.forEach(near -> end(near, reset));
        fars.forEach(far -> end(far, reset));
    }

    /** Ends one side of a connection. */
    public void end(Socket socket, boolean reset) {
        nears.remove(socket);
        fars.remove(socket);
        try {
            if (reset) {
                socket.setSoLinger(true, 0); // close sends RST
            }
            socket.close();
        } catch (IOException e) {
            return; // it had ended before
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        endAll(false);
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = listener.accept();
            nears.add(near);
            thread("down", () -> connect(near));
        }
    }

    private void connect(Socket near) throws IOException {
        Socket far = new Socket();
        try {
            if (!gate.admits()) {
                end(near, false);
                return;
            }
            if (receiveBufferBytes > 0) {
                far.setReceiveBufferSize(receiveBufferBytes); // before it connects, or the window is larger
            }
            HostPort address = target.get();
            far.connect(new InetSocketAddress(address.host(), address.port()));
        } catch (IOException e) {
            end(near, false); // as without a proxy: the client may dial again
            throw e;
        }
        fars.add(far);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        thread("up", () -> copy(near, far, near, true));
        copy(far, near, near, false);
    }

    private void copy(Socket from, Socket to, Socket near, boolean up) throws IOException {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[pieceBytes];
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                gate.pass(near, piece, length, up);
                out.write(piece, 0, length);
            }
        } finally {
            gate.end(near);
            end(from, false);
            end(to, false);
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
                        return; // a side ended
                    }
                },
                "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
