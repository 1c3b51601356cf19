package io.hawser.core.hop;

/**
 * Counts what one or more hop senders have given to streams since the start.
 *
 * <p>Thread: the senders' loop.
 */
public final class SendMeter {
    private long sentBytes;
    private long resentBytes;

    void sent(int bytes) {
        sentBytes += bytes;
    }

    void resent(int bytes) {
        resentBytes += bytes;
    }

    /** Payload bytes that were given to streams, repetitions included. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Of these, bytes of fragments that were sent before. */
    public long resentBytes() {
        return resentBytes;
    }
}
