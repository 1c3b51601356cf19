package io.hawser.store.log;

import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The files of a log's directory and how they come and go. A segment's file has its name only once its header is durable; what
 * ends in {@code .tmp} is left over.
 *
 * <p>Files: {@code log.id}; {@code segments}, which the log has; {@code 00000000000000000001.log}, the segments; {@code spare-N}, files to be used again;
 * {@code torn-SEGMENT-OFFSET}, copies of what recovery cut off.
 *
 * <p>Thread: any; one file is handled by one thread at a time.
 */
record SegmentFiles(Storage storage, Path directory) {
    static final String ID_FILE = "log.id";
    /** Each try waits for a file descriptor as long as the storage does: ten minutes in all. */
    private static final int MAX_TRIES = 30;

    private static final String SUFFIX = ".log";
    static final String TEMPORARY = ".tmp";
    static final String SPARE_PREFIX = "spare-";
    static final String TORN_PREFIX = "torn-";
    private static final int MAX_TORN_COPIES = 8;

    Path segmentPath(long number) {
        return directory.resolve(String.format(Locale.ROOT, "%020d%s", number, SUFFIX));
    }

    static boolean isSegment(String name) {
        return name.matches("\\d{20}\\" + SUFFIX);
    }

    /** Sweeps what a crash left half made; returns the numbers of the segments, ascending. */
    List<Long> sweepAndList() throws StorageException {
        storage.createPrivateDirectory(directory);
        for (String name : storage.list(directory)) {
            if (name.endsWith(TEMPORARY)) {
                storage.delete(directory.resolve(name));
            }
        }
        return list();
    }

    /** The numbers of the segments, ascending. */
    List<Long> list() throws StorageException {
        List<Long> numbers = new ArrayList<>();
        for (String name : storage.list(directory)) {
            if (isSegment(name)) {
                numbers.add(number(name));
            }
        }
        numbers.sort(null);
        return numbers;
    }

    /** The number of the segment whose file is called {@code name}. */
    long number(String name) throws CorruptRecordException {
        try {
            return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
        } catch (NumberFormatException e) {
            throw new CorruptRecordException(
                    directory.resolve(name)
                            + " has a number that no segment has. It was put there by hand: move it away.",
                    e);
        }
    }

    boolean hasId() throws StorageException {
        return storage.facts(directory.resolve(ID_FILE)) != null;
    }

    /** The log's id: made with the first segment, never changed. */
    LogId loadOrMakeId(boolean logIsNew, RandomGenerator random) throws StorageException {
        Path path = directory.resolve(ID_FILE);
        if (!hasId()) {
            if (!logIsNew) {
                throw new CorruptRecordException(
                        path + " is missing although there are segments beside it. Restore it from"
                                + " a backup: it is bytes 16 to 31 of each segment.");
            }
            LogId fresh = LogId.random(random);
            storage.replaceAll(path, (fresh + "\n").getBytes(StandardCharsets.US_ASCII));
            return fresh;
        }
        try {
            return LogId.parse(new String(storage.readAll(path), StandardCharsets.US_ASCII).strip());
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException(path + " should hold 32 hex digits and does not", e);
        }
    }

    SegmentHeader readHeader(Path path) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.READ, FileIoMode.DIRECT)) {
            ByteBuffer block = ByteBuffer.allocate(LogFormat.BLOCK_BYTES);
            file.read(block, 0);
            return SegmentHeader.read(block.flip(), path);
        }
    }

    /** Makes a segment's file durable under its name and returns it open. */
    StorageFile create(SegmentHeader header, Path from) throws StorageException {
        OpenMode mode = header.recycled() ? OpenMode.UPDATE : OpenMode.CREATE_NEW;
        Path path = segmentPath(header.number());
        try (StorageFile file = opened(from, mode)) {
            file.write(header.toBlock(), 0);
            file.force(true);
        }
        storage.rename(from, path); // after the force: a named segment always has its header
        forceWhenPossible();
        return opened(path, OpenMode.UPDATE);
    }

    /** What needs a file descriptor. */
    @FunctionalInterface
    private interface Attempt<T> {
        T run() throws StorageException;
    }

    StorageFile opened(Path path, OpenMode mode) throws StorageException {
        return repeated(() -> storage.open(path, mode, FileIoMode.DIRECT));
    }

    void forceWhenPossible() throws StorageException {
        repeated(() -> {
            storage.forceDirectory(directory);
            return directory;
        });
    }

    /** A log that has no segment to write to can do nothing but wait until a file can be opened, which may be long. */
    private static <T> T repeated(Attempt<T> attempt) throws StorageException {
        for (int tries = 1; ; tries++) {
            try {
                return attempt.run();
            } catch (CannotOpenNowException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    Path freshPath(long number) {
        return directory.resolve(number + TEMPORARY);
    }

    /** Keeps a copy of bytes that are about to be cut off, and not too many of such copies. */
    void keepTorn(LogPosition position, ByteBuffer bytes) throws StorageException {
        List<String> copies = storage.list(directory).stream()
                .filter(name -> name.startsWith(TORN_PREFIX))
                .toList();
        for (int i = 0; i <= copies.size() - MAX_TORN_COPIES; i++) {
            storage.delete(directory.resolve(copies.get(i)));
        }
        String copy = String.format(Locale.ROOT, "%s%020d-%d", TORN_PREFIX, position.segment(), position.offset());
        try (StorageFile file = storage.open(directory.resolve(copy), OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
            file.write(bytes, 0);
            file.force(true);
        }
    }

    void delete(Path path) throws StorageException {
        storage.delete(path);
        storage.forceDirectory(directory);
    }

    long sizeBytes(Path path) throws StorageException {
        FileFacts facts = storage.facts(path);
        return facts == null ? 0 : facts.sizeBytes();
    }
}
