package io.hawser.store.storage;

import com.sun.nio.file.ExtendedOpenOption;
import io.hawser.core.trace.WorkSpanEvent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real disks, through {@link FileChannel}.
 *
 * <p>Where a file system refuses O_DIRECT, files that ask for it are opened through the page cache; the first time a warning
 * says so.
 *
 * <p>Thread: any.
 */
public final class DiskStorage implements Storage {
    private static final Logger LOG = LoggerFactory.getLogger(DiskStorage.class);
    private static final String ALL_PERMISSIONS = "rwxrwxrwx";
    private static final int PRIVATE_MODE = 0700;

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(OWNER);

    /** How long a call waits for a free file descriptor. */
    private static final Duration DESCRIPTOR_PATIENCE = Duration.ofSeconds(20);

    private static final DescriptorWait DESCRIPTORS = new DescriptorWait(DESCRIPTOR_PATIENCE);

    private final AtomicBoolean directRefused;
    private final FileAttribute<?>[] ofNewFiles;
    private final DiskStorage forPublication;
    private final ForceMeter forces;
    private final DiskSpace space;

    /** All disks of this machine. */
    public DiskStorage() {
        this(ForceMeter.NO_CLOCK);
    }

    /** The same; {@code nanoTime} measures what {@link #forces} shows. */
    public DiskStorage(LongSupplier nanoTime) {
        forces = new ForceMeter(nanoTime);
        space = new DiskSpace();
        directRefused = new AtomicBoolean();
        ofNewFiles = new FileAttribute<?>[] {PRIVATE_FILE};
        forPublication = new DiskStorage(this);
    }

    private DiskStorage(DiskStorage ofPrivateFiles) {
        this.forces = ofPrivateFiles.forces;
        this.space = ofPrivateFiles.space;
        this.directRefused = ofPrivateFiles.directRefused;
        this.ofNewFiles = new FileAttribute<?>[0];
        this.forPublication = this;
    }

    /** Measures the forces of all files and directories. */
    public ForceMeter forces() {
        return forces;
    }

    @Override
    public DiskStorage forPublication() {
        return forPublication;
    }

    @Override
    public Storage below(Path root) {
        if (ConfinedStorage.isPossible(root, DESCRIPTORS)) {
            return new ConfinedStorage(this, root.toAbsolutePath().normalize());
        }
        LOG.atWarn()
                .addKeyValue("path", root)
                .log(
                        "Directories are not opened by handles here: a program that may write below this path could lead files elsewhere");
        return this;
    }

    @Override
    public StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException {
        try {
            if (caching == FileIoMode.DIRECT) {
                try {
                    return new DiskFile(path, opened(path, options(mode, true)), true, forces);
                } catch (UnsupportedOperationException e) {
                    warnOnce(path, e);
                } catch (IOException e) {
                    if (!isInvalidArgument(e)) {
                        throw e;
                    }
                    warnOnce(path, e);
                    // The refused call may have made the file already.
                    OpenMode again = mode == OpenMode.CREATE_NEW ? OpenMode.CREATE : mode;
                    return new DiskFile(path, opened(path, options(again, false)), false, forces);
                }
            }
            return new DiskFile(path, opened(path, options(mode, false)), false, forces);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("open " + path, e);
        }
    }

    /** What waits where a file descriptor is needed and none is free. */
    DescriptorWait descriptors() {
        return DESCRIPTORS;
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static DirectoryStream<Path> entries(Path directory) throws IOException {
        return DESCRIPTORS.await(() -> Files.newDirectoryStream(directory));
    }

    /** The JDK opens the list of mounts for it. */
    static FileStore fileStore(Path directory) throws IOException {
        return DESCRIPTORS.await(() -> Files.getFileStore(directory));
    }

    private FileChannel opened(Path path, Set<OpenOption> options) throws IOException {
        return DESCRIPTORS.await(() -> FileChannel.open(path, options, ofNewFiles));
    }

    private static Set<OpenOption> options(OpenMode mode, boolean direct) {
        Set<OpenOption> options = new HashSet<>();
        options.add(StandardOpenOption.READ);
        switch (mode) {
            case READ -> {}
            case UPDATE -> options.add(StandardOpenOption.WRITE);
            case CREATE -> Collections.addAll(options, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            case CREATE_NEW -> Collections.addAll(options, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        }
        if (direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        return options;
    }

    private static boolean isInvalidArgument(IOException e) {
        return e.getMessage() != null && e.getMessage().contains("Invalid argument");
    }

    private void warnOnce(Path path, Exception cause) {
        if (directRefused.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("path", path)
                    .addKeyValue("reason", cause.toString())
                    .log("This file system refuses O_DIRECT; bulk data goes through the page cache, which is slower");
        }
    }

    @Override
    public int blockSizeBytes(Path directory) throws StorageException {
        try {
            return Math.toIntExact(fileStore(directory).getBlockSize());
        } catch (IOException e) {
            throw StorageExceptionMapper.of("block size of " + directory, e);
        }
    }

    @Override
    public void createDirectories(Path directory) throws StorageException {
        create(directory);
    }

    @Override
    public void createPrivateDirectory(Path directory) throws StorageException {
        create(directory, PRIVATE_DIRECTORY);
        if (isShared(directory)) {
            setMode(directory, PRIVATE_MODE);
        }
    }

    /** The attributes are the last one's: what is above may be others' as well. */
    private void create(Path directory, FileAttribute<?>... attributes) throws StorageException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (Files.isDirectory(absolute)) {
            return;
        }
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new StorageException(directory + ": no parent directory");
        }
        createDirectories(parent);
        try {
            Files.createDirectory(absolute, attributes);
        } catch (IOException e) {
            if (!Files.isDirectory(absolute)) {
                throw notMade(directory, e);
            }
        }
        forceDirectory(parent);
    }

    static StorageException notMade(Path directory, IOException cause) {
        if (cause instanceof FileAlreadyExistsException) {
            String what = Files.isRegularFile(directory) ? " is a file, not a directory" : " is not a directory";
            return new PathExistsException(directory + what, cause);
        }
        return StorageExceptionMapper.of("create directory " + directory, cause);
    }

    @Override
    public void forceDirectory(Path directory) throws StorageException {
        String action = "force directory " + directory;
        try (FileChannel channel = openDirectory(directory, action)) {
            long begunNanos = forces.begun();
            channel.force(true);
            forces.directoryForced(begunNanos);
        } catch (StorageException e) {
            throw e;
        } catch (IOException e) {
            throw StorageExceptionMapper.of(action, e);
        }
    }

    /** On Linux a directory opens for reading like a file, and fsync on it makes its entries durable. */
    private static FileChannel openDirectory(Path directory, String action) throws StorageException {
        try {
            return DESCRIPTORS.await(() -> FileChannel.open(directory, StandardOpenOption.READ));
        } catch (IOException e) {
            throw StorageExceptionMapper.notOpened(action, e);
        }
    }

    @Override
    public void rename(Path from, Path to) throws StorageException {
        WorkSpanEvent work = WorkSpanEvent.begun(WorkSpanEvent.RENAME);
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            work.done();
        } catch (IOException e) {
            throw StorageExceptionMapper.of("rename " + from + " to " + to, e);
        }
    }

    @Override
    public void link(Path existing, Path link) throws StorageException {
        try {
            Files.createLink(link, existing);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("link " + existing + " to " + link, e);
        }
    }

    @Override
    public boolean delete(Path path) throws StorageException {
        try {
            return Files.deleteIfExists(path);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("delete " + path, e);
        }
    }

    @Override
    public List<String> list(Path directory) throws StorageException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = entries(directory)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (IOException e) {
            throw StorageExceptionMapper.of("list " + directory, e);
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public @Nullable FileFacts facts(Path path) throws StorageException {
        try {
            BasicFileAttributes facts =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Object key = facts.fileKey();
            return new FileFacts(
                    facts.size(),
                    facts.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    key == null ? "" : key.toString(),
                    kind(facts));
        } catch (java.nio.file.NoSuchFileException e) {
            return null;
        } catch (FileSystemException e) {
            if (isBelowAFile(path)) {
                return null;
            }
            throw StorageExceptionMapper.of("look at " + path, e);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("look at " + path, e);
        }
    }

    /** Whether something on the way to {@code path} is there and no directory: ENOTDIR has no exception of its own. */
    private static boolean isBelowAFile(Path path) {
        for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
            if (Files.isDirectory(parent)) {
                return false;
            }
            if (Files.exists(parent)) {
                return true;
            }
        }
        return false;
    }

    private static FileFacts.Kind kind(BasicFileAttributes facts) {
        if (facts.isRegularFile()) {
            return FileFacts.Kind.FILE;
        }
        if (facts.isDirectory()) {
            return FileFacts.Kind.DIRECTORY;
        }
        return facts.isSymbolicLink() ? FileFacts.Kind.SYMBOLIC_LINK : FileFacts.Kind.OTHER;
    }

    @Override
    public void setModified(Path path, long epochMillis) throws StorageException {
        try {
            Files.setLastModifiedTime(path, FileTime.fromMillis(epochMillis));
        } catch (IOException e) {
            throw StorageExceptionMapper.of("set the time of " + path, e);
        }
    }

    /** The nine permission bits of POSIX, as the JDK has them. */
    static Set<PosixFilePermission> permissions(int mode) {
        StringBuilder permissions = new StringBuilder(ALL_PERMISSIONS);
        for (int i = 0; i < permissions.length(); i++) {
            if ((mode >> (permissions.length() - 1 - i) & 1) == 0) {
                permissions.setCharAt(i, '-');
            }
        }
        return PosixFilePermissions.fromString(permissions.toString());
    }

    @Override
    public void setMode(Path path, int mode) throws StorageException {
        try {
            Files.setPosixFilePermissions(path, permissions(mode));
        } catch (IOException e) {
            throw StorageExceptionMapper.of("set the mode of " + path, e);
        } catch (UnsupportedOperationException e) {
            throw new StorageException("set the mode of " + path + ": Operation not supported", e);
        }
    }

    @Override
    public boolean isShared(Path path) throws StorageException {
        try {
            return !OWNER.containsAll(Files.getPosixFilePermissions(path));
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (IOException e) {
            throw StorageExceptionMapper.of("read the mode of " + path, e);
        }
    }

    @Override
    public String fileSystemType(Path directory) {
        try {
            return fileStore(directory).type();
        } catch (IOException e) {
            LOG.atDebug().addKeyValue("path", directory).setCause(e).log("The type of a file system is not known");
            return "";
        }
    }

    @Override
    public long usableSpaceBytes(Path directory) throws StorageException {
        try {
            return space.usableBytes(directory);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("free space of " + directory, e);
        }
    }

    @Override
    public long totalSpaceBytes(Path directory) throws StorageException {
        try {
            long bytes = space.totalBytes(directory);
            return bytes > 0 ? bytes : Long.MAX_VALUE; // some network file systems do not say
        } catch (IOException e) {
            throw StorageExceptionMapper.of("size of the file system of " + directory, e);
        }
    }

    @Override
    public void setApart(Path directory, LongSupplier bytes) {
        space.setApart(directory, bytes);
    }

    @Override
    public DirectoryLock lock(Path file) throws StorageException {
        return lock(file, false, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE));
    }

    @Override
    public DirectoryLock lockForReading(Path file) throws StorageException {
        return lock(file, true, Set.of(StandardOpenOption.READ));
    }

    private static DirectoryLock lock(Path file, boolean shared, Set<OpenOption> options) throws StorageException {
        try {
            FileChannel channel = DESCRIPTORS.await(() -> FileChannel.open(file, options, PRIVATE_FILE));
            FileLock lock = tryLock(channel, shared);
            if (lock == null) {
                channel.close();
                throw new DirectoryInUseException(file.toAbsolutePath().getParent()
                        + " is in use by another hawser process. Stop that process, or choose another directory.");
            }
            return new HeldLock(channel);
        } catch (DirectoryInUseException e) {
            throw e;
        } catch (IOException e) {
            throw StorageExceptionMapper.of("lock " + file, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel, boolean shared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, shared);
        } catch (OverlappingFileLockException e) {
            return null; // held in this very process
        }
    }

    private record HeldLock(FileChannel channel) implements DirectoryLock {
        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.atWarn().setCause(e).log("A lock file could not be closed");
            }
        }
    }
}
