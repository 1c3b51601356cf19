package io.hawser.ops.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A body in an array, delivered in slices, so that copying and encrypting for the socket need little memory.
 *
 * <p>Thread: the server's loop.
 */
final class BytesBody implements ResponseBody {
    private static final int PIECE_BYTES = 32 << 10;

    private final byte[] bytes;
    private final ByteBuffer rest;

    BytesBody(byte[] bytes) {
        this.bytes = bytes;
        rest = ByteBuffer.wrap(bytes);
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public long lengthBytes() {
        return bytes.length;
    }

    @Override
    public CompletionStage<Optional<ByteBuffer>> next() {
        int piece = Math.min(PIECE_BYTES, rest.remaining());
        if (piece == 0) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        ByteBuffer slice = rest.slice(rest.position(), piece);
        rest.position(rest.position() + piece);
        return CompletableFuture.completedFuture(Optional.of(slice));
    }

    @Override
    public void close() {
        rest.position(rest.limit());
    }
}
