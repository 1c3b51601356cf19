package io.hawser.store.spool;

import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.store.journal.TransferJournal;
import io.hawser.store.log.LogPosition;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Appends the first journal record of each new transfer in the order in which the transfers came. That is how the next hop hears
 * of transfers that share a path in the order of their numbers, though some have to be hashed first and others not.
 *
 * <p>The bytes of small transfers are copied side by side into buffers of a small pool of the spool's own, hashed in batches, on
 * a digest thread if there are many bytes, and appended together: the log packs and forces them as one group.
 *
 * <p>Thread: the loop.
 */
final class FirstRecordQueue {
    private static final int ARENA_BUFFERS = 6;
    /** Bytes that are not durable yet; the other half of the arena is for what the sender keeps. */
    private static final int MAX_UNBORN_BYTES = 3 << 20;

    private static final int MAX_BATCH = 512;
    /** SHA-256 of so much takes the loop less time than a digest thread takes to wake. */
    private static final int MAX_LOOP_DIGEST_BYTES = 16 << 10;

    private final TransferJournal<SpoolRecord> journal;
    private final Executor digests;
    private final LoopMailbox mailbox;
    private final SmallArena arena = new SmallArena(ARENA_BUFFERS);
    private final Queue<Place> waiting = new ArrayDeque<>();
    private int unbornBytes;
    private boolean busy;
    private boolean waitingForArena;

    FirstRecordQueue(TransferJournal<SpoolRecord> journal, Executor digests, LoopMailbox mailbox) {
        this.journal = journal;
        this.digests = digests;
        this.mailbox = mailbox;
    }

    /** Receives the outcome of an open record. */
    interface Born {
        /**
         * The first record is durable.
         *
         * @param content the bytes of a small transfer, whose reference ends with the call; null for a large one
         */
        void born(SpoolRecord record, LogPosition position, long lengthBytes, @Nullable Fragment content);

        /** It is not, and never will be. */
        void failed(StorageException cause);
    }

    private static final class Birth {
        final SpoolTransfer transfer;
        final @Nullable ByteBuffer content;
        final Born born;

        @Nullable
        Fragment fragment;

        @Nullable
        Commit commit;

        Birth(SpoolTransfer transfer, @Nullable ByteBuffer content, Born born) {
            this.transfer = transfer;
            this.content = content;
            this.born = born;
        }
    }

    /** A place in the order for a transfer of which more has to be found out before it can be born. */
    static final class Place {
        private @Nullable Birth birth;
        private boolean dropped;

        private Place() {}
    }

    /** Takes a place. Everything that comes later waits until it is used or dropped. */
    Place reserve() {
        Place place = new Place();
        waiting.add(place);
        return place;
    }

    /** Nothing is born there. */
    void drop(Place place) {
        place.dropped = true;
        mailbox.post(this::work);
    }

    /** Begins a transfer whose bytes are in a file outside of the spool. */
    void open(Place place, SpoolTransfer transfer, Born born) {
        use(place, new Birth(transfer, null, born));
    }

    /** Makes a whole small transfer. {@code content} (position to limit) must not change until it is born. */
    void small(Place place, SpoolTransfer transfer, ByteBuffer content, Born born) {
        use(place, new Birth(transfer, content, born));
    }

    private void use(Place place, Birth birth) {
        place.birth = birth;
        mailbox.post(this::work); // a turn later: what comes in this one is the same batch
    }

    private void work() {
        if (busy || waiting.isEmpty()) {
            return;
        }
        List<Birth> batch = takeBatch();
        if (batch.isEmpty()) {
            return;
        }
        busy = true;
        Executor hashing = unbornBytes <= MAX_LOOP_DIGEST_BYTES ? Runnable::run : digests;
        hashing.execute(() -> {
            try {
                batch.forEach(FirstRecordQueue::digest);
                mailbox.post(() -> append(batch));
            } catch (RuntimeException | Error e) { // the next batch would wait for this one for ever
                mailbox.post(() -> fail(batch, new StorageException("digests could not be made: " + e, e)));
            }
        });
    }

    private void fail(List<Birth> batch, StorageException cause) {
        for (Birth birth : batch) {
            placeIsFree(birth.fragment);
            birth.born.failed(cause);
            release(birth.fragment);
        }
        busy = false;
        mailbox.post(this::work);
    }

    private List<Birth> takeBatch() {
        List<Birth> batch = new ArrayList<>();
        for (Place next = waiting.peek(); next != null && batch.size() < MAX_BATCH; next = waiting.peek()) {
            Birth birth = next.birth;
            if (birth != null) {
                if (birth.content != null && !place(birth, birth.content)) {
                    break;
                }
                batch.add(birth);
            } else if (!next.dropped) {
                break;
            }
            waiting.remove();
        }
        return batch;
    }

    /** Copies the bytes to where they can be sent from. False if there is no memory for them now. */
    private boolean place(Birth birth, ByteBuffer content) {
        if (unbornBytes + content.remaining() > MAX_UNBORN_BYTES) {
            return false; // the next one that is born asks again
        }
        SmallArena.Placed placed = arena.place(content);
        if (placed != null) {
            unbornBytes += content.remaining();
            birth.fragment = new Fragment(
                    birth.transfer.key(), 0, content.remaining(), 0, new byte[0], placed.buffer(), placed.offset());
        } else if (!waitingForArena) {
            waitingForArena = true;
            arena.whenAvailable(() -> mailbox.post(this::arenaAvailable));
        }
        return placed != null;
    }

    /** Whether the memory of small transfers is so short that the sender should load them later. */
    boolean isMemoryScarce() {
        return arena.isScarce();
    }

    private void arenaAvailable() {
        waitingForArena = false;
        work();
    }

    private static void digest(Birth birth) {
        Fragment placed = birth.fragment;
        if (placed != null) {
            ByteBuffer bytes = placed.buffer().payload(placed.offset(), placed.length());
            byte[] leaf = TreeDigest.leaf(bytes);
            birth.fragment = new Fragment(
                    placed.key(), 0, placed.length(), Crc32c.of(bytes), leaf, placed.buffer(), placed.offset());
            int fragmentSizeBytes = birth.transfer.manifest().fragmentSizeBytes();
            birth.commit = new Commit(
                    placed.length(),
                    Manifest.fragmentCount(placed.length(), fragmentSizeBytes),
                    TreeDigest.ofSingle(leaf, placed.length(), fragmentSizeBytes));
        }
    }

    private void append(List<Birth> batch) {
        for (Birth birth : batch) {
            Fragment content = birth.fragment;
            Commit commit = birth.commit;
            if (content != null && commit != null) {
                SpoolRecord.Small record = new SpoolRecord.Small(birth.transfer.manifest(), commit);
                journal.append(
                        record,
                        content,
                        (position, length) -> end(content, () -> birth.born.born(record, position, length, content)),
                        cause -> end(content, () -> birth.born.failed(cause)));
            } else {
                SpoolRecord record = new SpoolRecord.Opened(birth.transfer.manifest(), birth.transfer.source());
                journal.append(
                        record,
                        (position, length) -> birth.born.born(record, position, length, null),
                        birth.born::failed);
            }
        }
        busy = false;
        mailbox.post(this::work);
    }

    private void end(Fragment content, Runnable told) {
        placeIsFree(content);
        try {
            told.run();
        } finally {
            release(content);
        }
    }

    private void placeIsFree(@Nullable Fragment content) {
        if (content != null) {
            unbornBytes -= content.length();
            mailbox.post(this::work);
        }
    }

    private static void release(@Nullable Fragment content) {
        if (content != null) {
            content.buffer().release();
        }
    }
}
