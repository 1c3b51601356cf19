package io.hawser.ptcp.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The PINGs that await their PONG, each with the callback to run then. A callback waits for the PONG of its own PING. Tokens are any monotonic nanoseconds; PONGs arrive
 * in the order of the PINGs.
 *
 * <p>Thread: the session's loop only.
 */
public final class PongCallbacks {
    private record Probe(long tokenNanos, Runnable then) {}

    private final ArrayDeque<Probe> waiting = new ArrayDeque<>();

    /** A PING with this token leaves; {@link #onAnswered} returns {@code then} with its PONG. */
    public void onSent(long tokenNanos, Runnable then) {
        waiting.add(new Probe(tokenNanos, then));
    }

    /** A PONG arrived: returns the callbacks that it answers, in order. */
    public List<Runnable> onAnswered(long tokenNanos) {
        List<Runnable> ready = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.getFirst().tokenNanos - tokenNanos <= 0) {
            ready.add(waiting.removeFirst().then);
        }
        return ready;
    }
}
