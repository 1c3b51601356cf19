package io.hawser.core.meter;

/**
 * Counts the answers to questions about files since the start.
 *
 * <p>Thread: the loop of its owner.
 */
public final class CallCounts {
    private long answered;
    private long refused;
    private long bytes;

    /** A question was answered, with that many bytes of files or listings. */
    public void answered(long payloadBytes) {
        answered++;
        bytes += payloadBytes;
    }

    /** A question was refused. */
    public void refused() {
        refused++;
    }

    public long answered() {
        return answered;
    }

    public long refusals() {
        return refused;
    }

    /** Bytes of all answers. */
    public long bytes() {
        return bytes;
    }
}
