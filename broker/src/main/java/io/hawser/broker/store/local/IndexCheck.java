package io.hawser.broker.store.local;

import io.hawser.common.check.CheckContext;
import io.hawser.common.check.Findings;
import io.hawser.common.log.LogCheck;
import io.hawser.common.log.LogRecord;
import io.hawser.common.storage.FormatTooNewException;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The broker's index against its log. While the log is read its records are folded into an index of their own, in a scratch
 * directory, as far as the index has come; at the log's end the two are compared.
 *
 * <p>Thread: one at a time.
 */
final class IndexCheck implements AutoCloseable {
    private final Storage storage;
    private final Findings findings;
    private final Path file;
    private final Path scratch;
    private @Nullable H2Index index;
    private @Nullable AppliedPosition sentinel;
    private String logId = "";
    private @Nullable H2Index folded;
    private @Nullable IndexFold fold;

    private IndexCheck(CheckContext context, Path directory) {
        this.storage = context.storage();
        this.findings = context.findings();
        this.file = directory.resolve(H2Index.FILE_NAME + H2Index.FILE_SUFFIX);
        this.scratch = context.scratch();
    }

    /** Opens the index in {@code directory} for reading, and prepares the fold unless the check is quick. */
    static IndexCheck open(CheckContext context, Path directory) throws StorageException {
        IndexCheck check = new IndexCheck(context, directory);
        if (context.storage().facts(check.file) == null) {
            return check;
        }
        try {
            H2Index opened = H2Index.openForReading(directory);
            check.index = opened;
            check.logId = opened.sentinelLogId();
            check.sentinel = opened.sentinel(check.logId);
        } catch (IndexFailedException e) {
            check.unusable(String.valueOf(e.getMessage()));
        }
        if (check.sentinel != null && !context.quick()) {
            check.prepareFold();
        }
        return check;
    }

    private void prepareFold() throws StorageException {
        storage.createDirectories(scratch);
        H2Index empty = H2Index.open(scratch);
        folded = empty;
        fold = new IndexFold(empty, logId, LocalStoreConfig.defaults().forgetting());
    }

    private void unusable(String reason) {
        findings.damage(
                "index.unusable",
                file,
                0,
                "It cannot be used: " + reason + ".",
                "The next start of the broker makes it again from the log by itself. " + BrokerCheck.REPAIR);
        sentinel = null;
    }

    /** Takes the log's next record. */
    void apply(LogRecord record) throws StorageException {
        if (record.kind() > RecordKind.LAST) {
            throw new FormatTooNewException("a record of kind " + record.kind() + " at " + record.position()
                    + ", which this version of Hawser does not know");
        }
        AppliedPosition until = sentinel;
        if (until != null && record.sequence() > until.sequence()) {
            findings.counted("records behind the index", 1);
        } else if (fold != null && until != null) {
            fold.apply(record);
        }
    }

    /** The log has been read. */
    void end(LogCheck log) throws StorageException {
        AppliedPosition applied = sentinel;
        if (index == null && storage.facts(file) == null) {
            if (log.lastSequence() > 0) {
                findings.damage(
                        "index.missing",
                        file,
                        0,
                        "There is none, and the log has records.",
                        "The next start of the broker makes it again from the log by itself. " + BrokerCheck.REPAIR);
            }
            return;
        }
        if (index == null || (applied == null && findings.damages() > 0)) {
            return; // that has been said
        }
        String doubt = StoreIndex.doubt(
                log.id().equals(logId) ? applied : null, log.lastSequence(), log.end(), log.segments());
        if (doubt.equals(StoreIndex.AHEAD)) {
            ahead(applied, log);
        } else if (!doubt.isEmpty()) {
            unusable(doubt);
        } else if (applied != null) {
            compare(applied, log);
        }
    }

    private void ahead(@Nullable AppliedPosition applied, LogCheck log) {
        findings.damage(
                "index.ahead",
                file,
                0,
                "It knows of record " + (applied == null ? 0 : applied.sequence()) + ", and the log ends with record "
                        + log.lastSequence() + ": the log has lost its end.",
                "Check the disk. Restore the log's last segments if you can. Otherwise the next start makes the index from what the log"
                        + " has: uploads that were under way go on by themselves; what the broker had accepted as a whole is not"
                        + " sent again by itself and has to be uploaded again.");
    }

    private void compare(AppliedPosition applied, LogCheck log) {
        IndexFold expected = fold;
        H2Index expectedIndex = folded;
        H2Index opened = index;
        if (expected == null || expectedIndex == null || opened == null) {
            return;
        }
        if (!log.isWhole()) {
            findings.note(
                    "index.not-compared",
                    file,
                    0,
                    "Its rows were not compared with the log, of which records are missing.",
                    "See what is said of the log.");
            return;
        }
        try {
            expected.finish();
            AppliedPosition sums = expected.set().applied();
            if (sums.keptBytes() != applied.keptBytes() || sums.reservedBytes() != applied.reservedBytes()) {
                findings.damage(
                        "index.row",
                        file + " table sentinel",
                        0,
                        "It says that " + applied.keptBytes() + " bytes are kept and " + applied.reservedBytes()
                                + " reserved; according to the log it is " + sums.keptBytes() + " and "
                                + sums.reservedBytes() + ".",
                        BrokerCheck.REPAIR);
            }
            new IndexComparison(opened, expectedIndex, file, findings).run();
        } catch (IndexFailedException e) {
            unusable(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() throws StorageException {
        if (index != null) {
            index.abandon();
        }
        if (folded != null) {
            folded.abandon();
            for (String name : storage.list(scratch)) {
                storage.delete(scratch.resolve(name));
            }
            storage.delete(scratch);
        }
    }
}
