package io.hawser.ops.event;

import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which events are in which segment of the event log.
 *
 * <p>Thread: any; calls that read block.
 */
final class EventSegments {
    private final TreeMap<Long, First> bySegment = new TreeMap<>();

    /** The first event of a segment. */
    private record First(long sequence, long epochMillis) {}

    /** A batch became durable there. */
    synchronized void durable(long segment, Event first) {
        bySegment.putIfAbsent(segment, new First(first.sequence(), first.epochMillis()));
    }

    /** The segment to begin at for the event with that number, or the one after it; 0 if that is before all. */
    synchronized long segmentOf(long sequence) {
        long found = 0;
        for (Map.Entry<Long, First> each : bySegment.entrySet()) {
            if (each.getValue().sequence() > sequence) {
                break;
            }
            found = each.getKey();
        }
        return found;
    }

    /** The newest segment whose first events are known; 0 if there is none. */
    synchronized long lastSegment() {
        return bySegment.isEmpty() ? 0 : bySegment.lastKey();
    }

    /** The number of the oldest event that is kept; 1 if there is none. */
    synchronized long firstSequence() {
        return bySegment.isEmpty() ? 1 : bySegment.firstEntry().getValue().sequence();
    }

    /**
     * Deletes the oldest full segments while there is too much.
     *
     * @param beforeMillis what is older may go
     * @param beforeSequence what comes before may go
     * @param quotaBytes how much there may be
     */
    void expire(EventJournal log, long beforeMillis, long beforeSequence, long quotaBytes) throws StorageException {
        List<SegmentInfo> segments = log.segments();
        for (SegmentInfo each : segments) {
            First next = firstAfter(each.number());
            boolean mayGo = next == null
                    ? !hasEvents(each.number())
                    : next.epochMillis() < beforeMillis
                            || next.sequence() <= beforeSequence
                            || log.sizeBytes() > quotaBytes;
            if (!each.sealed() || !mayGo) {
                return;
            }
            log.deleteSegment(each.number());
            synchronized (this) {
                bySegment.remove(each.number());
            }
        }
    }

    private synchronized boolean hasEvents(long segment) {
        return bySegment.containsKey(segment);
    }

    private synchronized @Nullable First firstAfter(long segment) {
        Map.Entry<Long, First> next = bySegment.higherEntry(segment);
        return next == null ? null : next.getValue();
    }

    /** Notes the first record of each segment that has one. Blocks. */
    void add(LogRecord record, EventCodec.Batch batch) {
        if (!batch.events().isEmpty()) {
            durable(record.position().segment(), batch.events().get(0));
        }
    }
}
