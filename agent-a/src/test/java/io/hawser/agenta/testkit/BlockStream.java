package io.hawser.agenta.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The sending end of one MODE E data connection that says exactly what a test wants. */
public final class BlockStream implements AutoCloseable {
    public static final int EOF = 0x40;
    public static final int EOD = 0x08;
    public static final int CLOSE = 0x04;

    private final Socket socket;
    private final OutputStream out;

    private BlockStream(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
    }

    /** Connects to a passive port. */
    public static BlockStream connect(int port) throws IOException {
        return new BlockStream(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Over a connection that is there. */
    public static BlockStream over(Socket socket) throws IOException {
        return new BlockStream(socket);
    }

    /** A header. */
    public static byte[] header(int flags, long count, long offset) {
        return ByteBuffer.allocate(17)
                .put((byte) flags)
                .putLong(count)
                .putLong(offset)
                .array();
    }

    /** Sends bytes {@code [from, to)} of {@code file} as a block. */
    public BlockStream block(int flags, byte[] file, int from, int to) throws IOException {
        out.write(header(flags, to - from, from));
        out.write(file, from, to - from);
        return this;
    }

    /** Sends bytes {@code [from, to)} in blocks of {@code size}. */
    public BlockStream blocks(byte[] file, int from, int to, int size) throws IOException {
        for (int at = from; at < to; at += size) {
            block(0, file, at, Math.min(to, at + size));
        }
        return this;
    }

    /** Sends a header without payload. */
    public BlockStream flags(int flags, long offset) throws IOException {
        return raw(header(flags, 0, offset));
    }

    /** Sends whatever it is. */
    public BlockStream raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /** The connection itself. */
    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
