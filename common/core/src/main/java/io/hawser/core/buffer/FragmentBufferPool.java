package io.hawser.core.buffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of {@link FragmentBuffer}s: the bound on a node's bulk memory. Buffers are allocated on first use and never
 * given back to the system.
 *
 * <p>Some more may be set aside: what holds bytes that somebody will want later no longer counts as in use, so that it takes
 * nobody's place; see {@link FragmentBuffer#setAside}.
 *
 * <p>Thread: any. The lock is held for a few instructions and no foreign code runs under it.
 */
public final class FragmentBufferPool {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentBufferPool.class);

    private final int payloadCapacity;
    private final int capacity;
    private final int mostAside;
    private final ArrayDeque<FragmentBuffer> free = new ArrayDeque<>();
    private final List<Runnable> waiters = new ArrayList<>();
    private int created;
    private int aside;

    /**
     * Creates a pool of which nothing can be set aside.
     *
     * @param payloadCapacity payload bytes per buffer: the largest fragment that this node takes
     * @param capacity how many buffers there are at most
     */
    public FragmentBufferPool(int payloadCapacity, int capacity) {
        this(payloadCapacity, capacity, 0);
    }

    /**
     * Creates a pool.
     *
     * @param payloadCapacity payload bytes per buffer: the largest fragment that this node takes
     * @param capacity how many buffers are in use at most
     * @param mostAside how many more may be set aside at most
     */
    public FragmentBufferPool(int payloadCapacity, int capacity, int mostAside) {
        this.payloadCapacity = payloadCapacity;
        this.capacity = capacity;
        this.mostAside = mostAside;
    }

    /** A buffer with a reference count of one, or null when all are in use. */
    public @Nullable FragmentBuffer tryAcquire() {
        synchronized (free) {
            if (inUse() == capacity) {
                return null;
            }
            FragmentBuffer buffer = free.pollLast(); // the one used last is still in the CPU cache
            if (buffer == null) {
                FragmentBuffer first = new FragmentBuffer(this, payloadCapacity);
                created++;
                return first;
            }
            buffer.reuse();
            return buffer;
        }
    }

    /**
     * Runs {@code waiter} once, as soon as a buffer is free: at once if one is, otherwise on the thread that gives one back.
     * A waiter only posts to its own thread; it does no work there.
     */
    public void whenAvailable(Runnable waiter) {
        synchronized (free) {
            if (inUse() == capacity) {
                waiters.add(waiter);
                return;
            }
        }
        waiter.run();
    }

    /** Payload bytes per buffer. */
    public int payloadCapacity() {
        return payloadCapacity;
    }

    /** How many buffers are in use at most. */
    public int capacity() {
        return capacity;
    }

    /** How many buffers could be acquired now. */
    public int available() {
        synchronized (free) {
            return capacity - inUse();
        }
    }

    /** How many are set aside. */
    public int aside() {
        synchronized (free) {
            return aside;
        }
    }

    /** Under the lock. */
    private int inUse() {
        return created - free.size() - aside;
    }

    /** Whether the buffer, which is in use or aside, is aside now. */
    boolean setAside(FragmentBuffer buffer) {
        List<Runnable> woken;
        synchronized (free) {
            if (buffer.isAside()) {
                return true;
            }
            if (aside == mostAside) {
                return false;
            }
            buffer.aside(true);
            aside++;
            woken = takeWaiters();
        }
        woken.forEach(FragmentBufferPool::wake);
        return true;
    }

    void giveBack(FragmentBuffer buffer) {
        List<Runnable> woken;
        synchronized (free) {
            if (buffer.isAside()) {
                buffer.aside(false);
                aside--;
            }
            free.addLast(buffer);
            woken = takeWaiters();
        }
        woken.forEach(FragmentBufferPool::wake);
    }

    /** Under the lock. */
    private List<Runnable> takeWaiters() {
        if (waiters.isEmpty() || inUse() == capacity) {
            return List.of();
        }
        List<Runnable> taken = List.copyOf(waiters);
        waiters.clear();
        return taken;
    }

    static void wake(Runnable waiter) {
        try {
            waiter.run();
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The thread that waited for a buffer has ended");
        }
    }
}
