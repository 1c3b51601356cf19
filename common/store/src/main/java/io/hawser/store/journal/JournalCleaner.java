package io.hawser.store.journal;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.JournaledTransfer.JournaledContent;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes segments of a journal that no transfer needs any more, the oldest first. When little of the journal is live, it appends what is
 * live in the oldest segment once more.
 *
 * <p>Thread: the loop; reading and deleting are done on a disk thread.
 *
 * @param <R> the role's records
 */
public final class JournalCleaner<R extends JournalRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(JournalCleaner.class);
    private static final int MIN_SEALED_SEGMENTS = 3;
    private static final int MAX_DEAD_PER_LIVE = 3;
    /** How many transfers are carried before the segments are looked at again. */
    private static final int MAX_CARRIED = 8192;
    /** How many of them at once: fewer forces than transfers, and room in the log's queue for others. */
    private static final int MAX_CARRIED_AT_ONCE = 256;

    private static final int MAX_READ_AT_ONCE = 4;

    private final TransferJournal<R> journal;
    private final JournalUse use;
    private final Supplier<? extends Collection<? extends JournaledTransfer<R>>> transfers;
    private final Supplier<List<R>> common;
    private final @Nullable FragmentBufferPool pool;
    private final Executor disk;
    private final Executor loop;
    private final Queue<JournaledTransfer<R>> toCarry = new ArrayDeque<>();
    private boolean busy;
    private boolean hasCarried;
    private int carrying;
    private int reading;

    /**
     * Creates it.
     *
     * @param use what of the journal the transfers need
     * @param transfers all that the journal has to remember
     * @param common the records about no transfer; appended once more before a segment is deleted
     * @param pool for the content of transfers; null if the role's transfers have none in the journal
     * @param disk runs blocking calls
     */
    public JournalCleaner(
            TransferJournal<R> journal,
            JournalUse use,
            Supplier<? extends Collection<? extends JournaledTransfer<R>>> transfers,
            Supplier<List<R>> common,
            @Nullable FragmentBufferPool pool,
            Executor disk,
            Executor loop) {
        this.journal = journal;
        this.use = use;
        this.transfers = transfers;
        this.common = common;
        this.pool = pool;
        this.disk = disk;
        this.loop = loop;
    }

    private record JournalSize(List<SegmentInfo> sealed, long journalBytes) {}

    /** Looks whether there is something to do; cheap if not, or if it works already. */
    public void tick() {
        if (busy) {
            return;
        }
        busy = true;
        disk.execute(() -> {
            JournalSize size = new JournalSize(journal.sealedSegments(), journal.sizeBytes());
            loop.execute(() -> look(size));
        });
    }

    private void look(JournalSize size) {
        if (size.sealed.isEmpty()) {
            busy = false;
        } else {
            journal.afterAppends(() -> decide(size)); // then it is known what is needed of the sealed segments
        }
    }

    private void decide(JournalSize size) {
        List<SegmentInfo> unneeded = size.sealed.stream()
                .filter(segment -> segment.number() < use.firstSegment())
                .toList();
        if (!unneeded.isEmpty()) {
            deleteAfter(common.get().iterator(), unneeded);
        } else if (size.sealed.size() >= MIN_SEALED_SEGMENTS
                && size.journalBytes > (1 + MAX_DEAD_PER_LIVE) * use.lengthBytes()) {
            carry(size.sealed.get(0).number());
        } else {
            busy = false;
        }
    }

    /** Only when what replaces their records is durable: if the journal is dead they stay, and this never works again. */
    private void deleteAfter(Iterator<R> replacements, List<SegmentInfo> segments) {
        if (replacements.hasNext()) {
            journal.append(
                    replacements.next(), (position, lengthBytes) -> deleteAfter(replacements, segments), cause -> {});
        } else {
            delete(segments);
        }
    }

    private void delete(List<SegmentInfo> segments) {
        disk.execute(() -> {
            boolean areGone = segments.stream().allMatch(this::delete);
            loop.execute(() -> over(areGone));
        });
    }

    /** Disk thread. */
    private boolean delete(SegmentInfo segment) {
        try {
            journal.deleteSegment(segment.number());
            return true;
        } catch (StorageException e) {
            LOG.atWarn()
                    .addKeyValue("segment", segment.number())
                    .setCause(e)
                    .log("A journal segment could not be deleted; tried again later");
            return false;
        }
    }

    /** One step is over; after one that did something there may be more to do. */
    private void over(boolean hasDoneSomething) {
        busy = false;
        if (hasDoneSomething) {
            tick();
        }
    }

    private void carry(long segment) {
        hasCarried = false;
        for (JournaledTransfer<R> transfer : transfers.get()) {
            if (transfer.footprint().firstSegment() <= segment && toCarry.size() < MAX_CARRIED) {
                toCarry.add(transfer);
            }
        }
        carryMore();
    }

    private void carryMore() {
        while (carrying < MAX_CARRIED_AT_ONCE && reading < MAX_READ_AT_ONCE && !toCarry.isEmpty()) {
            JournaledTransfer<R> next = toCarry.remove();
            JournaledContent content = next.content();
            if (content == null || content.lengthBytes() == 0) {
                append(next, null);
            } else if (!read(next, content)) {
                toCarry.clear(); // another time
            }
        }
        if (carrying == 0 && reading == 0) {
            over(hasCarried);
        }
    }

    /** Reads a small transfer's bytes, and appends it with them. False if there is no buffer. */
    private boolean read(JournaledTransfer<R> transfer, JournaledContent content) {
        FragmentBuffer buffer = Objects.requireNonNull(pool).tryAcquire();
        if (buffer == null) {
            return false;
        }
        TransferKey key = Objects.requireNonNull(transfer.toRecords().get(0).key());
        reading++;
        disk.execute(() -> {
            Fragment found = null;
            try {
                LogRecord record = journal.read(content.position(), content.lengthBytes(), buffer);
                if (record.payloadLength() != content.lengthBytes() || !key.equals(record.key())) {
                    throw new CorruptRecordException(
                            "The journal's record at " + content.position() + " has not the bytes of " + key);
                }
                found = new Fragment(key, 0, content.lengthBytes(), record.payloadCrc32c(), record.leaf(), buffer, 0);
            } catch (StorageException e) {
                LOG.atError()
                        .addKeyValue("transfer", key)
                        .setCause(e)
                        .log("A small transfer cannot be read from the journal; its segment stays");
            }
            Fragment fragment = found;
            loop.execute(() -> {
                reading--;
                if (fragment != null) {
                    append(transfer, fragment);
                }
                buffer.release();
                carryMore();
            });
        });
        return true;
    }

    private void append(JournaledTransfer<R> transfer, @Nullable Fragment content) {
        if (!transfer.isAtRest() || transfer.footprint().firstSegment() == JournalFootprint.NOWHERE) {
            return; // it is changing: another time
        }
        List<R> records = transfer.toRecords();
        Carried carried = new Carried(transfer, records.size());
        carrying++;
        Fragment withNext = content;
        for (R record : records) {
            transfer.footprint().recordLeaves();
            TransferJournal.Durable durable = (position, lengthBytes) -> carried.durable(record, position, lengthBytes);
            Consumer<StorageException> failed =
                    cause -> transfer.footprint().recordArrived(); // this cleaner never works again
            journal.append(record, withNext, durable, failed);
            withNext = null;
        }
    }

    /** Counts the records of one transfer as they become durable; then what lies before them is no longer needed. */
    private final class Carried {
        private final JournaledTransfer<R> transfer;
        private int missing;
        private long firstSegment = Long.MAX_VALUE;
        private long bytes;

        Carried(JournaledTransfer<R> transfer, int missing) {
            this.transfer = transfer;
            this.missing = missing;
        }

        void durable(R record, LogPosition position, long lengthBytes) {
            transfer.footprint().recordArrived();
            transfer.apply(record, position, lengthBytes);
            firstSegment = Math.min(firstSegment, position.segment());
            bytes += lengthBytes;
            if (--missing == 0) {
                transfer.footprint().replace(firstSegment, bytes);
                hasCarried = true;
                carrying--;
                carryMore();
            }
        }
    }
}
