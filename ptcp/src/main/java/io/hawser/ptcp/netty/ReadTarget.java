package io.hawser.ptcp.netty;

import io.hawser.ptcp.wire.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Provides the memory for the next bytes of a channel. */
public interface ReadTarget {
    /**
     * The memory to be filled next, up to its capacity; it has at least one writable byte and stays owned by this
     * object. Null pauses until {@link ExactReader#resume()}.
     *
     * @throws MalformedFrameException if the peer broke the format
     */
    @Nullable
    ByteBuf next() throws MalformedFrameException;

    /** More bytes are in the memory that {@link #next} returned; it is not full yet. */
    default void onProgress(ByteBuf memory) throws MalformedFrameException {}

    /** The memory that {@link #next} returned is full. May change the reader's target. */
    void onFull(ByteBuf memory) throws MalformedFrameException;

    /** The channel closed, or another target replaces this one. Releases memory. Called once. */
    void release();
}
