package io.hawser.ops.http;

/**
 * Counts the bodies of answers that peers have not read yet, against a bound.
 *
 * <p>Thread: the server's loop.
 */
final class BodyMemory {
    /** Bodies up to this are not counted: there are no more than connections. */
    private static final int SMALL_BYTES = 4 << 10;

    private final long limitBytes;
    private long usedBytes;

    BodyMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** What a body of that length counts; of a stream the pieces that are under way are few, and count nothing. */
    static long cost(long lengthBytes) {
        return lengthBytes <= SMALL_BYTES ? 0 : lengthBytes;
    }

    /** Whether there is room, which is taken then. One body alone may be longer than the bound. */
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
