package io.hawser.broker.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether the process was asked to end (SIGTERM) while it waits for the store. Then what was begun is ended at once, so that
 * Kafka and the other brokers know, and so that the waiting has an end.
 *
 * <p>Thread: any; what is to be ended is ended on {@code hawser-kafka-leave}.
 */
final class ShutdownSignal implements AutoCloseable {
    private final CountDownLatch came = new CountDownLatch(1);
    private final List<Runnable> begun = new ArrayList<>();
    private final Thread hook = new Thread(this::end, "hawser-kafka-leave");

    ShutdownSignal() {
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) { // it has come already
            came.countDown();
        }
    }

    /** When the signal comes, or if it has come, this is done. */
    void endsWith(Runnable end) {
        boolean late;
        synchronized (begun) {
            late = came.getCount() == 0;
            begun.add(end);
        }
        if (late) {
            end.run();
        }
    }

    private void end() {
        List<Runnable> ends;
        synchronized (begun) {
            came.countDown();
            ends = List.copyOf(begun);
        }
        ends.forEach(Runnable::run);
    }

    boolean hasCome() {
        return came.getCount() == 0;
    }

    /** @throws CancellationException if it has come, or comes meanwhile */
    void pause(Duration pause) {
        try {
            if (came.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw cancelled();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cancelled();
        }
    }

    private static CancellationException cancelled() {
        return new CancellationException("told to end before the store was open");
    }

    /** From now on another handler has the signal. @throws CancellationException if it has come */
    void check() {
        close();
        if (hasCome()) {
            throw cancelled();
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) { // the process ends
            came.countDown();
        }
    }
}
