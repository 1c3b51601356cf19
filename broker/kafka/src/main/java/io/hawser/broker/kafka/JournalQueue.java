package io.hawser.broker.kafka;

import io.hawser.broker.store.local.RecordKind;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The order in which records were appended, which is the order of the journal, but for fragments among themselves: one waits until its
 * payload is in its place, and with it all later records that are no fragments. Fragments that follow each other have come in any order, and
 * one with its payload in place does not wait for another's. Bounded by the heap that it takes. Full: the append fails and the log lives on.
 *
 * <p>Thread: any puts, journal-writer takes. No foreign code runs under the lock but the handing over of a payload.
 */
final class JournalQueue {
    private static final long MAX_HEAP_BYTES = 24L << 20;
    private static final int MAX_GROUP_RECORDS = 2_000;
    private static final int MAX_GROUP_BYTES = 4 << 20;

    private final ArrayDeque<PendingRecord> waiting = new ArrayDeque<>();
    private long heapBytes;
    private @Nullable StorageException closed;

    /**
     * Puts it in, or says why not.
     *
     * @param payload is given it in the same order, if it has a fragment
     */
    synchronized @Nullable StorageException put(PendingRecord record, Consumer<PendingRecord> payload) {
        if (closed != null) {
            return closed;
        }
        if (heapBytes + record.heapBytes() > MAX_HEAP_BYTES) {
            return new RemoteStoreException("more than " + MAX_HEAP_BYTES + " bytes wait to be written to the journal");
        }
        heapBytes += record.heapBytes();
        waiting.add(record);
        if (record.fragment != null) {
            payload.accept(record);
        }
        notifyAll();
        return null;
    }

    /** Its payload is in its place. */
    synchronized void placed(PendingRecord record, KafkaJournalRecord.PayloadPlace place) {
        record.placed(place);
        notifyAll();
    }

    /** Waits for something that can be written, and takes all of it; empty when it is closed and drained. */
    synchronized List<PendingRecord> take() throws InterruptedException {
        List<PendingRecord> group = takeReady();
        while (group.isEmpty() && (closed == null || !waiting.isEmpty())) {
            wait();
            group = takeReady();
        }
        return group;
    }

    private List<PendingRecord> takeReady() {
        List<PendingRecord> group = new ArrayList<>();
        long bytes = 0;
        boolean overtakes = false;
        for (Iterator<PendingRecord> each = waiting.iterator();
                each.hasNext() && group.size() < MAX_GROUP_RECORDS && bytes < MAX_GROUP_BYTES; ) {
            PendingRecord next = each.next();
            if (!next.isReady() || overtakes) {
                if (next.kind != RecordKind.FRAGMENT) {
                    break; // it waits for all before it, and all after it wait for it
                }
                overtakes = true;
            }
            if (next.isReady()) {
                bytes += next.heapBytes();
                heapBytes -= next.heapBytes();
                group.add(next);
                each.remove();
            }
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

    /** Takes all that waits, whether it is ready or not; nothing is let in any more. */
    synchronized List<PendingRecord> drain(StorageException reason) {
        close(reason);
        List<PendingRecord> rest = new ArrayList<>(waiting);
        waiting.clear();
        heapBytes = 0;
        return rest;
    }
}
