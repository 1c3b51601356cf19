package io.hawser.common.storage;

import io.hawser.common.trace.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames that open each directory once instead of all on the way to it for each file. Before a directory's handle is used again it is
 * looked whether that directory still stands at its path; whoever moves it away finds nothing in it later than he would otherwise.
 *
 * <p>Thread: one.
 */
final class ConfinedRenames implements Renames {
    private static final Logger LOG = LoggerFactory.getLogger(ConfinedRenames.class);
    private static final int MAX_OPEN = 64;

    private final ConfinedStorage storage;
    private final Map<Path, Held> open = new HashMap<>();

    /**
     * An open directory.
     *
     * @param key what tells it from any other one while it is open
     */
    private record Held(
            SecureDirectoryStream<Path> directory, @Nullable Object key) {}

    ConfinedRenames(ConfinedStorage storage) {
        this.storage = storage;
    }

    @Override
    public void rename(Path from, Path to) throws StorageException {
        Work work = Work.begun(Work.RENAME);
        try {
            if (open.size() >= MAX_OPEN) {
                close();
            }
            SecureDirectoryStream<Path> source = parentOf(from);
            SecureDirectoryStream<Path> target = parentOf(to);
            source.move(ConfinedStorage.name(from), target, ConfinedStorage.name(to));
            work.done();
        } catch (IOException e) {
            throw StorageFailures.of("rename " + from + " to " + to, e);
        }
    }

    private SecureDirectoryStream<Path> parentOf(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(path + " is in no directory");
        }
        Held held = open.get(parent);
        if (held != null && held.key != null && held.key.equals(keyOf(parent))) {
            return held.directory;
        }
        if (held != null) {
            open.remove(parent);
            close(held);
        }
        SecureDirectoryStream<Path> directory = storage.parentOf(path);
        open.put(parent, new Held(directory, keyOf(directory)));
        return directory;
    }

    private static @Nullable Object keyOf(SecureDirectoryStream<Path> directory) {
        try {
            return directory
                    .getFileAttributeView(BasicFileAttributeView.class)
                    .readAttributes()
                    .fileKey();
        } catch (IOException e) {
            return null; // then it is not used again
        }
    }

    private static @Nullable Object keyOf(Path directory) {
        try {
            return Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (IOException e) {
            return null; // it is looked for anew, and that tells what is the matter
        }
    }

    private static void close(Held held) {
        try {
            held.directory.close();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("A directory could not be closed");
        }
    }

    @Override
    public void close() {
        open.values().forEach(ConfinedRenames::close);
        open.clear();
    }
}
