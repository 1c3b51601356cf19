package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import org.jspecify.annotations.Nullable;

/**
 * Receives the messages about calls that arrive on sessions, at the asking or the answering side. {@code link} is the session of the
 * message. Messages about unknown calls have no effect.
 *
 * <p>Thread: the sessions' loop.
 */
public interface CallHandler {
    /** The session is up. */
    void onUp(CallLink link);

    /** The session is over: nothing comes from it any more, and what is sent to it has no effect. */
    void onDown(CallLink link);

    /** The peer asks. */
    void onAsked(CallLink link, long call, Topic topic, Question question);

    /** The peer no longer wants the answer. */
    void onCancelled(CallLink link, long call);

    /** The peer refuses what was asked. */
    void onRefused(CallLink link, long call, Refusal refusal);

    /** The peer answers without a payload. */
    void onAnswered(CallLink link, long call, Answer answer);

    /**
     * Where the payload of an answer goes; null if nobody wants it. The caller takes a reference of its own, and drops it when the
     * payload is there or lost.
     */
    @Nullable
    FragmentBuffer memoryFor(CallLink link, long call, int length);

    /** An answer with a payload is complete in the memory that {@link #memoryFor} gave. */
    void onAnswered(CallLink link, long call, Answer answer, FragmentBuffer buffer, int length, int crc32c);

    /** Time passes: called about every 100 ms. */
    void tick(long nowNanos);
}
