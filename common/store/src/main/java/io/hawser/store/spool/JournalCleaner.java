package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes journal segments that no transfer needs any more, the oldest first. When little of the journal is live, what is
 * live in the oldest segment is written again at its end.
 *
 * <p>Thread: the loop; reading and deleting are done on a disk thread.
 */
final class JournalCleaner {
    private static final Logger LOG = LoggerFactory.getLogger(JournalCleaner.class);
    private static final int MIN_SEALED_SEGMENTS = 3;
    private static final int MAX_DEAD_PER_LIVE = 3;
    private static final int MAX_CARRIED = 1024;

    private final TransferRegister register;
    private final SpoolJournal journal;
    private final FragmentBufferPool pool;
    private final Executor disk;
    private final LoopMailbox mailbox;
    private final LongSupplier lastNumber;
    private final Queue<SpoolTransfer> toCarry = new ArrayDeque<>();
    private boolean busy;

    JournalCleaner(
            TransferRegister register,
            SpoolJournal journal,
            FragmentBufferPool pool,
            Executor disk,
            LoopMailbox mailbox,
            LongSupplier lastNumber) {
        this.register = register;
        this.journal = journal;
        this.pool = pool;
        this.disk = disk;
        this.mailbox = mailbox;
        this.lastNumber = lastNumber;
    }

    private record JournalSize(List<SegmentInfo> sealed, long journalBytes) {}

    /** Looks whether there is something to do; cheap if not. */
    void tick() {
        if (busy) {
            return;
        }
        busy = true;
        disk.execute(() -> {
            JournalSize extent = new JournalSize(
                    journal.log.segments().stream().filter(SegmentInfo::sealed).toList(), journal.log.sizeBytes());
            mailbox.post(() -> look(extent));
        });
    }

    private void look(JournalSize extent) {
        if (extent.sealed.isEmpty()) {
            busy = false;
            return;
        }
        // This record completes after all records of the sealed segments, so what is needed of them is known.
        journal.append(
                new SpoolRecord.HighWater(lastNumber.getAsLong()),
                (position, lengthBytes) -> decide(extent),
                cause -> busy = false); // the journal is dead, and that has been told
    }

    private void decide(JournalSize extent) {
        long firstNeeded = Long.MAX_VALUE;
        long liveBytes = 0;
        for (SpoolTransfer transfer : register.all()) {
            firstNeeded = Math.min(firstNeeded, transfer.trail().firstSegment());
            liveBytes += transfer.trail().lengthBytes();
        }
        long needed = firstNeeded;
        List<SegmentInfo> unneeded = extent.sealed.stream()
                .filter(segment -> segment.number() < needed)
                .toList();
        if (!unneeded.isEmpty()) {
            delete(unneeded);
        } else if (extent.sealed.size() >= MIN_SEALED_SEGMENTS
                && extent.journalBytes > (1 + MAX_DEAD_PER_LIVE) * liveBytes) {
            carry(extent.sealed.get(0).number());
        } else {
            busy = false;
        }
    }

    private void delete(List<SegmentInfo> segments) {
        disk.execute(() -> {
            for (SegmentInfo segment : segments) {
                try {
                    journal.log.deleteSegment(segment.number());
                } catch (StorageException e) {
                    LOG.atWarn()
                            .addKeyValue("segment", segment.number())
                            .setCause(e)
                            .log("A journal segment could not be deleted; tried again later");
                }
            }
            mailbox.post(() -> busy = false);
        });
    }

    private void carry(long segment) {
        for (SpoolTransfer transfer : register.all()) {
            if (transfer.trail().firstSegment() <= segment && toCarry.size() < MAX_CARRIED) {
                toCarry.add(transfer);
            }
        }
        carryNext();
    }

    private void carryNext() {
        SpoolTransfer next = toCarry.poll();
        if (next == null) {
            busy = false;
            return;
        }
        LogPosition position = next.smallPosition();
        if (position == null || !next.isContentKept()) {
            append(next, null);
            return;
        }
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            toCarry.clear(); // another time
            busy = false;
            return;
        }
        int length = Math.max(0, next.lengthOf(0));
        disk.execute(() -> read(next, position, length, buffer));
    }

    private void read(SpoolTransfer transfer, LogPosition position, int length, FragmentBuffer buffer) {
        try {
            Fragment content = null;
            if (length > 0) {
                LogRecord record = journal.log.read(position, length, buffer);
                content = new Fragment(transfer.key(), 0, length, record.payloadCrc32c(), record.leaf(), buffer, 0);
            }
            Fragment found = content;
            mailbox.post(() -> {
                append(transfer, found);
                buffer.release();
            });
        } catch (StorageException e) {
            LOG.atError()
                    .addKeyValue("transfer", transfer.key())
                    .setCause(e)
                    .log("A small transfer cannot be read from the journal; its segment stays");
            mailbox.post(() -> {
                buffer.release();
                carryNext();
            });
        }
    }

    private void append(SpoolTransfer transfer, @Nullable Fragment content) {
        if (!transfer.trail().isAtRest() || transfer.trail().firstSegment() == Long.MAX_VALUE) {
            carryNext(); // it is changing: another time
            return;
        }
        List<SpoolRecord> records = transfer.toRecords();
        Carried carried = new Carried(transfer, records.size());
        for (SpoolRecord record : records) {
            transfer.trail().recordLeaves();
            SpoolJournal.Durable durable = (position, lengthBytes) -> carried.durable(record, position, lengthBytes);
            Consumer<StorageException> failed = cause -> {
                transfer.trail().recordArrived();
                busy = false; // the journal is dead, and that has been told
            };
            if (record instanceof SpoolRecord.Small small && content != null) {
                journal.append(small, content, durable, failed);
            } else {
                journal.append(record, durable, failed);
            }
        }
    }

    /** Counts the records of one transfer as they become durable; then what lies before them is no longer needed. */
    private final class Carried {
        private final SpoolTransfer transfer;
        private int missing;
        private long firstSegment = Long.MAX_VALUE;
        private long bytes;

        Carried(SpoolTransfer transfer, int missing) {
            this.transfer = transfer;
            this.missing = missing;
        }

        void durable(SpoolRecord record, LogPosition position, long lengthBytes) {
            transfer.trail().recordArrived();
            transfer.apply(record, position, lengthBytes);
            firstSegment = Math.min(firstSegment, position.segment());
            bytes += lengthBytes;
            if (--missing == 0) {
                transfer.trail().carriedTo(firstSegment, bytes);
                carryNext();
            }
        }
    }
}
