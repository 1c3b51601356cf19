package io.hawser.agenta.upload;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits until there is evidence whether an upload whose data have ended is complete: see {@link EndEvidence}, which judges.
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a look that comes after the decision changes nothing
public final class EvidenceWait {
    /**
     * After the window has passed the loop looks at its sockets once more before it decides: it may have been held up, and the
     * news of the control connection's end may already be in the kernel.
     */
    private static final long SECOND_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int MAX_LATE_WINDOWS = 5;
    /** A timer is late when it is late by more than this part of the window. */
    private static final int LATE_SHARE = 4;

    private final EventLoop loop;
    private final EndEvidence evidence;
    private final Consumer<EndEvidence.Verdict> decided;

    /** {@code decided} hears each verdict that is one; the first counts. */
    public EvidenceWait(EventLoop loop, EndEvidence evidence, Consumer<EndEvidence.Verdict> decided) {
        this.loop = loop;
        this.evidence = evidence;
        this.decided = decided;
    }

    /** Begins; {@code stated}: the client has said itself that this is the end. */
    public void begin(boolean stated, long windowNanos) {
        if (stated) {
            decide(evidence.endWasStated());
        } else if (!decide(evidence.verdict())) {
            awaitWindow(windowNanos, MAX_LATE_WINDOWS);
        }
    }

    public void commandArrived() {
        decide(evidence.commandArrived());
    }

    public void controlClosed() {
        decide(evidence.controlClosed());
    }

    /**
     * A timer that comes late says that this machine is short of time, and then a client that dies on it needs longer to close
     * its connections: the window is waited for again, a few times.
     */
    private void awaitWindow(long windowNanos, int again) {
        long due = System.nanoTime() + windowNanos;
        in(windowNanos, () -> {
            if (again > 0 && System.nanoTime() - due > windowNanos / LATE_SHARE) {
                awaitWindow(windowNanos, again - 1);
            } else {
                in(SECOND_LOOK_NANOS, () -> decide(evidence.at(System.nanoTime())));
            }
        });
    }

    private void in(long nanos, Runnable task) {
        loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    private boolean decide(EndEvidence.Verdict verdict) {
        if (verdict == EndEvidence.Verdict.UNDECIDED) {
            return false;
        }
        decided.accept(verdict);
        return true;
    }
}
