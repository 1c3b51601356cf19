package io.hawser.store.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The segments that are part of the log.
 *
 * <p>Thread: any.
 */
final class SegmentCatalog {
    private final ConcurrentSkipListMap<Long, LogSegment> segments = new ConcurrentSkipListMap<>();

    void add(LogSegment segment) {
        segments.put(segment.number(), segment);
    }

    void remove(long number) {
        segments.remove(number);
    }

    @Nullable
    LogSegment get(long number) {
        return segments.get(number);
    }

    /** The newest segment's number, 0 if there is none. */
    long lastNumber() {
        Map.Entry<Long, LogSegment> last = segments.lastEntry();
        return last == null ? 0 : last.getKey();
    }

    /** All from {@code number} on, ascending. */
    List<LogSegment> from(long number) {
        return new ArrayList<>(segments.tailMap(number, true).values());
    }

    List<SegmentInfo> infos() {
        return segments.values().stream().map(LogSegment::info).toList();
    }

    long sizeBytes() {
        return segments.values().stream().mapToLong(LogSegment::sizeBytes).sum();
    }
}
