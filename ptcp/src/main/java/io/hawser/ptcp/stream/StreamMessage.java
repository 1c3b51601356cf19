package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** A control message of a byte stream. The package description has its bytes. */
public sealed interface StreamMessage {
    /** Bytes that may be sent before the first message of the peer. */
    long INITIAL_LIMIT = 256 << 10;

    /** Everything before {@code received} has arrived; nothing beyond {@code limit} may be sent. */
    record Received(long received, long limit) implements StreamMessage {}

    /** The stream ends at {@code position}. */
    record End(long position) implements StreamMessage {}

    /** The reader is gone. */
    record Stop() implements StreamMessage {}

    /** The bytes of a message. The caller owns the buffer. */
    static ByteBuf encode(StreamMessage message) {
        ByteBuf out = Unpooled.buffer(1 + 2 * Long.BYTES);
        if (message instanceof Received received) {
            out.writeByte(1).writeLong(received.received()).writeLong(received.limit());
        } else if (message instanceof End end) {
            out.writeByte(2).writeLong(end.position());
        } else {
            out.writeByte(3);
        }
        return out;
    }

    /** The message in {@code in}, or null if it is none. */
    static @Nullable StreamMessage decode(ByteBuf in) {
        int length = in.readableBytes();
        int type = length == 0 ? 0 : in.readByte();
        if (type == 1 && length == 1 + 2 * Long.BYTES) {
            return new Received(in.readLong(), in.readLong());
        } else if (type == 2 && length == 1 + Long.BYTES) {
            return new End(in.readLong());
        } else if (type == 3 && length == 1) {
            return new Stop();
        }
        return null;
    }
}
