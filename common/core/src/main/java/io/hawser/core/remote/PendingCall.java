package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question of agent-a from the asking to the answer, over all sessions.
 *
 * <p>Thread: the loop.
 */
final class PendingCall {
    /** Not sent on the session that is up. */
    static final long NO_NUMBER = -1;

    /** A call that was in flight for longer had reached the peer: its loss restarts the back-off. */
    private static final long REACHED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The delay before a question is asked again; it is doubled up to the longest. */
    private static final long FIRST_BACKOFF_MILLIS = 50;

    private static final long LONGEST_BACKOFF_MILLIS = 800;

    /** The caller, unless it is refused. */
    interface Listener {
        /** {@code buffer} is null if the answer has no payload; otherwise the listener owns it. */
        void answered(Answer answer, @Nullable FragmentBuffer buffer, int length);
    }

    final Topic topic;
    final Question question;
    final Listener listener;
    final Consumer<Refusal> onRefused;
    private final CallTimeouts timeouts;
    long number = NO_NUMBER;
    /** Memory for the answer: held from the first sending until the answer is passed on, over all sessions. */
    @Nullable
    FragmentBuffer memory;

    int damages;
    boolean over;
    private long askedNanos;
    private long sentNanos;
    private long unreachableSinceNanos;
    private long askAgainNanos;
    private long backoffMillis = FIRST_BACKOFF_MILLIS;
    private boolean reached = true;

    /** One of the last two is called, once, unless the call is cancelled. */
    PendingCall(Topic topic, Question question, CallTimeouts timeouts, Listener listener, Consumer<Refusal> onRefused) {
        this.topic = topic;
        this.question = question;
        this.timeouts = timeouts;
        this.listener = listener;
        this.onRefused = onRefused;
    }

    void asked(long nowNanos) {
        askedNanos = nowNanos;
    }

    boolean isSent() {
        return number != NO_NUMBER;
    }

    void sent(long newNumber, long nowNanos) {
        number = newNumber;
        sentNanos = nowNanos;
    }

    /** No node could answer: starts the time limit for that, if it does not run already. */
    void unreachable(long nowNanos) {
        boolean hadReachedPeer = isSent() && nowNanos - sentNanos > REACHED_NANOS;
        if (reached || hadReachedPeer) {
            unreachableSinceNanos = nowNanos;
            backoffMillis = FIRST_BACKOFF_MILLIS;
        }
        reached = false;
        number = NO_NUMBER;
    }

    /** It waits for its turn, not for a node that could answer: stops that time limit. */
    void reachable() {
        reached = true;
    }

    /** It is asked again after a delay that grows. */
    void backOff(long nowNanos) {
        number = NO_NUMBER;
        askAgainNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(backoffMillis);
        backoffMillis = Math.min(LONGEST_BACKOFF_MILLIS, backoffMillis * 2);
    }

    boolean backoffIsOver(long nowNanos) {
        return nowNanos - askAgainNanos >= 0;
    }

    /** Why it has timed out, a detail of {@link RemoteFiles}; null if it has not. */
    @Nullable
    String timeout(long nowNanos) {
        boolean unreachable = !reached && !isSent();
        if (unreachable && nowNanos - unreachableSinceNanos >= timeouts.away().toNanos()) {
            return RemoteFiles.AWAY;
        } else if (nowNanos - askedNanos >= timeouts.silent().toNanos()) {
            return unreachable ? RemoteFiles.AWAY : RemoteFiles.SILENT;
        }
        return null;
    }

    /** Whether no late packet of an earlier sending can write into the memory. */
    boolean ownsMemoryAlone() {
        return memory == null || memory.refCnt() == 1;
    }

    void releaseMemory() {
        if (memory != null) {
            memory.release();
            memory = null;
        }
    }
}
