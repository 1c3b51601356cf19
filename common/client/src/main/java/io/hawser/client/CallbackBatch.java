package io.hawser.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes callbacks from the loop to the callback thread, all of one pass of the loop as one task: hundreds of small transfers become
 * durable at once, and the thread wakes up once for them.
 *
 * <p>Thread: the loop.
 */
final class CallbackBatch implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(CallbackBatch.class);

    private final Executor loop;
    private final Executor callbacks;
    private List<Runnable> batch = new ArrayList<>();

    CallbackBatch(Executor loop, Executor callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
    }

    @Override
    public void execute(Runnable task) {
        batch.add(task);
        if (batch.size() == 1) {
            loop.execute(this::handOver);
        }
    }

    private void handOver() {
        List<Runnable> complete = batch;
        batch = new ArrayList<>();
        callbacks.execute(() -> complete.forEach(CallbackBatch::run));
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) { // the others of the batch run all the same
            LOG.atError().setCause(e).log("A callback failed");
        }
    }
}
