package io.hawser.broker.store.local;

import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Findings;
import io.hawser.store.log.LogCheck;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the broker's index against its log. While it reads the log it folds the records into a second index in a scratch directory,
 * up to the first one's position; then it compares the two.
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
    private @Nullable Expected expected;
    private boolean missing;
    /** Whether it was said that the index cannot be used. */
    private boolean told;

    /** What the log says should be in the index. */
    private record Expected(H2Index actual, H2Index folded, IndexBuilder fold) {}

    private IndexCheck(CheckContext context, Path directory) {
        this.storage = context.storage();
        this.findings = context.findings();
        this.file = directory.resolve(IndexFiles.FILE_NAME + IndexFiles.FILE_SUFFIX);
        this.scratch = context.scratch();
    }

    /** Opens the index in {@code directory} for reading, and prepares the fold unless the check is quick. */
    static IndexCheck open(CheckContext context, Path directory) throws StorageException {
        IndexCheck check = new IndexCheck(context, directory);
        check.missing = context.storage().facts(check.file) == null;
        if (!check.missing) {
            check.openIndex(directory);
        }
        if (check.sentinel != null && !context.quick()) {
            check.prepareFold(Objects.requireNonNull(check.index));
        }
        return check;
    }

    private void openIndex(Path directory) {
        try {
            H2Index opened = H2Index.openForReading(directory);
            index = opened;
            logId = opened.sentinelLogId();
            sentinel = opened.sentinel(logId);
        } catch (IndexFailedException e) {
            unusable(String.valueOf(e.getMessage()));
        }
    }

    private void prepareFold(H2Index actual) throws StorageException {
        storage.createPrivateDirectory(scratch);
        H2Index empty = H2Index.open(scratch);
        expected = new Expected(
                actual,
                empty,
                new IndexBuilder(empty, logId, LocalStoreConfig.defaults().forgetting()));
    }

    private void unusable(String reason) {
        findings.damage(
                "index.unusable",
                file,
                0,
                "It cannot be used: " + reason + ".",
                "The next start of the broker makes it again from the log by itself. " + BrokerCheck.REPAIR);
        told = true;
    }

    /** Takes the log's next record. */
    void apply(LogRecord record) throws StorageException {
        if (record.kind() > RecordKind.LAST) {
            throw new FormatTooNewException("a record of kind " + record.kind() + " at " + record.position()
                    + ", which this version of Hawser does not know");
        }
        if (sentinel == null) {
            return;
        }
        if (record.sequence() > sentinel.sequence()) {
            findings.counted("records after the index", 1);
        } else if (expected != null) {
            expected.fold.apply(record);
        }
    }

    void end(LogCheck log) throws StorageException {
        if (missing) {
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
        if (told) {
            return;
        }
        AppliedPosition applied = log.id().equals(logId) ? sentinel : null;
        String doubt = IndexLifecycle.doubt(applied, log.lastSequence(), log.end(), log.segments());
        if (applied != null && doubt.isEmpty()) {
            compare(applied, log);
        } else if (applied != null && doubt.equals(IndexLifecycle.AHEAD)) {
            ahead(applied, log);
        } else {
            unusable(doubt);
        }
    }

    private void ahead(AppliedPosition applied, LogCheck log) {
        findings.damage(
                "index.ahead",
                file,
                0,
                "It knows of record " + applied.sequence() + ", and the log ends with record " + log.lastSequence()
                        + ": the log has lost its end.",
                "Check the disk. Restore the log's last segments if you can. Otherwise the next start makes the index from what the log"
                        + " has: uploads that were under way resume by themselves; what the broker had accepted as a whole is not"
                        + " sent again by itself and has to be uploaded again.");
    }

    private void compare(AppliedPosition applied, LogCheck log) {
        Expected both = expected;
        if (both == null) {
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
            both.fold.finish();
            AppliedPosition sums = both.fold.set().applied();
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
            new IndexComparison(both.actual, both.folded, file, findings).run();
        } catch (IndexFailedException e) {
            unusable(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() throws StorageException {
        if (index != null) {
            index.abandon();
        }
        if (expected != null) {
            expected.folded.abandon();
            for (String name : storage.list(scratch)) {
                storage.delete(scratch.resolve(name));
            }
            storage.delete(scratch);
        }
    }
}
