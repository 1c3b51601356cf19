package io.hawser.store.storage;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much room the file systems have, and what of it is set apart.
 *
 * <p>Thread: any.
 */
final class DiskSpace {
    /** Which file system a directory is on. To find out, the JDK reads the list of all mounts; how much room there is, it asks the system. */
    private final Map<Path, FileStore> known = new ConcurrentHashMap<>();

    private volatile @Nullable Apart apart;

    private record Apart(Path directory, LongSupplier bytes) {}

    long usableBytes(Path directory) throws IOException {
        FileStore files = of(directory);
        return Math.max(0, files.getUsableSpace() - apartBytes(directory, files));
    }

    long totalBytes(Path directory) throws IOException {
        return of(directory).getTotalSpace();
    }

    void setApart(Path directory, LongSupplier bytes) {
        apart = new Apart(directory, bytes);
    }

    private long apartBytes(Path directory, FileStore files) throws IOException {
        Apart set = apart;
        return set == null
                        || set.directory().equals(directory)
                        || !of(set.directory()).equals(files)
                ? 0
                : set.bytes().getAsLong();
    }

    private FileStore of(Path directory) throws IOException {
        FileStore files = known.get(directory);
        if (files == null) {
            files = DiskStorage.fileStore(directory);
            known.put(directory, files);
        }
        return files;
    }
}
