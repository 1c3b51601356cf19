package io.hawser.store.landing;

import io.hawser.core.model.TransferKey;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.DirectoryCheck;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.log.KnownLog;
import io.hawser.store.log.LogCheck;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A landing area of agent-b or of a receiving program: the journal, and the landing files against it.
 *
 * <p>Thread: one at a time.
 */
public final class LandingCheck implements DirectoryCheck {
    private static final Set<String> OF_SPOOL = Set.of("data", "brokers", "topics");

    @Override
    public String kind() {
        return "landing area";
    }

    @Override
    public boolean recognises(Storage storage, Path directory) throws StorageException {
        List<String> names = storage.list(directory);
        boolean isNode = NodeDirectory.isOne(storage, directory);
        boolean hasJournal = names.contains(LandingContext.JOURNAL);
        return names.contains(LandingContext.FILES)
                ? hasJournal || isNode
                : hasJournal && isNode && names.stream().noneMatch(OF_SPOOL::contains);
    }

    @Override
    public void check(CheckContext context) throws StorageException {
        Map<TransferKey, LandingRecord> last = new LinkedHashMap<>();
        KnownLog known = LandingContext.knownLog(context.storage(), context.directory());
        LogCheck journal = new LogCheck(context, known);
        journal.run(logged -> {
            LandingRecord record = LandingRecordKinds.KINDS.decode(logged);
            if (record instanceof LandingRecord.Dropped) {
                last.remove(record.key());
            } else {
                last.put(record.key(), record);
            }
        });
        context.findings().counted("transfers", last.size());
        Path directory = context.directory().resolve(LandingContext.FILES);
        if (LandingContext.hasLostFiles(known)) {
            context.findings()
                    .damage(
                            "landing.files-gone",
                            directory,
                            0,
                            "The landing files are gone, and the journal tells of them: agent-b does not start.",
                            "Put the directory back, or restore all of the landing area from one backup.");
            return;
        }
        LandedFileCheck objects = new LandedFileCheck(context, directory);
        Set<TransferKey> incomplete = new HashSet<>();
        Set<TransferKey> kept = new HashSet<>();
        for (LandingRecord record : last.values()) {
            if (record instanceof LandingRecord.Opened opened) {
                incomplete.add(opened.key());
                objects.incomplete(opened.manifest());
            } else if (record instanceof LandingRecord.Verified verified) {
                kept.add(verified.key());
                objects.whole(verified.manifest(), verified.commit(), false);
            } else if (record instanceof LandingRecord.Parked parked) {
                kept.add(parked.key());
                objects.whole(parked.manifest(), parked.commit(), true);
            }
        }
        kept.addAll(incomplete);
        leftovers(context, directory, kept, incomplete, journal.fateOfOrphans());
    }

    private static void leftovers(
            CheckContext context,
            Path directory,
            Set<TransferKey> kept,
            Set<TransferKey> incomplete,
            String fateOfOrphans)
            throws StorageException {
        LandingFiles files = new LandingFiles(context.storage(), directory, new ScratchBuffers(0));
        for (String name : files.orphans(kept::contains, incomplete::contains)) {
            note(
                    context,
                    "landing.orphan",
                    directory.resolve(name),
                    "It belongs to no transfer that is on its way.",
                    fateOfOrphans);
        }
        for (String name : files.setAside()) {
            note(
                    context,
                    "landing.set-aside",
                    directory.resolve(name),
                    "An object that could not be delivered; its publisher was told.",
                    "Take it or delete it; it goes by itself after seven days.");
        }
    }

    private static void note(CheckContext context, String kind, Path path, String meaning, String advice)
            throws StorageException {
        context.findings().note(kind, path, NodeFiles.sizeOf(context.storage(), path), meaning, advice);
    }
}
