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
 * Who of all uploads has one of the few buffers next. They are given in the order in which they were asked for. While somebody
 * waits, an upload that does not fill its buffer is told to give it back: when nothing has come for it in {@link #IDLE_NANOS}, and
 * after {@link #TURN_NANOS} also when little comes. So uploads that stand still, or are slow, hold nobody up, however many they
 * are; and while there are buffers for all nobody is told anything.
 *
 * <p>All users of the pool go through here, or the order would be theirs to break.
 *
 * <p>Thread: the loop.
 */
public final class BufferScheduler {
    static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A client of 17 Mbit/s fills a fragment of 1 MiB in it. What is given back costs a write and a read. */
    static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

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

        /** It is full, or is given back: nobody is to be told of it any more. */
        public void end() {
            holds.remove(this);
        }

        private boolean isDue(long now) {
            return now - touchedNanos >= IDLE_NANOS || now - sinceNanos >= TURN_NANOS;
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

    /** Gives turns at the buffers of {@code pool}. */
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

    /** A buffer with a reference count of one, or null when there is none or others wait who came before. */
    public @Nullable FragmentBuffer tryAcquire() {
        return isFree() ? pool.tryAcquire() : null;
    }

    /** Runs {@code waiter} once, later, when it is its turn and a buffer is free; it may leave it to the next. */
    public void whenTurn(Runnable waiter) {
        waiters.add(waiter);
        waitForPool();
        if (!lookDue) {
            lookDue = true;
            loop.execute(this::look);
        }
    }

    /**
     * Somebody has begun to fill a buffer.
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
            // Who waits again meanwhile has had its turn, and may have left it since it waits for something else.
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
