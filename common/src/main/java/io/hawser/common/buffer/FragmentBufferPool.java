package io.hawser.common.buffer;

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
 * <p>Thread: any. The lock is held for a few instructions and no foreign code runs under it.
 */
public final class FragmentBufferPool {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentBufferPool.class);

    private final int payloadCapacity;
    private final int capacity;
    private final ArrayDeque<FragmentBuffer> free = new ArrayDeque<>();
    private final List<Runnable> waiters = new ArrayList<>();
    private int created;

    /**
     * Creates a pool.
     *
     * @param payloadCapacity payload bytes per buffer: the largest fragment that this node takes
     * @param capacity how many buffers there are at most
     */
    public FragmentBufferPool(int payloadCapacity, int capacity) {
        this.payloadCapacity = payloadCapacity;
        this.capacity = capacity;
    }

    /** A buffer with a reference count of one, or null when all are in use. */
    public @Nullable FragmentBuffer tryAcquire() {
        synchronized (free) {
            FragmentBuffer buffer = free.pollLast(); // the one used last is still in the CPU cache
            if (buffer == null) {
                if (created == capacity) {
                    return null;
                }
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
            if (free.isEmpty() && created == capacity) {
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

    /** How many buffers there are at most. */
    public int capacity() {
        return capacity;
    }

    /** How many buffers could be acquired now. */
    public int available() {
        synchronized (free) {
            return free.size() + capacity - created;
        }
    }

    void giveBack(FragmentBuffer buffer) {
        List<Runnable> woken = List.of();
        synchronized (free) {
            free.addLast(buffer);
            if (!waiters.isEmpty()) {
                woken = List.copyOf(waiters);
                waiters.clear();
            }
        }
        woken.forEach(FragmentBufferPool::wake);
    }

    private static void wake(Runnable waiter) {
        try {
            waiter.run();
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The thread that waited for a buffer has ended");
        }
    }
}
