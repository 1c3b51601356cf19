package io.hawser.store.storage;

import io.hawser.core.model.NodeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's data directory: held by one process, with the identity that was made once and an epoch that rises, durably, with
 * each opening. A process that was thought dead and wakes up is recognised by its older epoch.
 *
 * <p>Files: {@code lock}; {@code node.id}, 32 hex digits; {@code epoch}, a decimal number. Each of the latter is replaced as
 * a whole and forced. A new directory gets epoch 0 before its identity, so that either file alone shows that the other was lost, if
 * anything was written by then.
 *
 * <p>Thread: any; its creator closes it.
 */
public final class NodeDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDirectory.class);
    private static final String LOCK_FILE = "lock";
    private static final String ID_FILE = "node.id";
    private static final String EPOCH_FILE = "epoch";
    /** Of a directory in which no run has begun yet. */
    private static final String UNBORN = "0";
    /** Where stores keep what they have written, with {@code landing-NAME}. */
    private static final Set<String> STORES = Set.of("log", "journal", "data", "files", "index");

    private static final String LANDING_PREFIX = "landing-";
    /** agent-b's word on the target directory that it has delivered into. */
    private static final String TARGET_PREFIX = "target-";
    /** Names of what a store has written: a log, an index, content that is called by its transfer, a landing area. */
    private static final Pattern WRITTEN =
            Pattern.compile("log\\.id|[0-9]{20}\\.log|index\\.mv\\.db|[0-9a-f]{32}.*|node\\.id|journal");
    /** No epoch is higher: the log has four bytes for it. */
    public static final long MAX_EPOCH = 0xFFFF_FFFFL;
    /** More starts than any node has; an epoch may rise by that as often as it has to. */
    private static final long SAFE_STEP = 1_000_000;
    /** Longer files are not what belongs there, and are not read. */
    private static final int MAX_TEXT_BYTES = 4096;

    private final Path path;
    private final DirectoryLock lock;
    private final NodeId id;
    private final long epoch;

    private NodeDirectory(Path path, DirectoryLock lock, NodeId id, long epoch) {
        this.path = path;
        this.lock = lock;
        this.id = id;
        this.epoch = epoch;
    }

    /** The youngest epoch in which something was written into a directory, as what was written shows it. */
    @FunctionalInterface
    public interface WrittenEpoch {
        /** 0 if nothing shows one. */
        long youngest() throws StorageException;
    }

    /** {@link #open(Storage, Path, WrittenEpoch)} where nothing but the file {@code epoch} tells of epochs. */
    public static NodeDirectory open(Storage storage, Path path) throws StorageException {
        return open(storage, path, () -> 0);
    }

    /**
     * Opens {@code path}, made if it is not there, and takes it for this process.
     *
     * @param written asked before anything is changed; also of what the node keeps elsewhere
     * @throws DirectoryInUseException if another process has it; the message says what to do
     * @throws CorruptRecordException if its identity or epoch cannot be read or is lost, or if its epoch is older than what was
     *     written there; nothing is changed then
     */
    public static NodeDirectory open(Storage storage, Path path, WrittenEpoch written) throws StorageException {
        makePrivate(storage, path);
        DirectoryLock lock = storage.lock(path.resolve(LOCK_FILE));
        try {
            NodeId id = isNew(storage, path) ? makeId(storage, path) : storedId(storage, path);
            long epoch = nextEpoch(storage, path, written);
            LOG.atInfo()
                    .addKeyValue("directory", path)
                    .addKeyValue("node", id)
                    .addKeyValue("epoch", epoch)
                    .log("Data directory opened");
            FileSystemKind.warning(storage, path)
                    .ifPresent(warning ->
                            LOG.atWarn().addKeyValue("warning", warning).log("needs attention"));
            return new NodeDirectory(path, lock, id, epoch);
        } catch (StorageException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** A new directory, an empty one and one that was a node's are a node's alone; others keep their mode, and a warning says so. */
    private static void makePrivate(Storage storage, Path path) throws StorageException {
        FileFacts facts = storage.facts(path);
        boolean isOthers = facts != null && !storage.list(path).isEmpty() && !isOne(storage, path);
        if (isOthers && storage.isShared(path)) {
            LOG.atWarn().addKeyValue("directory", path).log("Others can enter this data directory: chmod 700");
        } else if (!isOthers) {
            if (facts != null && storage.isShared(path)) {
                LOG.atWarn()
                        .addKeyValue("directory", path)
                        .log("Others could enter this data directory; from now on only its owner can (mode 700)");
            }
            storage.createPrivateDirectory(path);
        }
    }

    /**
     * Whether no node has lived in {@code path}: there is no identity, and neither an epoch nor anything that was written by one. A
     * directory whose first opening was cut short is new, too.
     */
    public static boolean isNew(Storage storage, Path path) throws StorageException {
        if (storage.facts(path.resolve(ID_FILE)) != null) {
            return false;
        }
        Path epoch = path.resolve(EPOCH_FILE);
        if (storage.facts(epoch) != null && !readText(storage, epoch).equals(UNBORN)) {
            return false;
        }
        return !hasStores(storage, path);
    }

    /**
     * Whether there is an identity, but neither an epoch nor anything that was written in {@code path}. Versions that made the identity
     * first leave that if their first opening is cut short. What is kept elsewhere is not seen.
     */
    public static boolean isUnborn(Storage storage, Path path) throws StorageException {
        return storage.facts(path.resolve(ID_FILE)) != null
                && storage.facts(path.resolve(EPOCH_FILE)) == null
                && !hasStores(storage, path);
    }

    private static boolean hasStores(Storage storage, Path path) throws StorageException {
        for (String name : storage.list(path)) {
            if (name.startsWith(TARGET_PREFIX)) {
                return true;
            }
            boolean mayBeStore = STORES.contains(name) || name.startsWith(LANDING_PREFIX);
            if (mayBeStore && isWritten(storage, path.resolve(name))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWritten(Storage storage, Path store) throws StorageException {
        FileFacts facts = storage.facts(store);
        return facts != null
                && !facts.isFile() // a link to a directory is one
                && storage.list(store).stream()
                        .anyMatch(name -> WRITTEN.matcher(name).matches());
    }

    private static NodeId makeId(Storage storage, Path path) throws StorageException {
        SecureRandom random = new SecureRandom();
        NodeId fresh = new NodeId(random.nextLong(), random.nextLong());
        write(storage, path.resolve(EPOCH_FILE), UNBORN);
        write(storage, path.resolve(ID_FILE), fresh.toString());
        return fresh;
    }

    private static void write(Storage storage, Path file, String line) throws StorageException {
        storage.replaceAll(file, (line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static NodeId readId(Storage storage, Path file) throws StorageException {
        if (storage.facts(file) == null) {
            throw new CorruptRecordException(
                    file + " is missing although the directory was in use. Restore it from a backup, or"
                            + " start with an empty directory; a new identity in this directory would orphan what it has published.");
        }
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

    private static long nextEpoch(Storage storage, Path path, WrittenEpoch written) throws StorageException {
        Path file = path.resolve(EPOCH_FILE);
        long youngest = written.youngest();
        long last = youngest == 0 && isUnborn(storage, path) ? 0 : readEpoch(storage, file);
        if (youngest > last) {
            throw new CorruptRecordException(
                    file + " holds " + last + " and is older than what was written here in epoch "
                            + youngest
                            + ": no epoch may be used twice. Restore all of the directory from one backup, or write a number"
                            + " into it that is higher than any before, such as " + (youngest + SAFE_STEP) + ".");
        }
        write(storage, file, Long.toString(last + 1));
        return last + 1;
    }

    private static long readEpoch(Storage storage, Path file) throws StorageException {
        if (storage.facts(file) == null) {
            throw new CorruptRecordException(
                    file + " is missing although the directory was in use. Write a number into it that is"
                            + " higher than any before, such as " + SAFE_STEP + ".");
        }
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

    /** The identity in a directory that stays as it is; {@link CorruptRecordException} as when it is opened. */
    public static NodeId storedId(Storage storage, Path path) throws StorageException {
        return readId(storage, path.resolve(ID_FILE));
    }

    /** How often the directory was opened; it stays as it is. {@link CorruptRecordException} as then. */
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
     * Takes a directory without beginning a new run in it.
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

    /** Lets another process have it. Idempotent. */
    @Override
    public void close() {
        lock.close();
    }
}
