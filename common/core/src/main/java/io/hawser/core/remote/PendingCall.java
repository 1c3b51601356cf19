package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import org.jspecify.annotations.Nullable;

/**
 * One question of the near edge from the asking to the answer, across sessions.
 *
 * <p>Thread: the loop.
 */
final class PendingCall {
    /** Not sent on the session that is up. */
    static final long NO_NUMBER = -1;

    /** Who asked. One of the two is called, once, unless the call is cancelled. */
    interface Listener {
        /** {@code buffer} is null where the answer has no payload; otherwise the listener owns it. */
        void answered(Answer answer, @Nullable FragmentBuffer buffer, int length);

        void refused(Refusal refusal);
    }

    final Topic topic;
    final Question question;
    final Listener listener;
    private final CallTimeouts patience;
    private final CallBackoff rests = new CallBackoff();
    long number = NO_NUMBER;
    /** Where the answer goes: held from the first asking until the answer is handed over, through all sessions. */
    @Nullable
    FragmentBuffer memory;

    int damages;
    boolean over;
    private long askedNanos;
    private long sentNanos;
    private long unreachableSinceNanos;
    private long askAgainNanos;
    private boolean reached = true;

    PendingCall(Topic topic, Question question, CallTimeouts patience, Listener listener) {
        this.topic = topic;
        this.question = question;
        this.patience = patience;
        this.listener = listener;
    }

    /** Somebody wants to know it, from now on. */
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

    /** Nobody could answer: from now patience runs, if it does not run already. */
    void unreachable(long nowNanos) {
        boolean wasUnderWay = isSent() && nowNanos - sentNanos > CallBackoff.REACHED_NANOS;
        if (reached || wasUnderWay) {
            unreachableSinceNanos = nowNanos;
            rests.forget();
        }
        reached = false;
        number = NO_NUMBER;
    }

    /** It waits for its turn, not for somebody who could answer: patience does not run. */
    void hopeful() {
        reached = true;
    }

    /** It is asked again after a rest that grows. */
    void rest(long nowNanos) {
        number = NO_NUMBER;
        askAgainNanos = nowNanos + rests.next();
    }

    boolean restIsOver(long nowNanos) {
        return nowNanos - askAgainNanos >= 0;
    }

    /** Why nobody waits for it any longer, as {@link RemoteFiles} says it; null as long as somebody does. */
    @Nullable
    String givenUp(long nowNanos) {
        boolean nobodyThere = !reached && !isSent();
        if (nobodyThere && nowNanos - unreachableSinceNanos >= patience.away().toNanos()) {
            return RemoteFiles.AWAY;
        } else if (nowNanos - askedNanos >= patience.silent().toNanos()) {
            return nobodyThere ? RemoteFiles.AWAY : RemoteFiles.SILENT;
        }
        return null;
    }

    /** A caller's own copies are done with: no late packet of an earlier asking writes into the memory. */
    boolean memoryIsQuiet() {
        return memory == null || memory.refCnt() == 1;
    }

    void releaseMemory() {
        if (memory != null) {
            memory.release();
            memory = null;
        }
    }
}
