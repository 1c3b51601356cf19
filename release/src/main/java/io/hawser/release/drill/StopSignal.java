package io.hawser.release.drill;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ctrl-C, and waits that it ends. Thread: any. */
final class StopSignal {
    private static final long POLL_MILLIS = 20;

    private final CountDownLatch requested = new CountDownLatch(1);
    private Runnable progress = () -> {};

    void request() {
        requested.countDown();
    }

    /** Shows the progress during all further waits. */
    void onWait(Runnable show) {
        progress = show;
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Sleeps; returns at once when it is requested. */
    void sleep(long millis) throws InterruptedException {
        boolean unused = requested.await(Math.max(0, millis), TimeUnit.MILLISECONDS);
    }

    /** Waits until the condition holds; returns whether it does, false also if it is requested meanwhile. */
    boolean await(long limitMillis, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        progress.run();
        while (!condition.getAsBoolean()) {
            if (isRequested() || System.nanoTime() - deadline > 0) {
                return condition.getAsBoolean();
            }
            sleep(POLL_MILLIS);
            progress.run();
        }
        return true;
    }
}
