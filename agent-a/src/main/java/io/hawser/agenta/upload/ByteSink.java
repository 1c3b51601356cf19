package io.hawser.agenta.upload;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives an upload's bytes from a data connection, and lends the memory they are read into.
 *
 * <p>Thread: the loop.
 */
public interface ByteSink {
    /** Whether there is memory for more bytes; it is obtained if need be. */
    boolean hasSpace();

    /**
     * Whether {@link #hasSpace} need not be asked before a few bytes have come: memory is short, and others have more use for it than
     * a connection over which perhaps nothing comes.
     */
    default boolean takesBytesFirst() {
        return false;
    }

    /**
     * Memory for the next bytes: a buffer with room to write, of which the caller takes a reference, or null when there is none.
     * Asked again without a call of {@link #received} in between, it names the same place again.
     */
    @Nullable
    ByteBuf space();

    /** Runs {@code again} once, later, when {@link #hasSpace} may be true; it was false before. */
    void whenSpace(Runnable again);

    /** The next {@code length} bytes, 1 or more, are where {@link #space} said. */
    void received(int length);

    /** The peer ended the connection in an orderly way: every byte that it sent has been received. */
    void ended();

    /** The connection broke: it was reset, or was closed without an end. Bytes may be missing. */
    void broken(Throwable cause);
}
