package io.hawser.ops.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The body of an answer, piece by piece. The server asks for a piece only when the peer has read most of those before, so a body of any length,
 * or one that never ends by itself, takes the memory of a few pieces.
 */
public interface ResponseBody {
    /** {@link #lengthBytes} of a body whose length is not known before its end. */
    long UNKNOWN = -1;

    /** The length in bytes, or {@link #UNKNOWN}. */
    long lengthBytes();

    /**
     * The next piece, which the server then owns; empty at the end. On the server's loop: it must not block. It may complete later, on any thread.
     * A failure closes the connection, so that the peer sees that the body is not whole.
     */
    CompletionStage<Optional<ByteBuffer>> next();

    /** Called once, on the loop: no piece is asked for any more, since the body is at its end, or the peer is gone. */
    void close();

    /** A body that is all there. */
    static ResponseBody of(byte[] bytes) {
        return new BytesBody(bytes);
    }
}
