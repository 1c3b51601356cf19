package io.hawser.ops.event;

import io.hawser.store.log.SegmentLog;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the segments that earlier runs have left, one after the other and slowly, so that damage in them is known some minutes after a
 * start and not when somebody asks for what was in them.
 *
 * <p>Thread: its queue.
 */
final class EventLogScrub {
    private static final Logger LOG = LoggerFactory.getLogger(EventLogScrub.class);
    /** A segment has 4 MiB, so this is no load for a disk. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final SegmentLog log;
    private final SerialQueue queue;
    private final DiskExecutor disk;
    /** The first segment of this run. */
    private final long end;

    EventLogScrub(SegmentLog log, SerialQueue queue, DiskExecutor disk) {
        this.log = log;
        this.queue = queue;
        this.disk = disk;
        this.end = log.end().segment();
    }

    void begin() {
        queue.execute(() -> next(0));
    }

    /** Reads the first segment after {@code done}. */
    private void next(long done) {
        long number = log.segments().stream()
                .mapToLong(each -> each.number())
                .filter(each -> each > done && each < end)
                .findFirst()
                .orElse(end);
        if (number == end) {
            return;
        }
        try {
            log.verify(number);
        } catch (StorageException e) {
            LOG.atError().addKeyValue("segment", number).setCause(e).log("A segment of the event log cannot be read");
        }
        disk.after(PAUSE, () -> queue.execute(() -> next(number)));
    }
}
