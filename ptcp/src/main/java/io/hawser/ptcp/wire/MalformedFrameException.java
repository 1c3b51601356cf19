package io.hawser.ptcp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A peer sent bytes that break the format. The message is for a log and for the peer. */
public final class MalformedFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable ByteString firstBytes;

    public MalformedFrameException(String message) {
        super(message);
        firstBytes = null;
    }

    private MalformedFrameException(ByteString firstBytes) {
        super("the bytes are not PTCP");
        this.firstBytes = firstBytes;
    }

    /** The peer speaks another protocol; {@code bytes} are its first ones. */
    public static MalformedFrameException foreignProtocol(ByteBuf bytes) {
        return new MalformedFrameException(ByteString.of(ByteBufUtil.getBytes(bytes)));
    }

    /** The first bytes of a peer that speaks another protocol, or null if it speaks this one badly. */
    public @Nullable ByteString firstBytes() {
        return firstBytes;
    }
}
