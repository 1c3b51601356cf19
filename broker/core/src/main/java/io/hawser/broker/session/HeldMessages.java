package io.hawser.broker.session;

import io.hawser.core.wire.SessionMessage;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The messages about subscriptions that a session has sent and that wait, in their order, until earlier changes of its node's subscriptions
 * are applied. So the questions to the store's index that wait are bounded by the number of nodes, however fast a peer subscribes.
 *
 * <p>When it is full, the session is not read any more ({@link SessionAllowance}).
 *
 * <p>Thread: the relay's loop.
 */
final class HeldMessages {
    /** Few, because a message may be long. One or two more may come before the session is not read any more. */
    static final int FULL = 8;

    private final ArrayDeque<SessionMessage> waiting = new ArrayDeque<>();
    private final BooleanSupplier mayChange;
    private final Consumer<SessionMessage> next;

    /**
     * Creates it.
     *
     * @param mayChange whether a message may be taken now
     * @param next takes the messages
     */
    HeldMessages(BooleanSupplier mayChange, Consumer<SessionMessage> next) {
        this.mayChange = mayChange;
        this.next = next;
    }

    /** Takes a message now, or after those that wait. */
    void take(SessionMessage message) {
        waiting.add(message);
        release();
    }

    /** Takes what waits, as far as that is possible now. */
    void release() {
        while (!waiting.isEmpty() && mayChange.getAsBoolean()) {
            next.accept(waiting.remove());
        }
    }

    boolean isFull() {
        return waiting.size() >= FULL;
    }

    /** The session is over. What it held has no effect: the broker ends subscriptions to replies without a session by itself. */
    void clear() {
        waiting.clear();
    }
}
