package io.hawser.gsi.credential;

import java.security.KeyPair;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes a few key pairs in advance, so that a login need not wait for its own. A thread makes one at a time, some time after one was taken, so that it
 * does not compete with the transfer that follows the login. When the pool is empty, the caller makes the pair.
 *
 * <p>Thread: any.
 */
public final class KeyPairPool implements KeySupply, AutoCloseable {
    private final KeySupply maker;
    private final long delayMillis;
    private final BlockingQueue<KeyPair> ready;
    private final ScheduledThreadPoolExecutor thread;

    /**
     * @param maker makes each pair
     * @param count its size
     * @param delay before each pair is made
     */
    public KeyPairPool(KeySupply maker, int count, Duration delay) {
        this.maker = maker;
        this.delayMillis = delay.toMillis();
        this.ready = new ArrayBlockingQueue<>(count);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "hawser-gsi-keys");
            made.setDaemon(true);
            return made;
        });
        for (int i = 0; i < count; i++) {
            schedule(i + 1L);
        }
    }

    private void schedule(long delays) {
        if (!thread.isShutdown()) {
            var unused = thread.schedule(() -> ready.offer(maker.next()), delays * delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public KeyPair next() {
        KeyPair pair = ready.poll();
        if (pair == null) {
            return maker.next();
        }
        schedule(1);
        return pair;
    }

    /** Pairs in the pool. */
    int readyNow() {
        return ready.size();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
