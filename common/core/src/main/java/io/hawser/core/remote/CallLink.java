package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;

/**
 * A session, as the calling or answering side of remote calls uses it. The caller chooses a call's number and uses it once on a session. No
 * callback runs inside these methods.
 *
 * <p>Thread: the session's loop.
 */
public interface CallLink {
    /** Asks a question. The answer, or a refusal, comes to the {@link CallHandler}. */
    void ask(long call, Topic topic, Question question);

    /** The answer to a call that was asked here is no longer wanted. */
    void cancel(long call);

    void refuse(long call, Refusal refusal);

    /** Answers a call of the peer without a payload. */
    void answer(long call, Answer answer);

    /**
     * Answers a call of the peer with the buffer's first {@code length} payload bytes. Retains the buffer until they have left.
     */
    void answer(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c);

    /** Whether the peer does not read what it is sent; nothing should be asked of it then. */
    boolean isBackedUp();

    /** Logs that an answer of this session did not match its checksum. */
    void wasDamaged(Topic topic, Question question);
}
