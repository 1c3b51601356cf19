package io.hawser.core.hop;

/**
 * The progress of a transfer at a sender, for people.
 *
 * @param state a word for where it is
 * @param ackedBytes bytes that are durable at the receiver
 * @param sentBytes bytes that were given to streams, each time counted
 * @param resentBytes of these, bytes of fragments that had been given to a stream before
 * @param resentAckedBytes of these again, bytes of fragments that the receiver had acked before: what it has lost since
 * @param held why it does not go on for now, as a phrase; empty if nothing holds it back
 * @param idleMillis since anything of it was acked, came in here, or was decided, as far as this run of the node knows
 * @param nextStep what must happen next, as a phrase; empty once it is committed at the receiver
 */
public record SenderProgress(
        String state,
        long ackedBytes,
        long sentBytes,
        long resentBytes,
        long resentAckedBytes,
        String held,
        long idleMillis,
        String nextStep) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The time between two values of the sender's clock; 0 if that did not run yet. */
    static long millis(long sinceNanos, long nowNanos) {
        return sinceNanos == 0 ? 0 : Math.max(0, (nowNanos - sinceNanos) / NANOS_PER_MILLI);
    }

    /** What holds it back, or else what must happen next. */
    public String reason() {
        return held.isEmpty() ? nextStep : held;
    }

    /** Whether it travels, or will, with other small ones. */
    public boolean isSmall() {
        return state.equals(OutgoingTransfer.State.SMALL.name());
    }

    SenderProgress after(long millis) {
        return new SenderProgress(state, ackedBytes, sentBytes, resentBytes, resentAckedBytes, held, millis, nextStep);
    }
}
