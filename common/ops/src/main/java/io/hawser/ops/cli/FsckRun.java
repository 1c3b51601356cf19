package io.hawser.ops.cli;

import io.hawser.ops.event.EventLogCheck;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.DirectoryCheck;
import io.hawser.store.check.Findings;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.storage.DirectoryLock;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the data directories below one, holds each while it is checked, and checks it.
 *
 * <p>Thread: main only.
 */
record FsckRun(Storage storage, List<DirectoryCheck> checks, FsckReport report, boolean quick, Path scratch) {
    /** Where a program's state directory has the landing areas of what it receives. */
    private static final String SLOTS = "slots";

    private static final String INBOX = "inbox";

    /** Returns how many directories were checked. */
    int run(Path directory, boolean repairIndex) throws StorageException {
        Map<Path, DirectoryCheck> found = find(directory);
        if (repairIndex && !found.isEmpty() && found.values().stream().noneMatch(DirectoryCheck::hasIndex)) {
            throw new CommandException(
                    ExitCode.USAGE, "--repair-index is for a broker's directory, and " + directory + " has none");
        }
        for (Map.Entry<Path, DirectoryCheck> entry : found.entrySet()) {
            check(
                    entry.getKey(),
                    entry.getValue(),
                    repairIndex && entry.getValue().hasIndex());
        }
        return found.size();
    }

    private void check(Path directory, DirectoryCheck check, boolean repairIndex) throws StorageException {
        DirectoryLock lock = repairIndex
                ? NodeDirectory.holdForRepair(storage, directory)
                : NodeDirectory.holdForReading(storage, directory);
        try {
            checkHeld(directory, check, repairIndex);
        } finally {
            lock.close();
        }
    }

    private void checkHeld(Path directory, DirectoryCheck check, boolean repairIndex) {
        Findings findings = report.begin(directory, check.kind());
        long epoch = NodeFiles.check(storage, directory, findings);
        Path own = scratch.resolve("hawser-fsck-" + ProcessHandle.current().pid());
        CheckContext context = new CheckContext(storage, directory, epoch, quick, own, findings);
        if (repairIndex) {
            repair(check, context);
        }
        try {
            check.check(context);
            EventLogCheck.check(context);
        } catch (StorageException e) {
            findings.unreadable(directory, 0, e);
        }
        report.end(directory, check.kind(), findings);
    }

    private static void repair(DirectoryCheck check, CheckContext context) {
        try {
            check.repairIndex(context);
        } catch (StorageException e) {
            context.findings()
                    .damage(
                            "index.not-repaired",
                            context.directory(),
                            0,
                            "The index was left as it is: " + e.getMessage() + ".",
                            "See what is said of the log.");
        }
    }

    /** The directory itself, those in it, and those in its inbox and its slots. */
    private Map<Path, DirectoryCheck> find(Path directory) throws StorageException {
        Map<Path, DirectoryCheck> found = new LinkedHashMap<>();
        List<Path> candidates = new ArrayList<>();
        candidates.add(directory);
        children(directory, candidates);
        children(directory.resolve(INBOX), candidates);
        children(directory.resolve(SLOTS), candidates);
        for (Path candidate : candidates) {
            DirectoryCheck check = checkFor(candidate);
            if (check != null) {
                found.put(candidate, check);
            }
        }
        return found;
    }

    private void children(Path directory, List<Path> candidates) throws StorageException {
        for (String name : storage.list(directory)) {
            Path child = directory.resolve(name);
            if (NodeDirectory.isOne(storage, child)) {
                candidates.add(child);
            }
        }
    }

    private @Nullable DirectoryCheck checkFor(Path directory) throws StorageException {
        for (DirectoryCheck check : checks) {
            if (check.recognises(storage, directory)) {
                return check;
            }
        }
        return null;
    }
}
