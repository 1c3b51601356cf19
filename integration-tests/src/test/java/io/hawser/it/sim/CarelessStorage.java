package io.hawser.it.sim;

import io.hawser.store.storage.DirectoryLock;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A door to the disk that leaves out what a careless log would leave out: so such bugs are planted under the log that ships. */
final class CarelessStorage implements Storage {
    private static final int BLOCK_BYTES = 4096;

    private final Storage disk;
    private final PlantedBug bug;

    private CarelessStorage(Storage disk, PlantedBug bug) {
        this.disk = disk;
        this.bug = bug;
    }

    /** The disk itself, unless the bug is one of the log's. */
    static Storage of(Storage disk, PlantedBug bug) {
        return bug.kind() == ScheduleKind.FORMAT ? new CarelessStorage(disk, bug) : disk;
    }

    @Override
    public StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException {
        FileIoMode chosen = bug == PlantedBug.LOG_CACHE_TRUSTED ? FileIoMode.PAGE_CACHE : caching;
        return new CarelessFile(disk.open(path, mode, chosen));
    }

    @Override
    public void forceDirectory(Path directory) throws StorageException {
        if (bug != PlantedBug.LOG_DIRECTORY_NOT_FORCED) {
            disk.forceDirectory(directory);
        }
    }

    @Override
    public int blockSizeBytes(Path directory) throws StorageException {
        return disk.blockSizeBytes(directory);
    }

    @Override
    public void createDirectories(Path directory) throws StorageException {
        disk.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws StorageException {
        disk.rename(from, to);
    }

    @Override
    public void link(Path existing, Path link) throws StorageException {
        disk.link(existing, link);
    }

    @Override
    public boolean delete(Path path) throws StorageException {
        return disk.delete(path);
    }

    @Override
    public List<String> list(Path directory) throws StorageException {
        return disk.list(directory);
    }

    @Override
    public @Nullable FileFacts facts(Path path) throws StorageException {
        return disk.facts(path);
    }

    @Override
    public void setModified(Path path, long epochMillis) throws StorageException {
        disk.setModified(path, epochMillis);
    }

    @Override
    public void setMode(Path path, int mode) throws StorageException {
        disk.setMode(path, mode);
    }

    @Override
    public long usableSpaceBytes(Path directory) throws StorageException {
        return disk.usableSpaceBytes(directory);
    }

    @Override
    public DirectoryLock lock(Path file) throws StorageException {
        return disk.lock(file);
    }

    private final class CarelessFile implements StorageFile {
        private final StorageFile file;

        CarelessFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public void force(boolean metadata) throws StorageException {
            if (bug != PlantedBug.LOG_NOT_FORCED) {
                file.force(metadata);
            }
        }

        @Override
        public void truncate(long sizeBytes) throws StorageException {
            boolean tooFar = bug == PlantedBug.LOG_TAIL_CUT_TOO_FAR && sizeBytes > 2 * BLOCK_BYTES;
            file.truncate(tooFar ? sizeBytes - 2 * BLOCK_BYTES : sizeBytes);
        }

        @Override
        public boolean direct() {
            return file.direct() || bug == PlantedBug.LOG_CACHE_TRUSTED;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public int read(ByteBuffer into, long position) throws StorageException {
            return file.read(into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) throws StorageException {
            file.write(from, position);
        }

        @Override
        public long sizeBytes() throws StorageException {
            return file.sizeBytes();
        }

        @Override
        public @Nullable StorageException failure() {
            return file.failure();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
