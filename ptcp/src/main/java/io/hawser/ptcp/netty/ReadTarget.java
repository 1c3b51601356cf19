package io.hawser.ptcp.netty;

import io.hawser.ptcp.wire.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Says where the next bytes of a channel belong. */
public interface ReadTarget {
    /**
     * The memory to be filled next, up to its capacity; it has at least one writable byte and stays owned by this
     * object. Null puts reading off until {@link ExactReader#resume()}.
     *
     * @throws MalformedFrameException if the peer broke the format
     */
    @Nullable
    ByteBuf next() throws MalformedFrameException;

    /** More bytes are in the memory that {@link #next} named; it is not full yet. */
    default void onProgress(ByteBuf memory) throws MalformedFrameException {}

    /** The memory that {@link #next} named is full. May change the reader's target. */
    void onFull(ByteBuf memory) throws MalformedFrameException;

    /** The channel is closed, or another target took over. Memory is to be released. Called once. */
    void release();
}
