package io.hawser.ptcp;

import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.hawser.ptcp.wire.FrameLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A peer that a test writes byte by byte. */
final class RawPeer implements AutoCloseable {
    private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

    private final Socket socket;

    RawPeer(InetSocketAddress address) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()));
    }

    RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TestTimes.MILLIS);
    }

    static byte[] bytesOf(ControlFrame frame) {
        ByteBuf encoded = ControlFrameCodec.encode(frame, ALLOCATOR);
        try {
            return ByteBufUtil.getBytes(encoded);
        } finally {
            encoded.release();
        }
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(ControlFrame frame) throws IOException {
        send(bytesOf(frame));
    }

    ControlFrame read() throws IOException {
        byte[] head = readExactly(ControlFrameCodec.HEADER_BYTES);
        ControlFrameCodec.Header header =
                ControlFrameCodec.decodeHeader(Unpooled.wrappedBuffer(head), FrameLimits.CONTROL_PAYLOAD_BYTES);
        return ControlFrameCodec.decode(header, Unpooled.wrappedBuffer(readExactly(header.payloadLength())));
    }

    private byte[] readExactly(int length) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the peer closed");
        }
        return bytes;
    }

    /** Whether the peer has closed the connection, after all that it sent. */
    boolean isClosedByPeer() {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Reads until the peer closes. */
    void drain() throws IOException {
        socket.getInputStream().readAllBytes();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
