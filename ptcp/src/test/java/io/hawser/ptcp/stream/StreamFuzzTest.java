package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/** What a peer says of a byte stream: its messages, and pieces at any position. */
class StreamFuzzTest {
    private static final int PIECES_LIMIT = 8;

    @FuzzTest(maxDuration = "2m")
    void message(byte[] data) {
        StreamMessage message = StreamMessage.decode(Unpooled.wrappedBuffer(data));
        if (message != null) {
            assertThat(StreamMessage.encode(message)).isEqualTo(Unpooled.wrappedBuffer(data));
        }
    }

    /** Each three bytes are a piece (place, length, limit); its content is its place, so that a wrong merge shows. */
    @FuzzTest(maxDuration = "2m")
    void pieces(byte[] data) {
        PacketReorderer merger = new PacketReorderer(PIECES_LIMIT);
        ByteBuffer in = ByteBuffer.wrap(data);
        while (in.remaining() >= 3) {
            int place = in.get();
            long position = place == Byte.MIN_VALUE ? Long.MAX_VALUE - 3 : place;
            ByteBuf piece = content(position, in.get() & 0x1F);
            merger.offer(position, piece, in.get() & 0xFF);
            for (ByteBuf next = merger.poll(); next != null; next = merger.poll()) {
                long end = merger.nextPosition();
                assertThat(next).isEqualTo(content(end - next.readableBytes(), next.readableBytes()));
                next.release();
            }
        }
        merger.release();
    }

    private static ByteBuf content(long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (position + i);
        }
        return Unpooled.wrappedBuffer(bytes);
    }
}
