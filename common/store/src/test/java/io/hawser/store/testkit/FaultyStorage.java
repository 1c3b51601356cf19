package io.hawser.store.testkit;

import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DirectoryLock;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.PathExistsException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.PathRefusedException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that can do what real ones do on their worst day.
 *
 * <ul>
 *   <li>{@link #failCall}: the N-th changing call fails, with EIO, ENOSPC or after half of the bytes, once or from then on. A
 *       failed force drops what was dirty, keeps it readable, and a later force of the same file object never happens, since the
 *       object is dead; one of another object says success, as kernels do.
 *   <li>{@link #failLook}: the N-th call that only looks fails with EIO, once or from then on: a read, the opening of a file that is
 *       there, a listing, a question for facts. What is on the disk stays as it is.
 *   <li>{@link #kill}: the process dies; what the kernel has survives. All open files and locks are gone.
 *   <li>{@link #powerCut}: of what was not forced any part survives, sector by sector, torn or whole; of directory entries that
 *       were not forced either a prefix of the changes or any of them. Sectors are of 512 or of 4096 bytes; direct access has to be
 *       aligned to them.
 *   <li>{@link #capacityBytes}: beyond it writes fail with ENOSPC.
 * </ul>
 *
 * <p>Thread: any.
 */
public final class FaultyStorage implements Storage {
    /** Of most disks, also of those that write more at once. */
    public static final int SECTOR_BYTES = 512;
    /** Of disks that say so. */
    public static final int LARGE_SECTOR_BYTES = 4096;

    static final int BLOCK_BYTES = 4096;

    private final Map<Path, FaultyInode> names = new HashMap<>();
    private final Map<Path, FaultyInode> durableNames = new HashMap<>();
    private final Set<Path> directories = new HashSet<>();
    private final Set<Path> durableDirectories = new HashSet<>();
    private final List<NameChange> pendingChanges = new ArrayList<>();
    private final Set<Path> locks = new HashSet<>();
    private final int sectorBytes;
    private long incarnation;
    private long inodes;
    private long tears;
    private long calls;
    private long failAtCall = Long.MAX_VALUE;
    private long looks;
    private long failAtLook = Long.MAX_VALUE;
    private boolean stickyLook;
    private Fault fault = Fault.EIO;
    private boolean sticky;
    private long capacityBytes = Long.MAX_VALUE;
    private boolean directAllowed = true;

    /** A disk with sectors of {@value #SECTOR_BYTES} bytes. */
    public FaultyStorage() {
        this(SECTOR_BYTES);
    }

    /** A disk with sectors of {@value #SECTOR_BYTES} or {@value #LARGE_SECTOR_BYTES} bytes. */
    public FaultyStorage(int sectorBytes) {
        this.sectorBytes = sectorBytes;
    }

    int sectorBytes() {
        return sectorBytes;
    }

    /** How a call fails. */
    public enum Fault {
        /** The device does not answer; nothing, or for a force anything, is written. */
        EIO,
        /** No space is left; nothing is written. */
        ENOSPC,
        /** Half of a write is written, then EIO. For other calls the same as {@link #EIO}. */
        SHORT
    }

    /** One change of directory entries, atomic as a journalled file system makes it; null removes a name. */
    private record NameChange(
            Map<Path, @Nullable FaultyInode> entries, Set<Path> newDirectories, Set<Path> goneDirectories) {}

    /** Lets the {@code number}-th changing call from now on fail, counted from 1. */
    public synchronized void failCall(long number, Fault how, boolean fromThenOn) {
        failAtCall = calls + number;
        fault = how;
        sticky = fromThenOn;
    }

    /** Lets the {@code number}-th call from now on that only looks fail with EIO, counted from 1. */
    public synchronized void failLook(long number, boolean fromThenOn) {
        failAtLook = looks + number;
        stickyLook = fromThenOn;
    }

    /** Nothing fails any more. */
    public synchronized void heal() {
        failAtCall = Long.MAX_VALUE;
        failAtLook = Long.MAX_VALUE;
    }

    /** Calls so far that changed nothing: reads, openings of what was there, listings, questions for facts. */
    public synchronized long looks() {
        return looks;
    }

    /** Counts a call that only looks; it may fail. */
    synchronized void look(String what) throws StorageException {
        looks++;
        if (looks == failAtLook || (stickyLook && looks > failAtLook)) {
            throw failure(Fault.EIO, what);
        }
    }

    /** Changing calls so far: writes, forces, truncations, and changes of directories. */
    public synchronized long calls() {
        return calls;
    }

    /** The device changes one bit of a file. */
    public synchronized void flipBit(Path path, long bit) {
        Objects.requireNonNull(names.get(normal(path))).flipBit(bit);
    }

    /** Bounds what all files may take together. */
    public synchronized void capacityBytes(long bytes) {
        capacityBytes = bytes;
    }

    /** Whether files open past the page cache: then unaligned access is refused. */
    public synchronized void directAllowed(boolean allowed) {
        directAllowed = allowed;
    }

    /** The process dies: open files and locks are gone, what was written is still there. */
    public synchronized void kill() {
        incarnation++;
        locks.clear();
    }

    /** The power fails. What survives of all that was not forced is decided by {@code seed}. */
    public synchronized void powerCut(long seed) {
        kill();
        Random random = new Random(seed);
        settleNames(random);
        Set<FaultyInode> all = new HashSet<>(names.values());
        List<Path> sorted = new ArrayList<>(names.keySet());
        sorted.sort(null);
        for (Path path : sorted) {
            FaultyInode inode = names.get(path);
            if (inode != null && all.remove(inode)) {
                tears += inode.powerCut(random) ? 1 : 0;
            }
        }
    }

    /** How many files lost at a power cut some sectors that had not been forced, and kept others. */
    public synchronized long tears() {
        return tears;
    }

    private void settleNames(Random random) {
        int mode = random.nextInt(3);
        int keep = mode == 0 ? 0 : random.nextInt(pendingChanges.size() + 1);
        names.clear();
        names.putAll(durableNames);
        directories.clear();
        directories.addAll(durableDirectories);
        for (int i = 0; i < pendingChanges.size(); i++) {
            boolean survives = mode == 1 ? i < keep : mode == 2 && random.nextBoolean();
            if (survives) {
                apply(pendingChanges.get(i), names, directories);
            }
        }
        durableNames.clear();
        durableNames.putAll(names);
        durableDirectories.clear();
        durableDirectories.addAll(directories);
        pendingChanges.clear();
    }

    private static void apply(NameChange change, Map<Path, FaultyInode> to, Set<Path> toDirectories) {
        change.entries().forEach((path, inode) -> {
            if (inode == null) {
                to.remove(path);
            } else {
                to.put(path, inode);
            }
        });
        toDirectories.removeAll(change.goneDirectories());
        toDirectories.addAll(change.newDirectories());
    }

    private void change(Map<Path, @Nullable FaultyInode> entries) {
        change(entries, Set.of(), Set.of());
    }

    private void change(Map<Path, @Nullable FaultyInode> entries, Set<Path> newDirectories, Set<Path> goneDirectories) {
        NameChange change = new NameChange(entries, newDirectories, goneDirectories);
        apply(change, names, directories);
        pendingChanges.add(change);
    }

    /** Counts a changing call and says whether it fails. */
    synchronized @Nullable Fault nextFault() {
        calls++;
        boolean fails = calls == failAtCall || (sticky && calls > failAtCall);
        return fails ? fault : null;
    }

    private void mayFail(String what) throws StorageException {
        Fault now = nextFault();
        if (now != null) {
            throw failure(now, what);
        }
    }

    static StorageException failure(Fault fault, String what) {
        return fault == Fault.ENOSPC
                ? new OutOfSpaceException(what + ": No space left on device (injected)")
                : new StorageException(what + ": Input/output error (injected)");
    }

    synchronized long incarnation() {
        return incarnation;
    }

    synchronized boolean hasRoomFor(long bytes) {
        return capacityBytes == Long.MAX_VALUE || bytes <= usableSpaceBytes();
    }

    private static Path normal(Path path) {
        return path.toAbsolutePath().normalize();
    }

    @Override
    public synchronized StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException {
        Path name = normal(path);
        FaultyInode inode = names.get(name);
        if (inode == null && mode == OpenMode.READ && directories.contains(name)) {
            look("open " + path);
            return new FaultyFile(this, path, new FaultyInode(sectorBytes, 0), false, false);
        }
        if (inode == null) {
            if (mode == OpenMode.READ || mode == OpenMode.UPDATE) {
                throw new PathMissingException("open " + path + ": no such file");
            }
            if (!directories.contains(name.getParent())) {
                throw new PathMissingException("open " + path + ": no such directory");
            }
            mayFail("create " + path);
            inode = new FaultyInode(sectorBytes, ++inodes);
            change(Map.of(name, inode));
        } else if (mode == OpenMode.CREATE_NEW) {
            throw new PathExistsException("open " + path + ": exists already");
        } else {
            look("open " + path);
        }
        boolean direct = caching == FileIoMode.DIRECT && directAllowed;
        return new FaultyFile(this, path, inode, direct, mode != OpenMode.READ);
    }

    @Override
    public int blockSizeBytes(Path directory) {
        return BLOCK_BYTES;
    }

    @Override
    public synchronized void createDirectories(Path directory) throws StorageException {
        Path name = normal(directory);
        if (directories.contains(name)) {
            return;
        }
        Path parent = name.getParent();
        if (parent == null) {
            directories.add(name);
            durableDirectories.add(name);
            return;
        }
        createDirectories(parent);
        mayFail("create directory " + directory);
        change(Map.of(), Set.of(name), Set.of());
        forceDirectory(parent);
    }

    @Override
    public synchronized void forceDirectory(Path directory) throws StorageException {
        Path name = normal(directory);
        if (!directories.contains(name)) {
            throw new PathMissingException("force directory " + directory + ": no such directory");
        }
        mayFail("force directory " + directory);
        List<NameChange> still = new ArrayList<>();
        for (NameChange pending : pendingChanges) {
            boolean touches = pending.entries().keySet().stream().anyMatch(path -> name.equals(path.getParent()))
                    || Stream.concat(pending.newDirectories().stream(), pending.goneDirectories().stream())
                            .anyMatch(path -> name.equals(path.getParent()));
            if (touches) {
                apply(pending, durableNames, durableDirectories);
            } else {
                still.add(pending);
            }
        }
        pendingChanges.clear();
        pendingChanges.addAll(still);
    }

    @Override
    public synchronized void rename(Path from, Path to) throws StorageException {
        Path source = normal(from);
        Path target = normal(to);
        if (directories.contains(target)) {
            throw new PathRefusedException("rename " + from + " to " + to + ": Is a directory", "Is a directory", null);
        }
        if (!directories.contains(target.getParent())) {
            throw new PathMissingException("rename " + from + " to " + to + ": no such directory");
        }
        Map<Path, @Nullable FaultyInode> entries = new HashMap<>();
        Set<Path> fresh = new HashSet<>();
        Set<Path> gone = new HashSet<>();
        if (directories.contains(source)) {
            directories.stream().filter(path -> path.startsWith(source)).forEach(path -> {
                gone.add(path);
                fresh.add(target.resolve(source.relativize(path)));
            });
            names.forEach((path, inode) -> {
                if (path.startsWith(source)) {
                    entries.put(path, null);
                    entries.put(target.resolve(source.relativize(path)), inode);
                }
            });
        } else {
            entries.put(target, existing(from));
            entries.put(source, null);
        }
        mayFail("rename " + from + " to " + to);
        change(entries, fresh, gone);
    }

    private FaultyInode existing(Path path) throws PathMissingException {
        FaultyInode inode = names.get(normal(path));
        if (inode == null) {
            throw new PathMissingException(path + ": no such file");
        }
        return inode;
    }

    @Override
    public synchronized void link(Path existing, Path link) throws StorageException {
        FaultyInode inode = existing(existing);
        if (names.containsKey(normal(link))) {
            throw new PathExistsException("link " + link + ": exists already");
        }
        mayFail("link " + existing + " to " + link);
        change(Map.of(normal(link), inode));
    }

    @Override
    public synchronized boolean delete(Path path) throws StorageException {
        Path name = normal(path);
        if (directories.contains(name)) {
            if (!list(path).isEmpty()) {
                throw new PathRefusedException("delete " + path + ": Directory not empty", "Directory not empty", null);
            }
            mayFail("delete " + path);
            change(Map.of(), Set.of(), Set.of(name));
            return true;
        }
        if (!names.containsKey(name)) {
            return false;
        }
        mayFail("delete " + path);
        Map<Path, @Nullable FaultyInode> entries = new HashMap<>();
        entries.put(normal(path), null);
        change(entries);
        return true;
    }

    @Override
    public synchronized List<String> list(Path directory) throws StorageException {
        look("list " + directory);
        Path name = normal(directory);
        Set<String> found = new TreeSet<>();
        names.keySet().stream()
                .filter(path -> name.equals(path.getParent()))
                .forEach(path -> found.add(path.getFileName().toString()));
        directories.stream()
                .filter(path -> name.equals(path.getParent()))
                .forEach(path -> found.add(path.getFileName().toString()));
        return new ArrayList<>(found);
    }

    @Override
    public synchronized @Nullable FileFacts facts(Path path) throws StorageException {
        look("look at " + path);
        FaultyInode inode = names.get(normal(path));
        if (inode != null) {
            return new FileFacts(
                    inode.sizeBytes(), inode.modifiedNanos(), "inode-" + inode.number(), FileFacts.Kind.FILE);
        }
        return directories.contains(normal(path)) ? new FileFacts(0, 0, "", FileFacts.Kind.DIRECTORY) : null;
    }

    @Override
    public synchronized void setModified(Path path, long epochMillis) throws StorageException {
        FaultyInode inode = existing(path);
        mayFail("set the time of " + path);
        inode.modifiedNanos(epochMillis * 1_000_000);
    }

    @Override
    public synchronized void setMode(Path path, int mode) throws StorageException {
        existing(path);
        mayFail("set the mode of " + path);
    }

    @Override
    public synchronized long usableSpaceBytes(Path directory) {
        return usableSpaceBytes();
    }

    /** What all files take together. */
    public synchronized long usedBytes() {
        long used = 0;
        for (FaultyInode inode : new HashSet<>(names.values())) {
            used += inode.sizeBytes();
        }
        return used;
    }

    private long usableSpaceBytes() {
        return Math.max(0, capacityBytes - usedBytes());
    }

    @Override
    public synchronized DirectoryLock lock(Path file) throws StorageException {
        Path name = normal(file);
        if (!locks.add(name)) {
            throw new DirectoryInUseException(name.getParent()
                    + " is in use by another hawser process. Stop that process, or choose another directory.");
        }
        return () -> unlock(name);
    }

    private synchronized void unlock(Path name) {
        locks.remove(name);
    }
}
