package io.hawser.agenta.upload;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the few fragment buffers to uploads, in the order in which they ask. While some wait, an upload that does not fill its buffer
 * must give it back: when nothing has come for it in {@link #IDLE_NANOS}, and after {@link #MAX_HOLD_NANOS} also when little comes. So
 * idle or slow uploads hold up no others, however many they are.
 *
 * <p>All users of the pool go through here, or the order would not hold.
 *
 * <p>Thread: the loop.
 */
public final class BufferScheduler {
    static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A client of 17 Mbit/s fills a fragment of 1 MiB in it. What is given back costs a write and a read. */
    static final long MAX_HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LOOK_MILLIS = 10;

    /** Runs something later, on the loop. */
    public interface Later {
        void run(long millis, Runnable task);
    }

    /** A buffer that is being filled. */
    public final class Hold {
        private final Runnable giveBack;
        private final long sinceNanos = nanoClock.getAsLong();
        private long touchedNanos = sinceNanos;

        private Hold(Runnable giveBack) {
            this.giveBack = giveBack;
        }

        /** Bytes have come into it. */
        public void touched() {
            touchedNanos = nanoClock.getAsLong();
        }

        /** When bytes last came into it, by the clock; when it was taken if none have. */
        public long touchedNanos() {
            return touchedNanos;
        }

        /** The buffer is full, or is given back. */
        public void end() {
            holds.remove(this);
        }

        private boolean isDue(long now) {
            return now - touchedNanos >= IDLE_NANOS || now - sinceNanos >= MAX_HOLD_NANOS;
        }
    }

    private final FragmentBufferPool pool;
    private final Executor loop;
    private final Later later;
    private final LongSupplier nanoClock;
    private final ArrayDeque<Runnable> waiters = new ArrayDeque<>();
    private final Set<Hold> holds = new LinkedHashSet<>();
    private boolean waitingForPool;
    private boolean serving;
    private boolean lookDue;

    /** Gives buffers at the buffers of {@code pool}. */
    public BufferScheduler(FragmentBufferPool pool, Executor loop, Later later, LongSupplier nanoClock) {
        this.pool = pool;
        this.loop = loop;
        this.later = later;
        this.nanoClock = nanoClock;
    }

    /** How many buffers there are. */
    public int capacity() {
        return pool.capacity();
    }

    /** Whether {@link #tryAcquire} would give one now. */
    public boolean isFree() {
        return (serving || waiters.isEmpty()) && pool.available() > 0;
    }

    /** A buffer with a reference count of one, or null when there is none or others have waited longer. */
    public @Nullable FragmentBuffer tryAcquire() {
        return isFree() ? pool.tryAcquire() : null;
    }

    /** Runs {@code waiter} once, later, when a buffer is free and others that waited longer have theirs; it may leave the buffer to the next. */
    public void whenFree(Runnable waiter) {
        waiters.add(waiter);
        waitForPool();
        if (!lookDue) {
            lookDue = true;
            loop.execute(this::look);
        }
    }

    /**
     * An upload has begun to fill a buffer.
     *
     * @param giveBack is run at most once, when others need it more, unless the hold has ended: it has to be given back soon
     */
    public Hold hold(Runnable giveBack) {
        Hold hold = new Hold(giveBack);
        holds.add(hold);
        return hold;
    }

    private void waitForPool() {
        if (!waitingForPool && !waiters.isEmpty()) {
            waitingForPool = true;
            pool.whenAvailable(() -> loop.execute(this::serve));
        }
    }

    private void serve() {
        waitingForPool = false;
        serving = true;
        try {
            // A waiter that waits again has been served, and may have left its buffer since it waits for something
            // else.
            for (int i = waiters.size(); i > 0 && pool.available() > 0; i--) {
                waiters.remove().run();
            }
        } finally {
            serving = false;
            waitForPool();
        }
    }

    private void look() {
        lookDue = false;
        if (waiters.isEmpty()) {
            return;
        }
        long now = nanoClock.getAsLong();
        holds.stream()
                .filter(hold -> hold.isDue(now))
                .sorted(Comparator.comparingLong(hold -> hold.touchedNanos - now))
                .limit(waiters.size())
                .toList()
                .forEach(this::tell);
        lookDue = true;
        later.run(LOOK_MILLIS, this::look);
    }

    private void tell(Hold hold) {
        if (holds.remove(hold)) {
            hold.giveBack.run();
        }
    }
}
