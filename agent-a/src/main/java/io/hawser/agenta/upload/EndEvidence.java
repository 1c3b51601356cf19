package io.hawser.agenta.upload;

/**
 * Decides whether an upload in stream mode ended or broke off, once its data connection has ended in an orderly way. Stream
 * mode says "end of file" by closing the connection (RFC 959 section 3.4.1), and so does the kernel of a client that was
 * killed. So an end needs evidence:
 *
 * <ul>
 *   <li>the bytes that ALLO announced came, exactly; or
 *   <li>within TLS, the client said so (close_notify); or
 *   <li>the client sent another command after the end of the data; or
 *   <li>the control connection outlived the data by a while.
 * </ul>
 *
 * <p>A control connection that ends before any of these makes the upload incomplete. The first verdict holds.
 *
 * <p>Thread: one owner. Pure: time is an argument.
 */
public final class EndEvidence {
    /** What is known. */
    public enum Verdict {
        UNDECIDED,
        COMPLETE,
        INCOMPLETE
    }

    /** No ALLO was given. */
    public static final long NOT_ANNOUNCED = -1;

    private final long endedNanos;
    private final long windowNanos;
    private Verdict verdict;

    /**
     * @param nowNanos now
     * @param windowNanos how long the control connection must live on
     * @param receivedBytes what came
     * @param announcedBytes what ALLO said, or {@link #NOT_ANNOUNCED}
     */
    public EndEvidence(long nowNanos, long windowNanos, long receivedBytes, long announcedBytes) {
        this.endedNanos = nowNanos;
        this.windowNanos = windowNanos;
        this.verdict = receivedBytes == announcedBytes ? Verdict.COMPLETE : Verdict.UNDECIDED;
    }

    public Verdict verdict() {
        return verdict;
    }

    /** A command arrived; the client's program must have sent it after it had closed the data connection. */
    public Verdict commandArrived() {
        return decide(Verdict.COMPLETE);
    }

    /** The data connection's own protocol says that it is complete. */
    public Verdict endWasStated() {
        return decide(Verdict.COMPLETE);
    }

    public Verdict controlClosed() {
        return decide(Verdict.INCOMPLETE);
    }

    public Verdict at(long nowNanos) {
        return nowNanos - endedNanos >= windowNanos ? decide(Verdict.COMPLETE) : verdict;
    }

    private Verdict decide(Verdict next) {
        if (verdict == Verdict.UNDECIDED) {
            verdict = next;
        }
        return verdict;
    }
}
