package io.hawser.common.storage;

import io.hawser.common.model.NodeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's data directory: held by one process, with the identity that was made once and an epoch that rises, durably, with
 * each opening. A process that was thought dead and wakes up is recognised by its older epoch.
 *
 * <p>Files: {@code lock}; {@code node.id}, 32 hex digits; {@code epoch}, a decimal number. Each of the latter is replaced as
 * a whole and forced.
 *
 * <p>Thread: any; closed by whoever opened it.
 */
public final class NodeDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDirectory.class);
    private static final String LOCK_FILE = "lock";
    private static final String ID_FILE = "node.id";
    private static final String EPOCH_FILE = "epoch";
    /** No epoch is higher: the log has four bytes for it. */
    public static final long MAX_EPOCH = 0xFFFF_FFFFL;
    /** Longer files are not what belongs there, and are not read. */
    private static final int MAX_TEXT_BYTES = 4096;

    private final Storage storage;
    private final Path path;
    private final DirectoryLock lock;
    private final NodeId id;
    private final long epoch;

    private NodeDirectory(Storage storage, Path path, DirectoryLock lock, NodeId id, long epoch) {
        this.storage = storage;
        this.path = path;
        this.lock = lock;
        this.id = id;
        this.epoch = epoch;
    }

    /**
     * Opens {@code path}, made if it is not there, and takes it for this process.
     *
     * @throws DirectoryInUseException if another process has it; the message says what to do
     * @throws CorruptRecordException if its identity or epoch cannot be read; nothing is changed then
     */
    public static NodeDirectory open(Storage storage, Path path) throws StorageException {
        storage.createDirectories(path);
        DirectoryLock lock = storage.lock(path.resolve(LOCK_FILE));
        try {
            NodeId id = loadOrMakeId(storage, path.resolve(ID_FILE));
            long epoch = nextEpoch(storage, path.resolve(EPOCH_FILE));
            LOG.atInfo()
                    .addKeyValue("directory", path)
                    .addKeyValue("node", id)
                    .addKeyValue("epoch", epoch)
                    .log("Data directory opened");
            return new NodeDirectory(storage, path, lock, id, epoch);
        } catch (StorageException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static NodeId loadOrMakeId(Storage storage, Path file) throws StorageException {
        if (storage.facts(file) == null) {
            SecureRandom random = new SecureRandom();
            NodeId fresh = new NodeId(random.nextLong(), random.nextLong());
            storage.replaceAll(file, (fresh + "\n").getBytes(StandardCharsets.US_ASCII));
            return fresh;
        }
        return readId(storage, file);
    }

    private static NodeId readId(Storage storage, Path file) throws StorageException {
        String text = readText(storage, file);
        try {
            return NodeId.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException(
                    file + " should hold 32 hex digits and does not. Restore it from a backup, or start with an empty"
                            + " directory; a new identity in this directory would orphan what it has published.",
                    e);
        }
    }

    private static long nextEpoch(Storage storage, Path file) throws StorageException {
        long last = storage.facts(file) == null ? 0 : readEpoch(storage, file);
        storage.replaceAll(file, (last + 1 + "\n").getBytes(StandardCharsets.US_ASCII));
        return last + 1;
    }

    private static long readEpoch(Storage storage, Path file) throws StorageException {
        String text = readText(storage, file);
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) >= MAX_EPOCH) {
            throw new CorruptRecordException(file + " should hold a number below " + MAX_EPOCH + " and holds \"" + text
                    + "\". Write one into it that is higher than any before.");
        }
        return Long.parseLong(text);
    }

    /** Whether a node has had {@code path} as its data directory. */
    public static boolean isOne(Storage storage, Path path) throws StorageException {
        return storage.facts(path.resolve(ID_FILE)) != null || storage.facts(path.resolve(EPOCH_FILE)) != null;
    }

    /** The identity in a directory that stays as it is; {@link CorruptRecordException} as for {@link #open}. */
    public static NodeId storedId(Storage storage, Path path) throws StorageException {
        return readId(storage, path.resolve(ID_FILE));
    }

    /** How often the directory was opened; it stays as it is. {@link CorruptRecordException} as for {@link #open}. */
    public static long storedEpoch(Storage storage, Path path) throws StorageException {
        return readEpoch(storage, path.resolve(EPOCH_FILE));
    }

    /**
     * Keeps others out while a directory is looked at; nothing is changed, also not on a file system that is read-only.
     *
     * @throws DirectoryInUseException if a process has it
     */
    public static DirectoryLock holdForReading(Storage storage, Path path) throws StorageException {
        Path file = path.resolve(LOCK_FILE);
        return storage.facts(file) == null ? () -> {} : storage.lockForReading(file);
    }

    /**
     * Takes a directory without beginning a new life in it.
     *
     * @throws DirectoryInUseException if a process has it
     */
    public static DirectoryLock holdForRepair(Storage storage, Path path) throws StorageException {
        return storage.lock(path.resolve(LOCK_FILE));
    }

    private static String readText(Storage storage, Path file) throws StorageException {
        FileFacts facts = storage.facts(file);
        if (facts != null && facts.sizeBytes() > MAX_TEXT_BYTES) {
            throw new CorruptRecordException(
                    file + " has " + facts.sizeBytes() + " bytes and should be one short line");
        }
        return new String(storage.readAll(file), StandardCharsets.US_ASCII).strip();
    }

    /** The directory. */
    public Path path() {
        return path;
    }

    /** The node's identity. */
    public NodeId id() {
        return id;
    }

    /** How often it has been opened, this time included: from 1, rising. */
    public long epoch() {
        return epoch;
    }

    /** What it was opened through. */
    public Storage storage() {
        return storage;
    }

    /** Lets another process have it. Idempotent. */
    @Override
    public void close() {
        lock.close();
    }
}
