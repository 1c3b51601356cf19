package io.hawser.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from the loop to the callback thread: what is to be told in one turn of the loop goes together at its end. Of many small
 * transfers a few hundred become durable at once, and the callback thread is woken once for them, not for each.
 *
 * <p>Thread: the loop.
 */
final class CallbackTurn implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackTurn.class);

    private final Executor loop;
    private final Executor callbacks;
    private List<Runnable> turn = new ArrayList<>();

    CallbackTurn(Executor loop, Executor callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
    }

    @Override
    public void execute(Runnable task) {
        turn.add(task);
        if (turn.size() == 1) {
            loop.execute(this::handOver);
        }
    }

    private void handOver() {
        List<Runnable> ended = turn;
        turn = new ArrayList<>();
        callbacks.execute(() -> ended.forEach(CallbackTurn::run));
    }

    /** What one of them throws is no reason not to tell the others. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("A callback failed");
        }
    }
}
