package io.hawser.store.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk below whose root other programs write too: whatever they put in the place of a directory, between two calls or during one, no
 * file beyond the root is replaced, removed, read or changed. Each directory on the way is opened in the one above it (openat with
 * O_NOFOLLOW), and what is done is done in the last one's handle (renameat, unlinkat); so a name that was looked at and has become a
 * symbolic link since leads nowhere. The root itself may be a link.
 *
 * <p>Two things the JDK cannot do by a handle. A directory is made by its path, and looked for by a handle afterwards: at worst an
 * empty directory stands elsewhere, and the call fails. And what its owner may not read has its time or mode set by its path.
 *
 * <p>What is not below the root is the disk's business, and so is what only looks (facts, lists).
 *
 * <p>Thread: any.
 */
record ConfinedStorage(DiskStorage disk, Path root) implements Storage {
    private static final Logger LOG = LoggerFactory.getLogger(ConfinedStorage.class);
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /** Whether this platform opens directories in a way that others cannot lead elsewhere. */
    @SuppressWarnings("StreamResourceLeak") // closed by the try around it
    static boolean isPossible(Path directory, DescriptorWait descriptors) {
        try (DirectoryStream<Path> stream = descriptors.await(() -> Files.newDirectoryStream(directory))) {
            return stream instanceof SecureDirectoryStream;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public Storage forPublication() {
        return new ConfinedStorage(disk.forPublication(), root);
    }

    @Override
    public boolean isShared(Path path) throws StorageException {
        return disk.isShared(path);
    }

    private boolean isInside(Path path) {
        return path.startsWith(root) && !path.equals(root);
    }

    private static Path name(Path path) {
        Path name = path.getFileName();
        return name == null ? path : name;
    }

    /** The directory that {@code path} is in, by a handle, which the caller closes. */
    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private SecureDirectoryStream<Path> parentOf(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(path + " is in no directory");
        }
        return disk.descriptors().await(() -> opened(parent));
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private SecureDirectoryStream<Path> opened(Path parent) throws IOException {
        if (!parent.startsWith(root)) {
            return secure(Files.newDirectoryStream(parent));
        }
        SecureDirectoryStream<Path> directory = secure(Files.newDirectoryStream(root));
        for (int i = root.getNameCount(); i < parent.getNameCount(); i++) {
            try (SecureDirectoryStream<Path> above = directory) {
                directory = above.newDirectoryStream(parent.getName(i), LinkOption.NOFOLLOW_LINKS);
            }
        }
        return directory;
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("this file system does not open directories by handles");
    }

    @Override
    public StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException {
        if (mode != OpenMode.READ || !isInside(path)) {
            return disk.open(path, mode, caching);
        }
        try {
            return new DiskFile(path, openInside(path), false, disk.forces());
        } catch (IOException e) {
            throw StorageExceptionMapper.of("open " + path, e);
        }
    }

    private FileChannel openInside(Path path) throws IOException {
        return disk.descriptors().await(() -> openedInside(path));
    }

    private FileChannel openedInside(Path path) throws IOException {
        try (SecureDirectoryStream<Path> directory = parentOf(path)) {
            SeekableByteChannel channel = directory.newByteChannel(name(path), READ);
            if (channel instanceof FileChannel file) {
                return file;
            }
            channel.close();
            throw new IOException(path + " is not opened as a file");
        }
    }

    @Override
    public int blockSizeBytes(Path directory) throws StorageException {
        return disk.blockSizeBytes(directory);
    }

    @Override
    public void createDirectories(Path directory) throws StorageException {
        if (!isInside(directory)) {
            disk.createDirectories(directory);
            return;
        }
        if (isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        createDirectories(parent == null ? root : parent);
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            if (!isDirectory(directory)) {
                throw DiskStorage.notMade(directory, e);
            }
        }
        if (!isDirectory(directory)) {
            throw new StorageException(
                    directory + " was made elsewhere: something has taken the place of a directory above it");
        }
        forceDirectory(parent == null ? root : parent);
    }

    private boolean isDirectory(Path path) throws StorageException {
        try (SecureDirectoryStream<Path> directory = parentOf(path)) {
            return attributes(directory, path).isDirectory();
        } catch (IOException e) {
            if (DescriptorWait.areLacking(e)) {
                throw StorageExceptionMapper.of("look at " + path, e);
            }
            return false;
        }
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path path) throws IOException {
        return view(directory, path, BasicFileAttributeView.class).readAttributes();
    }

    private static <V extends FileAttributeView> V view(
            SecureDirectoryStream<Path> directory, Path path, Class<V> type) {
        return directory.getFileAttributeView(name(path), type, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void forceDirectory(Path directory) throws StorageException {
        if (!isInside(directory)) {
            disk.forceDirectory(directory);
            return;
        }
        String action = "force directory " + directory;
        FileChannel opened;
        try {
            opened = openInside(directory);
        } catch (IOException e) {
            throw StorageExceptionMapper.notOpened(action, e);
        }
        try (FileChannel channel = opened) {
            long begunNanos = disk.forces().begun();
            channel.force(true);
            disk.forces().directoryForced(begunNanos);
        } catch (IOException e) {
            throw StorageExceptionMapper.of(action, e);
        }
    }

    @Override
    public void rename(Path from, Path to) throws StorageException {
        try (SecureDirectoryStream<Path> source = parentOf(from);
                SecureDirectoryStream<Path> target = parentOf(to)) {
            source.move(name(from), target, name(to));
        } catch (IOException e) {
            throw StorageExceptionMapper.of("rename " + from + " to " + to, e);
        }
    }

    @Override
    public Renames severalRenames() {
        return new HeldRenames();
    }

    /** For files that come from one directory and go, mostly, to another. */
    private final class HeldRenames implements Renames {
        private final HeldParent source = new HeldParent();
        private final HeldParent target = new HeldParent();

        @Override
        public void rename(Path from, Path to) throws StorageException {
            boolean held = source.isOf(from) || target.isOf(to);
            try {
                move(from, to);
            } catch (NoSuchFileException e) {
                if (!held) {
                    throw StorageExceptionMapper.of("rename " + from + " to " + to, e);
                }
                close(); // one of the two may have been removed and made again
                ConfinedStorage.this.rename(from, to);
            } catch (IOException e) {
                throw StorageExceptionMapper.of("rename " + from + " to " + to, e);
            }
        }

        private void move(Path from, Path to) throws IOException {
            source.of(from).move(name(from), target.of(to), name(to));
        }

        @Override
        public void close() {
            source.close();
            target.close();
        }
    }

    /** The directory that a path is in, open until another one is wanted. */
    private final class HeldParent {
        private @Nullable Path parent;
        private @Nullable SecureDirectoryStream<Path> handle;

        boolean isOf(Path path) {
            return handle != null
                    && Objects.equals(parent, path.toAbsolutePath().getParent());
        }

        SecureDirectoryStream<Path> of(Path path) throws IOException {
            SecureDirectoryStream<Path> held = handle;
            if (held != null && isOf(path)) {
                return held;
            }
            close();
            SecureDirectoryStream<Path> opened = parentOf(path);
            handle = opened;
            parent = path.toAbsolutePath().getParent();
            return opened;
        }

        void close() {
            SecureDirectoryStream<Path> held = handle;
            handle = null;
            if (held != null) {
                try {
                    held.close();
                } catch (IOException e) {
                    LOG.atDebug().addKeyValue("path", parent).setCause(e).log("A directory could not be closed");
                }
            }
        }
    }

    @Override
    public void link(Path existing, Path link) throws StorageException {
        disk.link(existing, link);
    }

    @Override
    public boolean delete(Path path) throws StorageException {
        try (SecureDirectoryStream<Path> directory = parentOf(path)) {
            if (attributes(directory, path).isDirectory()) {
                directory.deleteDirectory(name(path));
            } else {
                directory.deleteFile(name(path));
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw StorageExceptionMapper.of("delete " + path, e);
        }
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
        try (SecureDirectoryStream<Path> directory = parentOf(path)) {
            view(directory, path, BasicFileAttributeView.class).setTimes(FileTime.fromMillis(epochMillis), null, null);
        } catch (AccessDeniedException e) {
            disk.setModified(path, epochMillis);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("set the time of " + path, e);
        }
    }

    @Override
    public void setMode(Path path, int mode) throws StorageException {
        try (SecureDirectoryStream<Path> directory = parentOf(path)) {
            view(directory, path, PosixFileAttributeView.class).setPermissions(DiskStorage.permissions(mode));
        } catch (AccessDeniedException e) {
            disk.setMode(path, mode);
        } catch (IOException e) {
            throw StorageExceptionMapper.of("set the mode of " + path, e);
        }
    }

    @Override
    public String fileSystemType(Path directory) {
        return disk.fileSystemType(directory);
    }

    @Override
    public long usableSpaceBytes(Path directory) throws StorageException {
        return disk.usableSpaceBytes(directory);
    }

    @Override
    public long totalSpaceBytes(Path directory) throws StorageException {
        return disk.totalSpaceBytes(directory);
    }

    @Override
    public DirectoryLock lock(Path file) throws StorageException {
        return disk.lock(file);
    }
}
