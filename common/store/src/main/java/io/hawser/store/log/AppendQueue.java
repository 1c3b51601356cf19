package io.hawser.store.log;

import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of appends that wait for the log writer. Full: the append fails and the log lives on.
 *
 * <p>Thread: any puts, log-writer takes. No foreign code runs under the lock.
 */
final class AppendQueue {
    private final long maxHeapBytes;
    private final Runnable wakeWriter;
    private final ArrayDeque<PendingAppend> waiting = new ArrayDeque<>();
    private long heapBytes;
    /** Whether the writer has been woken, and has not paused since. */
    private boolean awake;

    private @Nullable StorageException closed;

    AppendQueue(long maxHeapBytes, Runnable wakeWriter) {
        this.maxHeapBytes = maxHeapBytes;
        this.wakeWriter = wakeWriter;
    }

    /** Puts it in, or says why not. */
    @Nullable
    StorageException put(PendingAppend append) {
        synchronized (this) {
            if (closed != null) {
                return closed;
            }
            if (heapBytes + append.heapBytes() > maxHeapBytes) {
                return new StorageException("more than " + maxHeapBytes + " bytes wait to be written to the log");
            }
            heapBytes += append.heapBytes();
            waiting.add(append);
            if (awake) {
                return null;
            }
            awake = true;
        }
        wakeWriter.run();
        return null;
    }

    /** Moves what waits to {@code group}, up to {@code maxBytes} of log, but one at least. */
    synchronized void take(Collection<PendingAppend> group, int maxBytes) {
        long bytes = 0;
        PendingAppend next = waiting.peek();
        while (next != null && (group.isEmpty() || bytes + next.lengthBytes() <= maxBytes)) {
            bytes += next.lengthBytes();
            heapBytes -= next.heapBytes();
            group.add(next);
            waiting.remove();
            next = waiting.peek();
        }
    }

    /** Whether the writer may pause until it is woken: nothing waits, nor the end. */
    synchronized boolean pause() {
        awake = !waiting.isEmpty() || closed != null;
        return !awake;
    }

    /** Lets nothing in any more; later appends get {@code reason}. The first reason stays. */
    void close(StorageException reason) {
        synchronized (this) {
            if (closed == null) {
                closed = reason;
            }
            if (awake) {
                return;
            }
            awake = true;
        }
        wakeWriter.run();
    }

    /** Takes all that waits. */
    synchronized void drain(Collection<PendingAppend> rest) {
        rest.addAll(waiting);
        waiting.clear();
        heapBytes = 0;
    }
}
