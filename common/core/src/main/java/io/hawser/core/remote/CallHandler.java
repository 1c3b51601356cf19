package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import org.jspecify.annotations.Nullable;

/**
 * Handles the messages about remote calls that arrive on sessions, at the calling or the answering side. {@code link} is the session of the
 * message. Messages about unknown calls have no effect. A side that makes no calls hears no answers.
 *
 * <p>Thread: the sessions' loop.
 */
public interface CallHandler {
    void onUp(CallLink link);

    /** The session is over: messages sent to it have no effect. */
    void onDown(CallLink link);

    void onAsked(CallLink link, long call, Topic topic, Question question);

    /** The peer no longer wants the answer. */
    void onCancelled(CallLink link, long call);

    /** The peer refuses a question. */
    default void onRefused(CallLink link, long call, Refusal refusal) {}

    /** The peer answers without a payload. */
    default void onAnswered(CallLink link, long call, Answer answer) {}

    /**
     * The memory for the payload of an answer; null if no call waits for it. The caller retains it until the payload is complete or lost.
     */
    default @Nullable FragmentBuffer memoryFor(CallLink link, long call, int length) {
        return null;
    }

    /** An answer with a payload is complete in the memory of {@link #memoryFor}. */
    default void onAnswered(CallLink link, long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {}

    /** Called about every 100 ms. */
    default void tick(long nowNanos) {}
}
