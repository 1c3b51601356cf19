package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import org.jspecify.annotations.Nullable;

/**
 * One question on its way through the broker.
 *
 * <p>Thread: the relay's loop.
 */
final class RelayedCall {
    final CallerSession asker;
    final long number;

    final Topic topic;
    final Question question;
    /** The session that was asked, and its number there; null while it waits. */
    @Nullable
    CallLink server;

    long numberThere;

    @Nullable
    FragmentBuffer memory;

    int damages;

    RelayedCall(CallerSession asker, long number, Topic topic, Question question) {
        this.asker = asker;
        this.number = number;
        this.topic = topic;
        this.question = question;
    }

    void releaseMemory() {
        if (memory != null) {
            memory.release();
            memory = null;
        }
    }
}
