package io.hawser.ptcp.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Who waits for a sign of life that the peer gives after it was asked, and not for one that was on its way already. Questions are
 * PINGs, their tokens any monotonic nanoseconds; the answers come in the order of the questions.
 *
 * <p>Thread: the session's loop only.
 */
public final class SignsOfLife {
    private record Asked(long tokenNanos, Runnable then) {}

    private final ArrayDeque<Asked> waiting = new ArrayDeque<>();

    /** A PING with this token leaves now; {@code then} is handed out with its answer. */
    public void asked(long tokenNanos, Runnable then) {
        waiting.add(new Asked(tokenNanos, then));
    }

    /** The PONG with this token arrived: who may go on now, in the order in which they asked. */
    public List<Runnable> answered(long tokenNanos) {
        List<Runnable> ready = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.getFirst().tokenNanos - tokenNanos <= 0) {
            ready.add(waiting.removeFirst().then);
        }
        return ready;
    }
}
