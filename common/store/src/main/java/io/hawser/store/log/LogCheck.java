package io.hawser.store.log;

import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Findings;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.FormatTooOldException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a log that nobody has open, with the scanner that recovery uses, and changes nothing: every segment's header, that
 * none is missing between two others, every record with its checksums, numbers and epochs, and each seal.
 *
 * <p>Thread: its creator.
 */
public final class LogCheck {
    private static final String RESTORE =
            "Check the disk (dmesg, smartctl). What a publisher still has is asked for again; else send it again.";

    private final Findings findings;
    private final SegmentFiles files;
    private final long epoch;
    private final boolean withPayloads;
    private final List<SegmentInfo> segments = new ArrayList<>();
    private LogPosition end = LogPosition.START;
    private long lastSequence;
    private long lastEpoch;
    private long lastNumber;
    /** Whether the end of the segment before is known, so that the next one has to follow it. */
    private boolean follows;

    private boolean whole = true;
    private boolean readable = true;
    private boolean complete = true;
    private LogId id = new LogId(0, 0);
    private @Nullable KnownLog known;

    /**
     * @param epoch no record can be younger
     * @param withPayloads whether payloads are read and checked, too
     */
    public LogCheck(Storage storage, Path directory, long epoch, boolean withPayloads, Findings findings) {
        this.files = new SegmentFiles(storage, directory);
        this.epoch = epoch;
        this.withPayloads = withPayloads;
        this.findings = findings;
    }

    /** Checks the log of a node, and whether it is still there. */
    public LogCheck(CheckContext context, KnownLog known) {
        this(context.storage(), known.directory(), context.epoch(), !context.quick(), context.findings());
        this.known = known;
    }

    /** Reads the log and shows all records that are whole, in order; one that {@code visitor} refuses is a finding. */
    public void run(RecordVisitor visitor) throws StorageException {
        boolean isThere = known == null || known.check(findings);
        List<Long> numbers = new LogDirectoryCheck(files, findings).segments();
        LogId found = new LogIdFileCheck(files, findings).idOf(numbers);
        SegmentListFileCheck list = new SegmentListFileCheck(files, findings);
        boolean hasAll = list.run(numbers, found);
        if (found == null) {
            readable = numbers.isEmpty() && hasAll && isThere;
            whole = readable;
            return;
        }
        whole = hasAll && isThere;
        complete = list.isUsable();
        id = found;
        for (int i = 0; i < numbers.size(); i++) {
            Path path = files.segmentPath(numbers.get(i));
            try {
                segment(numbers.get(i), path, i == numbers.size() - 1, visitor);
            } catch (FormatTooNewException | FormatTooOldException e) {
                lost(
                        "log.version",
                        path,
                        e,
                        "Run the version of Hawser that wrote it; nothing is known to be damaged.");
            } catch (StorageException e) {
                lost("io", path, e, "Check the disk and the permissions; then run this again.");
            }
            lastNumber = numbers.get(i);
        }
        if (readable && !numbers.isEmpty()) {
            whole &= list.hasItsEnd(files.segmentPath(lastNumber), lastSequence);
        }
        findings.counted("segments", numbers.size());
    }

    private void lost(String kind, Path path, StorageException why, String advice) throws StorageException {
        findings.damage(kind, path, files.sizeBytes(path), Findings.sentence(why), advice);
        setUnreadable();
    }

    private void setUnreadable() {
        readable = false;
        whole = false;
        follows = false;
    }

    private void segment(long number, Path path, boolean last, RecordVisitor visitor) throws StorageException {
        SegmentHeader header = header(number, path);
        if (header == null) {
            setUnreadable();
            return;
        }
        checkPlace(header, path);
        long sizeBytes = files.sizeBytes(path);
        segments.add(new SegmentInfo(number, header.firstSequence(), sizeBytes, !last));
        try (StorageFile file = files.storage().open(path, OpenMode.READ, FileIoMode.DIRECT)) {
            DamageDescriber teller = new DamageDescriber(file, path, id, findings);
            SegmentScanner scanner = new SegmentScanner(file, header, withPayloads, epoch, teller::tell);
            long[] records = new long[1];
            SegmentScanner.End found = scanner.scan(LogFormat.BLOCK_BYTES, Long.MAX_VALUE, !last, record -> {
                records[0]++;
                show(record, path, visitor);
            });
            findings.counted("records", records[0]);
            findings.read(withPayloads ? sizeBytes : 0);
            whole &= teller.told() == 0;
            if (last && found.torn()) {
                findings.note(
                        "log.torn-tail",
                        path + " at " + found.endOffset(),
                        sizeBytes - found.endOffset(),
                        "The last write was not finished when the node died. It was never acked, unless the disk has"
                                + " lost what it had announced; a broker's index tells of that.",
                        "Nothing: the next start cuts it off and keeps a copy.");
            }
            lastSequence = found.lastSequence();
            lastEpoch = header.epoch();
            end = new LogPosition(number, found.endOffset());
            follows = last || found.sealed();
        }
    }

    private @Nullable SegmentHeader header(long number, Path path) throws StorageException {
        SegmentHeader header;
        try {
            header = files.readHeader(path);
        } catch (CorruptRecordException e) {
            complete = false;
            findings.damage(
                    "log.segment-header",
                    path,
                    LogFormat.BLOCK_BYTES,
                    e.getMessage() + "; the segment's records carry all that is needed and are read.",
                    "Check the disk (dmesg, smartctl).");
            return new SegmentHeader(id, number, follows ? lastSequence + 1 : 1, 0, true);
        }
        if (header.number() == number && header.log().equals(id)) {
            return header;
        }
        findings.damage(
                "log.foreign",
                path,
                files.sizeBytes(path),
                "It belongs to segment " + header.number() + " of log " + header.log() + ", not to segment " + number
                        + " of log " + id + ": the node does not start with it.",
                "Move it away; restore the segment that belongs here from a backup, if there was one.");
        return null;
    }

    private void checkPlace(SegmentHeader header, Path path) {
        if (lastNumber != 0 && header.number() != lastNumber + 1) {
            whole = false;
            findings.damage(
                    "log.missing-segment",
                    files.segmentPath(lastNumber + 1),
                    0,
                    "The log continues with segment " + header.number() + " after segment " + lastNumber
                            + ": what is between them is gone.",
                    "Restore it from a backup. " + RESTORE);
        } else if (follows && lastNumber != 0 && header.firstSequence() != lastSequence + 1) {
            whole = false;
            findings.damage(
                    "log.gap",
                    path,
                    0,
                    "It begins with record " + header.firstSequence() + ", and the segment before ends with record "
                            + lastSequence + ".",
                    RESTORE);
        }
        if (header.epoch() > epoch || (header.epoch() != 0 && header.epoch() < lastEpoch)) {
            findings.damage(
                    "log.epoch",
                    path,
                    0,
                    "It was written in epoch " + header.epoch() + "; the segment before in " + lastEpoch
                            + ", and the directory is in epoch " + epoch + ".",
                    "Was a part of the directory restored from an older backup? Restore all of it from one.");
        }
    }

    private void show(LogRecord record, Path path, RecordVisitor visitor) throws StorageException {
        try {
            visitor.record(record);
        } catch (CorruptRecordException | FormatTooNewException e) {
            whole = false;
            boolean later = e instanceof FormatTooNewException;
            findings.damage(
                    later ? "log.version" : "log.content",
                    path + " at " + record.position().offset(),
                    record.lengthBytes(),
                    Findings.sentence(e),
                    later
                            ? "Run the version of Hawser that wrote it; nothing is known to be damaged."
                            : "Its checksums are right, so this is a defect of Hawser: report it, with this line.");
        }
    }

    /** The 32 hex digits of the log; all zero if there is none. */
    public String id() {
        return id.toString();
    }

    /** The segments that could be read, ascending. */
    public List<SegmentInfo> segments() {
        return List.copyOf(segments);
    }

    /** Past the last record that can be read. */
    public LogPosition end() {
        return end;
    }

    /** Its number, 0 if there is none. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Whether every segment is this log's and of a version that is known here. */
    public boolean isReadable() {
        return readable;
    }

    /** What the next start does with a file that no record speaks of. */
    public String fateOfOrphans() throws StorageException {
        boolean areKept = known != null && OrphanGuard.of(known).isMarked();
        return whole && complete && !areKept
                ? "Nothing: the next start deletes it."
                : "The next start keeps it, since records may be lost that speak of it. Delete it when you are sure.";
    }

    /** Whether nothing was found that takes records away. */
    public boolean isWhole() {
        return whole;
    }
}
