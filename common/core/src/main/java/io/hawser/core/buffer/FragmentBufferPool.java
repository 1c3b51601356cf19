package io.hawser.core.buffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of {@link FragmentBuffer}s, which bounds a node's bulk memory. Buffers are allocated on first use and never returned to the
 * system.
 *
 * <p>Some more may be set aside: a buffer whose bytes are kept for later does not count as in use; see {@link FragmentBuffer#setAside}.
 *
 * <p>Thread: any. The lock is held for a few instructions, and no foreign code runs under it.
 */
public final class FragmentBufferPool {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentBufferPool.class);

    private final int payloadCapacity;
    private final int capacity;
    private final int maxAside;
    private final ArrayDeque<FragmentBuffer> free = new ArrayDeque<>();
    private final List<Runnable> waiters = new ArrayList<>();
    private int created;
    private int aside;

    /**
     * Creates a pool whose buffers cannot be set aside.
     *
     * @param payloadCapacity payload bytes per buffer: the largest fragment that this node accepts
     * @param capacity the most buffers
     */
    public FragmentBufferPool(int payloadCapacity, int capacity) {
        this(payloadCapacity, capacity, 0);
    }

    /**
     * @param payloadCapacity payload bytes per buffer: the largest fragment that this node accepts
     * @param capacity the most buffers in use
     * @param maxAside the most buffers set aside besides
     */
    public FragmentBufferPool(int payloadCapacity, int capacity, int maxAside) {
        this.payloadCapacity = payloadCapacity;
        this.capacity = capacity;
        this.maxAside = maxAside;
    }

    /** A buffer with a reference count of one, or null when all are in use. */
    public @Nullable FragmentBuffer tryAcquire() {
        synchronized (free) {
            if (inUse() == capacity) {
                return null;
            }
            FragmentBuffer buffer = free.pollLast(); // the last used one is still in the CPU cache
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
     * Runs {@code waiter} once, as soon as a buffer is free: at once if one is, otherwise on the thread that releases one. A waiter only posts
     * to its own thread.
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

    /** The most buffers in use. */
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

    /** Sets a buffer in use aside if possible. Returns whether it is aside now. */
    boolean setAside(FragmentBuffer buffer) {
        List<Runnable> woken;
        synchronized (free) {
            if (buffer.isAside()) {
                return true;
            }
            if (aside == maxAside) {
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
