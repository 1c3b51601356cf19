package io.hawser.broker.store.local;

import io.hawser.store.check.CheckContext;
import io.hawser.store.check.DirectoryCheck;
import io.hawser.store.check.Findings;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.log.KnownLog;
import io.hawser.store.log.LogCheck;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.LineFile;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks a broker's directory: its log, and its index against the fold of the log.
 *
 * <p>Thread: one at a time.
 */
public final class BrokerCheck implements DirectoryCheck {
    static final String REPAIR = "The log is the truth: hawser fsck DIR --repair-index makes the index again from it.";
    /** The node bindings: the store does not know the sessions that write it. */
    private static final String NODES = "nodes";

    @Override
    public String kind() {
        return "broker";
    }

    @Override
    public boolean recognises(Storage storage, Path directory) throws StorageException {
        List<String> names = storage.list(directory);
        return names.contains(LocalStore.LOG)
                || (names.contains(LogStore.INDEX) && NodeDirectory.isOne(storage, directory));
    }

    @Override
    public boolean hasIndex() {
        return true;
    }

    @Override
    public void check(CheckContext context) throws StorageException {
        Path directory = context.directory().resolve(LogStore.INDEX);
        KnownLog known = LocalStore.knownLog(context.storage(), context.directory());
        if (known.isKnown() || context.storage().facts(known.directory()) != null) {
            try (IndexCheck index = IndexCheck.open(context, directory)) {
                LogCheck log = new LogCheck(context, known);
                log.run(index::apply);
                if (!known.isGone()) {
                    index.end(log);
                }
            }
        } else {
            context.findings()
                    .note(
                            "broker.no-log",
                            context.directory(),
                            0,
                            "There is an index and no log. A broker over Kafka has none here; any other broker has lost it and does"
                                    + " not start.",
                            "Unless the broker is over Kafka, put the directory log back, or restore all from one backup.");
        }
        Path nodes = context.directory().resolve(NODES);
        NodeFiles.lines(context, "broker.nodes", nodes, new LineFile(context.storage(), nodes)::look);
        leftovers(context, directory);
    }

    private static void leftovers(CheckContext context, Path directory) throws StorageException {
        for (String name : context.storage().list(directory)) {
            if (!name.equals(IndexFiles.FILE_NAME + IndexFiles.FILE_SUFFIX)) {
                context.findings()
                        .note(
                                "index.leftover",
                                directory.resolve(name),
                                NodeFiles.sizeOf(context.storage(), directory.resolve(name)),
                                name.endsWith(IndexFiles.BAD_SUFFIX)
                                        ? "An index that was given up and made again."
                                        : "No file of the index.",
                                "Delete it when you no longer need it.");
            }
        }
    }

    @Override
    public void repairIndex(CheckContext context) throws StorageException {
        LocalStore.knownLog(context.storage(), context.directory()).check();
        LogCheck before = silent(context);
        before.run(record -> {});
        if (!before.isReadable()) {
            throw new CorruptRecordException("the log has segments that this version of Hawser cannot read");
        }
        Path directory = context.directory().resolve(LogStore.INDEX);
        context.storage().createPrivateDirectory(directory);
        new IndexFiles(context.storage(), directory).moveAside();
        try {
            make(context, directory, before.id());
        } catch (IndexFailedException e) {
            throw new StorageException(String.valueOf(e.getMessage()), e);
        }
        context.storage().forceDirectory(directory);
    }

    /** Reads the records alone, and tells of nothing. */
    private static LogCheck silent(CheckContext context) {
        return new LogCheck(
                context.storage(),
                context.directory().resolve(LocalStore.LOG),
                context.epoch(),
                false,
                new Findings(finding -> {}, bytes -> {}));
    }

    private static void make(CheckContext context, Path directory, String logId) throws StorageException {
        try (H2Index fresh = H2Index.open(directory)) {
            IndexBuilder fold =
                    new IndexBuilder(fresh, logId, LocalStoreConfig.defaults().forgetting());
            LogCheck log = silent(context);
            log.run(fold::apply);
            fold.finish();
            fresh.saveSentinel(logId, fold.set().applied(), true);
            fresh.checkpoint();
            context.findings()
                    .note(
                            "index.repaired",
                            directory,
                            0,
                            "The index was made again from the log, up to record " + log.lastSequence() + ".",
                            "Nothing: the broker starts with it.");
        }
    }
}
