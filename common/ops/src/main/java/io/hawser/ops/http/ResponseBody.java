package io.hawser.ops.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The body of a response, in pieces. The server requests a piece only when the peer has read most of those before, so a body of any length, or an
 * endless one, takes the memory of a few pieces.
 */
public interface ResponseBody {
    /** {@link #lengthBytes} of a body whose length is unknown before its end. */
    long UNKNOWN = -1;

    /** The length in bytes, or {@link #UNKNOWN}. */
    long lengthBytes();

    /**
     * The next piece, which the server then owns; empty at the end. Thread: the server's loop; must not block. It may complete later, on any thread. A
     * failure closes the connection, so that the peer notices an incomplete body.
     */
    CompletionStage<Optional<ByteBuffer>> next();

    /** Called once, on the loop, at the end of the body or when the peer is gone: no piece will be requested any more. */
    void close();

    static ResponseBody of(byte[] bytes) {
        return new BytesBody(bytes);
    }
}
