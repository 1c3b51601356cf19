package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;

/**
 * One session, as the asking or answering side of calls sees it. The asker chooses a call's number and never uses it again on that
 * session. Nothing is called back inside these methods.
 *
 * <p>Thread: the session's loop.
 */
public interface CallLink {
    /** Asks. The answer, or a refusal, comes to the {@link CallHandler}. */
    void ask(long call, Topic topic, Question question);

    /** The answer to a call that was asked here is no longer wanted. */
    void cancel(long call);

    /** Refuses a call of the peer. */
    void refuse(long call, Refusal refusal);

    /** Answers a call of the peer without a payload. */
    void answer(long call, Answer answer);

    /**
     * Answers a call of the peer with the buffer's first {@code length} payload bytes. Takes a reference of its own to the
     * buffer, and gives it back when the bytes have left.
     */
    void answer(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c);

    /** An answer that came over this session did not agree with its checksum. This is for people: nothing is done about it here. */
    void wasDamaged(Topic topic, Question question);
}
