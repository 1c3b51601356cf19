package io.hawser.store.check;

import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.Set;

/** The data directory of an agent-b: an identity, and perhaps a landing area, which is checked by itself. */
public final class AgentBCheck implements DirectoryCheck {
    /** What other nodes have in their directories. */
    private static final Set<String> OF_OTHERS =
            Set.of("log", "index", "journal", "data", "files", "brokers", "known-log");

    @Override
    public String kind() {
        return "agent-b";
    }

    @Override
    public boolean recognises(Storage storage, Path directory) throws StorageException {
        return NodeDirectory.isOne(storage, directory)
                && storage.list(directory).stream().noneMatch(OF_OTHERS::contains);
    }

    @Override
    public void check(CheckContext context) throws StorageException {
        boolean landsHere =
                context.storage().list(context.directory()).stream().anyMatch(name -> name.startsWith("landing-"));
        if (!landsHere) {
            context.findings()
                    .note(
                            "agent-b.elsewhere",
                            context.directory(),
                            0,
                            "An agent-b that delivers into a directory has its landing area there, not here.",
                            "Run hawser fsck on the directory that was given with --into, too.");
        }
    }
}
