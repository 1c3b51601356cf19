package io.hawser.ptcp.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Pending probes of the peer: each callback waits for an answer to its own question, not for any earlier message. Questions are
 * PINGs, their tokens any monotonic nanoseconds; the answers come in the order of the questions.
 *
 * <p>Thread: the session's loop only.
 */
public final class LivenessProbes {
    private record Asked(long tokenNanos, Runnable then) {}

    private final ArrayDeque<Asked> waiting = new ArrayDeque<>();

    /** A PING with this token leaves now; {@code then} is returned with its answer. */
    public void asked(long tokenNanos, Runnable then) {
        waiting.add(new Asked(tokenNanos, then));
    }

    /** The PONG with this token arrived: the callbacks that it answers, in the order of asking. */
    public List<Runnable> answered(long tokenNanos) {
        List<Runnable> ready = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.getFirst().tokenNanos - tokenNanos <= 0) {
            ready.add(waiting.removeFirst().then);
        }
        return ready;
    }
}
