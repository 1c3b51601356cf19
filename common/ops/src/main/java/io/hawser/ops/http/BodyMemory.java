package io.hawser.ops.http;

/**
 * Bounds the memory of response bodies that peers have not read yet.
 *
 * <p>Thread: the server's loop.
 */
final class BodyMemory {
    /** Smaller bodies are not counted: the number of connections bounds them. */
    private static final int SMALL_BYTES = 4 << 10;

    private final long limitBytes;
    private long usedBytes;

    BodyMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** How much a body of that length counts; a stream counts nothing, since only a few pieces of it are in memory. */
    static long cost(long lengthBytes) {
        return lengthBytes <= SMALL_BYTES ? 0 : lengthBytes;
    }

    /** Reserves memory if there is enough; whether it did. One body alone may be longer than the bound. */
    boolean reserve(long bytes) {
        if (bytes > 0 && usedBytes > 0 && usedBytes + bytes > limitBytes) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    void release(long bytes) {
        usedBytes -= bytes;
    }
}
