package io.hawser.store.log;

import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a log's directory into order when it is opened: sweeps, reads the last segment whole, cuts a torn tail (after a copy
 * of it was kept), seals and forces the segment. So what is announced later was synced in this run, and each run of the
 * node begins a segment of its own.
 *
 * <p>Thread: the one that opens the log.
 */
record LogRecovery(SegmentFiles files, LogConfig config, Consumer<LogDamage> damaged) {
    private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);
    private static final int WRITE_AGAIN_BYTES = 1 << 20;
    private static final int MAX_TORN_COPY_BYTES = 16 << 20;

    /**
     * What was found: the segments in order, all sealed, and the number of the last record.
     *
     * @param list continued for this run
     * @param listMadeAgain whether segments may be gone that nothing tells of
     * @param foundSequence the same before the last segment was sealed: what an earlier run has written
     */
    record Recovered(
            LogId id,
            SegmentListFile list,
            boolean listMadeAgain,
            List<LogSegment> segments,
            long foundSequence,
            long lastSequence) {}

    /** The last record that was there, the last of them that is not the log's own, and the last that is there now. */
    private record Last(long found, long foundUsers, long now) {}

    Recovered recover() throws StorageException {
        List<Long> numbers = files.sweepAndList();
        boolean isNew = !files.hasId();
        LogId id = files.loadOrMakeId(
                numbers.isEmpty() && !SegmentListFile.exists(files),
                config.runtime().random());
        refuseADamagedId(id, numbers);
        SegmentListRecovery lists = new SegmentListRecovery(files, id, isNew, numbers);
        lists.refuseWhatIsMissing();
        List<LogSegment> segments = new ArrayList<>();
        for (long number : numbers) {
            SegmentHeader header = header(id, number);
            if (header.epoch() > config.epoch()) {
                throw new StorageException(files.segmentPath(number) + " was written in epoch " + header.epoch()
                        + " and this node is in epoch " + config.epoch()
                        + ": the directory's file \"epoch\" is older than"
                        + " its log. Restore both together, or write a higher number into \"epoch\".");
            }
            segments.add(new LogSegment(
                    header, files.segmentPath(number), files.sizeBytes(files.segmentPath(number)), true));
        }
        if (!segments.isEmpty()) {
            // A run that was killed may have named the last one and not made that durable. The list must not know it
            // before.
            files.storage().forceDirectory(files.directory());
        }
        Last last = segments.isEmpty() ? new Last(0, 0, 0) : finish(segments.get(segments.size() - 1), lists);
        return new Recovered(
                id, lists.settle(last.foundUsers()), lists.isMadeAgain(), segments, last.found(), last.now());
    }

    /** Changes nothing. */
    private void refuseADamagedId(LogId id, List<Long> numbers) throws CorruptRecordException {
        LogId right = new LogIdEvidence(files, numbers).against(id);
        if (right != null) {
            Path file = files.directory().resolve(SegmentFiles.ID_FILE);
            throw new CorruptRecordException(file + " names log " + id + ", and what lies beside it is of log " + right
                    + ": the file is damaged. To mend it, write " + right + " into " + file + ".");
        }
    }

    private SegmentHeader header(LogId id, long number) throws StorageException {
        try {
            SegmentHeader header = files.readHeader(files.segmentPath(number));
            if (header.number() == number && header.log().equals(id)) {
                return header;
            }
            throw new CorruptRecordException(files.segmentPath(number) + " belongs to segment " + header.number()
                    + " of log " + header.log() + ", not to segment " + number + " of log " + id
                    + ". It was put there by hand: move it away.");
        } catch (CorruptRecordException e) {
            if (String.valueOf(e.getMessage()).contains("put there by hand")) {
                throw e;
            }
            // The header was durable before the file had its name. Its records carry all that is needed to read them.
            LOG.atError().addKeyValue("segment", number).setCause(e).log("A segment's header is damaged");
            damaged.accept(new LogDamage(new LogPosition(number, 0), LogFormat.BLOCK_BYTES, 0, 0));
            return new SegmentHeader(id, number, 1, 0, true);
        }
    }

    /** Reads the last segment to its end, and makes that end clean and durable. */
    private Last finish(LogSegment segment, SegmentListRecovery lists) throws StorageException {
        try (StorageFile file = files.storage().open(segment.path(), OpenMode.UPDATE, FileIoMode.DIRECT)) {
            SegmentScanner scanner = new SegmentScanner(file, segment.header(), true, config.epoch(), damaged);
            long[] users = {segment.header().firstSequence() - 1};
            SegmentScanner.End end =
                    scanner.scan(LogFormat.BLOCK_BYTES, Long.MAX_VALUE, false, record -> users[0] = record.sequence());
            lists.refuseALostEnd(segment.path(), end.lastSequence());
            writeAgain(file, end);
            if (end.sealed()) {
                file.force(true); // it may have been written by a run that ended before its force
                return new Last(end.lastSequence(), users[0], end.lastSequence());
            }
            config.runtime().crashPoints().reached("log.before-cut");
            if (end.torn()) {
                cutAside(segment, file, end);
            }
            if (end.lastSequence() >= segment.header().firstSequence()) {
                // A killed run may not have forced it, and the seal proves that what lies before it is durable.
                file.force(true);
            }
            return new Last(end.lastSequence(), users[0], seal(segment, file, end));
        }
    }

    /**
     * Where the file goes through the page cache, what it shows may be there alone, and a force that is repeated after a failed one proves
     * nothing: then what was accepted is written once more. Read past the cache, it came from the disk.
     */
    private static void writeAgain(StorageFile file, SegmentScanner.End end) throws StorageException {
        if (file.direct()) {
            return;
        }
        ByteBuffer piece = ByteBuffer.allocate(WRITE_AGAIN_BYTES);
        for (long at = 0; at < end.endOffset(); at += WRITE_AGAIN_BYTES) {
            piece.clear().limit((int) Math.min(WRITE_AGAIN_BYTES, end.endOffset() - at));
            file.read(piece, at);
            file.write(piece.flip(), at);
        }
    }

    private void cutAside(LogSegment segment, StorageFile file, SegmentScanner.End end) throws StorageException {
        LogPosition position = new LogPosition(segment.number(), end.endOffset());
        long from = end.endOffset() / LogFormat.BLOCK_BYTES * LogFormat.BLOCK_BYTES;
        long available = file.sizeBytes() - from;
        int length = (int) Math.min(MAX_TORN_COPY_BYTES, available) / LogFormat.BLOCK_BYTES * LogFormat.BLOCK_BYTES;
        ByteBuffer copy = ByteBuffer.allocate(length);
        file.read(copy, from);
        files.keepTorn(position, copy.flip());
        LOG.atWarn()
                .addKeyValue("position", position)
                .addKeyValue("afterSequence", end.lastSequence())
                .log(
                        "A torn tail is cut off the log; a copy is kept beside it. It was never acked, unless the disk has lost"
                                + " what it had announced as durable");
    }

    private long seal(LogSegment segment, StorageFile file, SegmentScanner.End end) throws StorageException {
        long blockStart = end.endOffset() / LogFormat.BLOCK_BYTES * LogFormat.BLOCK_BYTES;
        int kept = (int) (end.endOffset() - blockStart);
        PackedGroup tail = new PackedGroup(segment.header().log(), 4 * LogFormat.BLOCK_BYTES);
        tail.begin(segment.number(), blockStart, config.epoch(), end.lastSequence() + 1);
        if (kept > 0) {
            ByteBuffer block = ByteBuffer.allocate(LogFormat.BLOCK_BYTES);
            file.read(block, blockStart);
            tail.keep(block.flip().limit(kept));
        }
        long sequence = end.lastSequence();
        if (tail.needsPadding()) {
            tail.pad(++sequence);
        }
        tail.seal(++sequence);
        long sealedSize = blockStart + tail.lengthBytes();
        file.write(tail.bytes(), blockStart);
        file.truncate(sealedSize);
        file.force(true);
        config.runtime().crashPoints().reached("log.after-cut");
        segment.sealedAt(sealedSize);
        return sequence;
    }
}
