package io.hawser.it.ptcp;

import io.hawser.ptcp.PTCPServerSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands in front of a server that speaks TCP only, or listens at a Unix socket, and gives it a PTCP port. */
final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket listening;
    private final SocketAddress target;
    private final AtomicInteger connections = new AtomicInteger();

    Relay(SocketAddress target) throws IOException {
        this.target = target;
        listening = new PTCPServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("relay-accept", this::acceptAll);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** How many were accepted so far. */
    int connections() {
        return connections.get();
    }

    private void acceptAll() throws IOException {
        while (!listening.isClosed()) {
            Socket near = listening.accept();
            connections.incrementAndGet();
            SocketChannel far = SocketChannel.open(target);
            start("relay-out", () -> copyOut(near, far));
            start("relay-in", () -> copyIn(near, far));
        }
    }

    /** What the client sends goes to the server, and its end. */
    private static void copyOut(Socket near, SocketChannel far) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (far) {
            InputStream in = near.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                for (ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n); bytes.hasRemaining(); ) {
                    far.write(bytes);
                }
            }
        }
    }

    private static void copyIn(Socket near, SocketChannel far) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
        try (near) {
            OutputStream out = near.getOutputStream();
            while (far.read(bytes.clear()) >= 0) {
                out.write(bytes.array(), 0, bytes.position());
            }
        }
    }

    private interface IoRunnable {
        void run() throws IOException;
    }

    /** The end of one side is the end of the other, and an exception an end like another. */
    private static void start(String name, IoRunnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        LOG.atDebug().addKeyValue("cause", e.toString()).log("a relayed connection ended");
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
