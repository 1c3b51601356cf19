package io.hawser.store.testkit;

import io.hawser.store.storage.DirectoryLock;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A real disk of a process that can be killed and of a machine that can lose power, in the test's own process.
 *
 * <ul>
 *   <li>{@link #kill()}: every later call fails, locks are let go; what was written stays (the page cache survives).
 *   <li>{@link #losePower()}: after a kill; what was not forced is taken back: bytes and lengths of files, and names that were
 *       made, renamed or deleted in a directory that was not forced since. A rename counts as durable when either of its
 *       directories was forced, as in file systems with a journal.
 *   <li>{@link #killAtCall}, {@link #failAtCall}, {@link #failCalls} and {@link #failLooks} let chosen calls die or fail. A failed force of a file drops
 *       what was dirty: it stays readable, and no later force makes it durable, only writing it again does.
 * </ul>
 *
 * <p>A test opens the next life of its subject with a new {@code CrashStorage} on the same directory.
 *
 * <p>Thread: any.
 */
public final class CrashStorage implements Storage {
    private static final int BLOCK_BYTES = 4096;

    private final Storage disk;
    private final Path graveyard;
    private final Map<Path, Track> tracks = new HashMap<>();
    private final List<NameChange> unforcedNames = new ArrayList<>();
    private final List<StorageFile> openFiles = new ArrayList<>();
    private final List<DirectoryLock> locks = new ArrayList<>();
    private final List<String> renames = new ArrayList<>();
    private Function<String, @Nullable StorageException> failing = call -> null;
    private Function<String, @Nullable StorageException> failingLooks = call -> null;
    private long failAt = Long.MAX_VALUE;
    private long pretendedSpaceBytes = -1;
    private long calls;
    private long killAt = Long.MAX_VALUE;
    private long buried;
    private volatile boolean dead;

    /** What a file had before the writes that were not forced. */
    private static final class Track {
        Path path;
        final List<Undo> undo = new ArrayList<>();
        /** What writes of a failed force had replaced: the kernel calls them clean, and no later force writes them. */
        final List<Undo> dropped = new ArrayList<>();

        Track(Path path) {
            this.path = path;
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Undo(long position, byte[] bytes, int length, long sizeBytes) {
        /** What is left of it outside of what {@code other} wrote; bytes that were not there are zeros. */
        List<Undo> without(Undo other) {
            byte[] all = Arrays.copyOf(bytes, length);
            int from = (int) Math.max(0, Math.min(length, other.position - position));
            int to = (int) Math.max(from, Math.min(length, other.position + other.length - position));
            List<Undo> left = new ArrayList<>();
            if (from > 0) {
                left.add(new Undo(position, Arrays.copyOf(all, from), from, sizeBytes));
            }
            if (to < length) {
                left.add(new Undo(position + to, Arrays.copyOfRange(all, to, length), length - to, sizeBytes));
            }
            return left;
        }
    }

    /** Half of a write is written before it fails; for other calls the same as any failure. */
    public static final class ShortWriteException extends StorageException {
        private static final long serialVersionUID = 1;

        /** Creates the exception. */
        public ShortWriteException(String message) {
            super(message);
        }
    }

    /** A change of names: {@code to} was made, from {@code from} or from nothing; or {@code from} was deleted. */
    private record NameChange(
            @Nullable Path from,
            @Nullable Path to,
            @Nullable Path replaced) {
        boolean touches(Path directory) {
            return (from != null && directory.equals(from.getParent()))
                    || (to != null && directory.equals(to.getParent()));
        }
    }

    /**
     * Creates one.
     *
     * @param graveyard an empty directory on the same file system, for what must be able to come back
     */
    public CrashStorage(Storage disk, Path graveyard) {
        this.disk = disk;
        this.graveyard = graveyard;
    }

    /** From now on nothing works; locks and files are let go. Idempotent. */
    public synchronized void kill() {
        if (!dead) {
            dead = true;
            locks.forEach(DirectoryLock::close);
            openFiles.forEach(StorageFile::close);
        }
    }

    /** Kills at that changing call, counted from 1: it is not made. */
    public synchronized void killAtCall(long number) {
        killAt = number;
    }

    /**
     * Lets changing calls fail: {@code failure} is given a call's name and its file's name, such as {@code force x.part}, and
     * answers with what it fails with, or null.
     */
    public synchronized void failCalls(Function<String, @Nullable StorageException> failure) {
        failing = failure;
    }

    /** The same for calls that only look: reads, openings of what is there, listings, questions for facts. They change nothing. */
    public synchronized void failLooks(Function<String, @Nullable StorageException> failure) {
        failingLooks = failure;
    }

    /** That one changing call, counted from 1, fails with an I/O error. */
    public synchronized void failAtCall(long number) {
        failAt = number;
    }

    /** What {@link #usableSpaceBytes} answers; negative for what is really there. */
    public synchronized void pretendUsableSpace(long bytes) {
        pretendedSpaceBytes = bytes;
    }

    /** How many changing calls were made. */
    public synchronized long calls() {
        return calls;
    }

    public boolean isDead() {
        return dead;
    }

    /** Renames that were made and not taken back, as {@code from -> to} with file names only. */
    public synchronized List<String> renames() {
        return List.copyOf(renames);
    }

    /** Takes back all that was not forced. Only after {@link #kill()}. */
    public synchronized void losePower() {
        if (!dead) {
            throw new IllegalStateException("kill first");
        }
        try {
            for (Track track : tracks.values()) {
                takeBack(track);
            }
            for (int i = unforcedNames.size() - 1; i >= 0; i--) {
                takeBack(unforcedNames.get(i));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void takeBack(Track track) throws IOException {
        if ((track.undo.isEmpty() && track.dropped.isEmpty()) || !Files.exists(track.path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(track.path, StandardOpenOption.WRITE)) {
            for (int i = track.undo.size() - 1; i >= 0; i--) {
                Undo undo = track.undo.get(i);
                channel.write(ByteBuffer.wrap(undo.bytes()), undo.position());
                channel.truncate(undo.sizeBytes());
            }
            for (int i = track.dropped.size() - 1; i >= 0; i--) {
                takeBack(track.dropped.get(i), channel);
            }
        }
    }

    /** Lengths that a later force has made durable stay. */
    private static void takeBack(Undo dropped, FileChannel channel) throws IOException {
        int length = (int) Math.max(0, Math.min(dropped.length(), channel.size() - dropped.position()));
        channel.write(ByteBuffer.wrap(Arrays.copyOf(dropped.bytes(), length)), dropped.position());
    }

    private void takeBack(NameChange change) throws IOException {
        Path from = change.from();
        Path to = change.to();
        Path replaced = change.replaced();
        if (from != null && to != null && Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(to, from, StandardCopyOption.REPLACE_EXISTING);
            renames.remove(from.getFileName() + " -> " + to.getFileName());
        } else if (from == null && to != null) {
            Files.deleteIfExists(to);
        }
        Path back = to == null ? from : to;
        if (replaced != null && back != null) {
            Files.move(replaced, back, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void begin(String call, Path path) throws StorageException {
        checkAlive();
        calls++;
        if (calls >= killAt) {
            kill();
            checkAlive();
        }
        StorageException failure = failing.apply(call + " " + path.getFileName());
        if (failure != null) {
            throw failure;
        }
        if (calls == failAt) {
            throw new StorageException(call + " " + path + ": injected I/O error");
        }
    }

    private synchronized void look(String call, Path path) throws StorageException {
        checkAlive();
        StorageException failure = failingLooks.apply(call + " " + path.getFileName());
        if (failure != null) {
            throw failure;
        }
    }

    private void checkAlive() throws StorageException {
        if (dead) {
            throw new StorageException("the process is dead");
        }
    }

    @Override
    public synchronized StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException {
        checkAlive();
        boolean makes = (mode == OpenMode.CREATE || mode == OpenMode.CREATE_NEW) && disk.facts(path) == null;
        if (makes) {
            begin("create", path);
        } else {
            look("open", path);
        }
        StorageFile file = disk.open(path, mode, caching);
        if (makes) {
            unforcedNames.add(new NameChange(null, path, null));
            tracks.remove(path);
        }
        openFiles.add(file);
        return new TrackedFile(file, tracks.computeIfAbsent(path, Track::new));
    }

    @Override
    public int blockSizeBytes(Path directory) throws StorageException {
        checkAlive();
        return disk.blockSizeBytes(directory);
    }

    @Override
    public synchronized void createDirectories(Path directory) throws StorageException {
        begin("mkdir", directory);
        disk.createDirectories(directory); // which forces
    }

    @Override
    public synchronized void forceDirectory(Path directory) throws StorageException {
        begin("force-directory", directory);
        disk.forceDirectory(directory);
        unforcedNames.removeIf(change -> change.touches(directory));
    }

    @Override
    public synchronized void rename(Path from, Path to) throws StorageException {
        begin("rename", from);
        Path replaced = bury(to);
        disk.rename(from, to);
        unforcedNames.add(new NameChange(from, to, replaced));
        renames.add(from.getFileName() + " -> " + to.getFileName());
        Track track = tracks.remove(from);
        tracks.remove(to);
        if (track != null) {
            track.path = to;
            tracks.put(to, track);
        }
    }

    /** Keeps what is about to be replaced or deleted under a second name. */
    private @Nullable Path bury(Path path) throws StorageException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        buried++;
        Path grave = graveyard.resolve("g" + System.nanoTime() + "-" + buried);
        disk.link(path, grave);
        return grave;
    }

    @Override
    public synchronized void link(Path existing, Path link) throws StorageException {
        begin("link", link);
        disk.link(existing, link);
        unforcedNames.add(new NameChange(null, link, null));
    }

    @Override
    public synchronized boolean delete(Path path) throws StorageException {
        begin("delete", path);
        Path grave = bury(path);
        boolean was = disk.delete(path);
        if (grave != null) {
            unforcedNames.add(new NameChange(path, null, grave));
            Track track = tracks.remove(path);
            if (track != null) {
                track.path = grave;
                tracks.put(grave, track);
            }
        }
        return was;
    }

    @Override
    public List<String> list(Path directory) throws StorageException {
        look("list", directory);
        return disk.list(directory);
    }

    @Override
    public @Nullable FileFacts facts(Path path) throws StorageException {
        look("facts", path);
        return disk.facts(path);
    }

    @Override
    public synchronized void setModified(Path path, long epochMillis) throws StorageException {
        begin("set-modified", path);
        disk.setModified(path, epochMillis);
    }

    @Override
    public synchronized void setMode(Path path, int mode) throws StorageException {
        begin("set-mode", path);
        disk.setMode(path, mode);
    }

    @Override
    public synchronized long usableSpaceBytes(Path directory) throws StorageException {
        checkAlive();
        return pretendedSpaceBytes >= 0 ? pretendedSpaceBytes : disk.usableSpaceBytes(directory);
    }

    @Override
    public synchronized DirectoryLock lock(Path file) throws StorageException {
        checkAlive();
        DirectoryLock lock = disk.lock(file);
        locks.add(lock);
        return lock;
    }

    /** Remembers what was there before each write, until a force. */
    private final class TrackedFile implements StorageFile {
        private final StorageFile file;
        private final Track track;
        private @Nullable StorageException injected;

        TrackedFile(StorageFile file, Track track) {
            this.file = file;
            this.track = track;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public boolean direct() {
            return file.direct();
        }

        @Override
        public int read(ByteBuffer into, long position) throws StorageException {
            look("read", file.path());
            return file.read(into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) throws StorageException {
            synchronized (CrashStorage.this) {
                boolean lives = injected == null;
                try {
                    start("write");
                } catch (ShortWriteException e) {
                    if (lives) {
                        writeHalf(from, position);
                    }
                    throw e;
                }
                remember(position, from.remaining());
                file.write(from, position);
            }
        }

        private void writeHalf(ByteBuffer from, long position) throws StorageException {
            int half = from.remaining() / 2;
            half -= file.direct() ? half % BLOCK_BYTES : 0;
            if (half > 0) {
                remember(position, half);
                file.write(from.duplicate().limit(from.position() + half), position);
            }
        }

        @Override
        public void force(boolean metadata) throws StorageException {
            synchronized (CrashStorage.this) {
                boolean lives = injected == null;
                try {
                    start("force");
                } catch (StorageException e) {
                    if (lives && !dead) {
                        track.dropped.addAll(track.undo);
                        track.undo.clear();
                    }
                    throw e;
                }
                file.force(metadata);
                track.undo.forEach(this::isDurable);
                track.undo.clear();
            }
        }

        private void isDurable(Undo written) {
            List<Undo> left = new ArrayList<>();
            track.dropped.forEach(dropped -> left.addAll(dropped.without(written)));
            track.dropped.clear();
            track.dropped.addAll(left);
        }

        @Override
        public void truncate(long sizeBytes) throws StorageException {
            synchronized (CrashStorage.this) {
                start("truncate");
                long tail = Math.max(0, file.sizeBytes() - sizeBytes);
                remember(sizeBytes, Math.toIntExact(tail));
                file.truncate(sizeBytes);
            }
        }

        private void start(String call) throws StorageException {
            StorageException first = injected;
            if (first != null) {
                throw first;
            }
            try {
                begin(call, file.path());
            } catch (StorageException e) {
                injected = e;
                throw e;
            }
        }

        private void remember(long position, int length) throws StorageException {
            long size = file.sizeBytes();
            int there = (int) Math.max(0, Math.min(length, size - position));
            byte[] bytes = new byte[there];
            try (FileChannel channel = FileChannel.open(track.path, StandardOpenOption.READ)) {
                ByteBuffer old = ByteBuffer.wrap(bytes);
                int count;
                do {
                    count = channel.read(old, position + old.position());
                } while (count > 0 && old.hasRemaining());
            } catch (IOException e) {
                throw new StorageException("the test could not look at " + track.path, e);
            }
            track.undo.add(new Undo(position, bytes, length, size));
        }

        @Override
        public long sizeBytes() throws StorageException {
            checkAlive();
            return file.sizeBytes();
        }

        @Override
        public @Nullable StorageException failure() {
            return injected == null ? file.failure() : injected;
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
