package io.hawser.store.check;

import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;

/**
 * Checks the identity and epoch files of a data directory and returns the epoch.
 *
 * <p>Thread: any.
 */
public final class NodeFiles {
    private NodeFiles() {}

    /** Checks them, and returns the epoch; the highest that there is if it cannot be read. */
    public static long check(Storage storage, Path directory, Findings findings) {
        try {
            if (NodeDirectory.isNew(storage, directory)) {
                findings.note(
                        "node.new",
                        directory,
                        0,
                        "No node has lived here, or its first start was cut short before it had an identity.",
                        "Nothing: the next start makes one.");
                return 0;
            }
            NodeDirectory.storedId(storage, directory);
            if (NodeDirectory.isUnborn(storage, directory)) {
                findings.note(
                        "node.new",
                        directory,
                        0,
                        "There is an identity, and nothing was written here: the first start was cut short, or what the node keeps is"
                                + " elsewhere and the file epoch is lost.",
                        "Nothing: the next start continues, or refuses and says why.");
                return 0;
            }
        } catch (StorageException e) {
            findings.damage(
                    "node.id",
                    directory,
                    0,
                    Findings.sentence(e),
                    "Restore the file node.id from a backup: transfers are known by it.");
        }
        leftovers(storage, directory, findings);
        try {
            return NodeDirectory.storedEpoch(storage, directory);
        } catch (StorageException e) {
            findings.damage(
                    "node.epoch",
                    directory,
                    0,
                    Findings.sentence(e),
                    "Write a number into the file epoch that is higher than any before, such as 1000000.");
            return NodeDirectory.MAX_EPOCH;
        }
    }

    private static void leftovers(Storage storage, Path directory, Findings findings) {
        try {
            for (String name : storage.list(directory)) {
                if (name.endsWith(".new")) {
                    findings.note(
                            "leftover",
                            directory.resolve(name),
                            sizeOf(storage, directory.resolve(name)),
                            "Half written when a process ended; it is never read.",
                            "Nothing: it is replaced when that file is written the next time.");
                }
            }
        } catch (StorageException e) {
            findings.unreadable(directory, 0, e);
        }
    }

    @FunctionalInterface
    public interface LinesReader {
        Object read() throws StorageException;
    }

    /** Checks a file of lines with checksums, of which an operator may delete some; {@code kind} is of its damage. */
    public static void lines(CheckContext context, String kind, Path file, LinesReader reader) throws StorageException {
        try {
            reader.read();
        } catch (CorruptRecordException e) {
            context.findings()
                    .damage(
                            kind,
                            file,
                            sizeOf(context.storage(), file),
                            Findings.sentence(e),
                            "The node does not start before.");
        } catch (StorageException e) {
            context.findings().unreadable(file, 0, e);
        }
    }

    /** The size of a file; 0 if there is none. */
    public static long sizeOf(Storage storage, Path path) throws StorageException {
        var facts = storage.facts(path);
        return facts == null ? 0 : facts.sizeBytes();
    }
}
