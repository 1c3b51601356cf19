package io.hawser.core.hop;

/**
 * The progress of a transfer at a sender.
 *
 * @param state its state
 * @param ackedBytes bytes that are durable at the receiver
 * @param sentBytes bytes given to streams, repetitions included
 * @param resentBytes of these, bytes of fragments that were sent before
 * @param resentAckedBytes of these again, bytes of fragments that the receiver had acked and lost
 * @param held why it does not proceed for now, as a phrase; empty if nothing holds it back
 * @param idleMillis since the last progress that this run of the node knows: an ack, an arrival here, or a decision
 * @param nextStep what must happen next, as a phrase; empty once it is committed at the receiver
 */
public record OutgoingTransferStatus(
        String state,
        long ackedBytes,
        long sentBytes,
        long resentBytes,
        long resentAckedBytes,
        String held,
        long idleMillis,
        String nextStep) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Milliseconds between two values of the sender's clock; 0 if that had not started. */
    static long millis(long sinceNanos, long nowNanos) {
        return sinceNanos == 0 ? 0 : Math.max(0, (nowNanos - sinceNanos) / NANOS_PER_MILLI);
    }

    /** The reason that holds it back, or else the next step. */
    public String reason() {
        return held.isEmpty() ? nextStep : held;
    }

    /** Whether it travels, or will, with other small transfers. */
    public boolean isSmall() {
        return state.equals(OutgoingTransfer.State.SMALL.name());
    }

    OutgoingTransferStatus after(long millis) {
        return new OutgoingTransferStatus(
                state, ackedBytes, sentBytes, resentBytes, resentAckedBytes, held, millis, nextStep);
    }
}
