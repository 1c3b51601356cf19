package io.hawser.gsi.credential;

import java.security.KeyPair;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Has a few key pairs made before they are asked for, so that a login does not wait for its own, nor does the transfer behind it share the processor
 * with that. One is made at a time, on a thread of its own, some while after one was taken; who comes when there is none makes it itself.
 *
 * <p>Thread: any.
 */
public final class KeyPairPool implements KeySupply, AutoCloseable {
    private final KeySupply maker;
    private final long restMillis;
    private final BlockingQueue<KeyPair> ready;
    private final ScheduledThreadPoolExecutor thread;

    /**
     * Begins.
     *
     * @param maker makes each
     * @param count how many are kept ready
     * @param rest how long it is waited before each is made
     */
    public KeyPairPool(KeySupply maker, int count, Duration rest) {
        this.maker = maker;
        this.restMillis = rest.toMillis();
        this.ready = new ArrayBlockingQueue<>(count);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "hawser-gsi-keys");
            made.setDaemon(true);
            return made;
        });
        for (int i = 0; i < count; i++) {
            later(i + 1L);
        }
    }

    private void later(long rests) {
        if (!thread.isShutdown()) {
            var unused = thread.schedule(() -> ready.offer(maker.next()), rests * restMillis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public KeyPair next() {
        KeyPair pair = ready.poll();
        if (pair == null) {
            return maker.next();
        }
        later(1);
        return pair;
    }

    /** How many are there now. */
    int readyNow() {
        return ready.size();
    }

    /** Makes no more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
