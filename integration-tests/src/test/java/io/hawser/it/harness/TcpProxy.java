package io.hawser.it.harness;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP proxy on loopback that has each piece pass through somebody's hands, who may change it or hold it up.
 *
 * <p>Thread: its own, one for each direction of each connection.
 */
final class TcpProxy implements AutoCloseable {
    /** Gets a piece before it goes on. */
    interface Passage {
        void pass(byte[] buffer, int length);
    }

    /** Nothing is done. */
    static final Passage FREE = (buffer, length) -> {};

    private final ServerSocket listener;
    private final HostPort target;
    private final int pieceBytes;
    private final int receiveBufferBytes;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /**
     * Listens on loopback; what connects there is connected with {@code target}.
     *
     * @param pieceBytes the most that goes through at once
     * @param receiveBufferBytes of the sockets to the target; 0 for the system's own
     */
    TcpProxy(HostPort target, int pieceBytes, int receiveBufferBytes, Passage up, Passage down) throws IOException {
        this.target = target;
        this.pieceBytes = pieceBytes;
        this.receiveBufferBytes = receiveBufferBytes;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread("accept", () -> accept(up, down));
    }

    HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept(Passage up, Passage down) throws IOException {
        while (true) {
            Socket near = listener.accept();
            Socket far = new Socket();
            if (receiveBufferBytes > 0) {
                far.setReceiveBufferSize(receiveBufferBytes); // before it connects, or the window is larger
            }
            try {
                far.connect(new InetSocketAddress(target.host(), target.port()));
            } catch (ConnectException e) { // as without a proxy: whoever dials finds nobody, and may dial again
                near.close();
                continue;
            }
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            sockets.add(near);
            sockets.add(far);
            thread("up", () -> copy(near, far, up));
            thread("down", () -> copy(far, near, down));
        }
    }

    private void copy(Socket from, Socket to, Passage passage) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[pieceBytes];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                passage.pass(buffer, length);
                out.write(buffer, 0, length);
            }
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
