package io.hawser.store.log;

import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of appends that wait for the log writer; when it is full, an append fails. Full: the append fails and the
 * log lives on.
 *
 * <p>Thread: any puts, log-writer takes. No foreign code runs under the lock.
 */
final class AppendQueue {
    private final long maxHeapBytes;
    private final ArrayDeque<PendingAppend> waiting = new ArrayDeque<>();
    private long heapBytes;
    private @Nullable StorageException closed;

    AppendQueue(long maxHeapBytes) {
        this.maxHeapBytes = maxHeapBytes;
    }

    /** Puts it in, or says why not. */
    synchronized @Nullable StorageException put(PendingAppend append) {
        if (closed != null) {
            return closed;
        }
        if (heapBytes + append.heapBytes() > maxHeapBytes) {
            return new StorageException("more than " + maxHeapBytes + " bytes wait to be written to the log");
        }
        heapBytes += append.heapBytes();
        waiting.add(append);
        if (waiting.size() == 1) {
            notifyAll();
        }
        return null;
    }

    /** Waits for something, then takes what is there up to {@code maxBytes} of log; empty when it is closed and drained. */
    synchronized List<PendingAppend> take(int maxBytes) throws InterruptedException {
        while (waiting.isEmpty() && closed == null) {
            wait();
        }
        List<PendingAppend> group = new ArrayList<>();
        long bytes = 0;
        PendingAppend next = waiting.peek();
        while (next != null && (group.isEmpty() || bytes + next.lengthBytes() <= maxBytes)) {
            bytes += next.lengthBytes();
            heapBytes -= next.heapBytes();
            group.add(next);
            waiting.remove();
            next = waiting.peek();
        }
        return group;
    }

    /** Lets nothing in any more; later appends get {@code reason}. The first reason stays. */
    synchronized void close(StorageException reason) {
        if (closed == null) {
            closed = reason;
        }
        notifyAll();
    }

    /** Takes all that waits. */
    synchronized List<PendingAppend> drain() {
        List<PendingAppend> rest = new ArrayList<>(waiting);
        waiting.clear();
        heapBytes = 0;
        return rest;
    }
}
