package io.hawser.it.sim;

import io.hawser.store.storage.DirectoryLock;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A store's door to its machine's disk. The process can end at any changing call; what is renamed is told of; and what a careless store would
 * leave out is left out here where that bug is planted.
 */
final class SimStorage implements Storage {
    private static final int BLOCK_BYTES = 4096;

    private final SimDisk disk;
    private final PlantedBug bug;
    private BiConsumer<Path, Path> renamed = (from, to) -> {};
    private long callsLeft = Long.MAX_VALUE;
    private long calls;
    private CallPoint.@Nullable Way chosenWay;
    private long chosenCall;
    private boolean dead;
    private boolean losesPower;
    private boolean starting;

    /** The process has ended in the middle of a call; nothing catches it but its simulator. */
    static final class Died extends Error {
        private static final long serialVersionUID = 1;

        Died() {
            super("the process has ended", null, false, false);
        }
    }

    SimStorage(SimDisk disk, PlantedBug bug) {
        this.disk = disk;
        this.bug = bug;
    }

    /** Told of each rename, from where to where. */
    void onRename(BiConsumer<Path, Path> listener) {
        renamed = listener;
    }

    /** The process ends at the changing call behind so many others. */
    void dieAfter(int calls) {
        callsLeft = calls;
    }

    /** The machine loses its power before the next changing call. */
    void losePowerSoon() {
        callsLeft = 0;
        losesPower = true;
    }

    boolean isDead() {
        return dead;
    }

    /** The process starts: what it does until {@link #started} is its recovery. */
    void starts() {
        starting = true;
    }

    void started() {
        starting = false;
        callsLeft = Long.MAX_VALUE;
    }

    /** There is a new process. */
    void crashed() {
        dead = false;
        losesPower = false;
        starting = false;
        callsLeft = Long.MAX_VALUE;
    }

    /** Something happens at that changing call, counted from the first of the machine. */
    void choose(long call, CallPoint.Way way) {
        chosenCall = call;
        chosenWay = way;
    }

    /** How many changing calls there were in all lives. */
    long calls() {
        return calls;
    }

    /** Whether the process ends with the machine; drawn where it was not chosen. */
    boolean losesPower(boolean drawn) {
        return losesPower || (chosenWay == null ? drawn : chosenWay == CallPoint.Way.POWER_CUT);
    }

    private void changes() {
        if (dead || callsLeft == 0) {
            dead = true;
            throw new Died();
        }
        callsLeft--;
        calls++;
        if (chosenWay != null && calls == chosenCall) {
            disk.met(chosenWay);
            if (chosenWay.isEnd()) {
                dead = true;
                throw new Died();
            }
            disk.raw().failCall(1, FaultyStorage.Fault.valueOf(chosenWay.name()), false);
        }
    }

    private void looks() {
        if (dead) {
            throw new Died();
        }
    }

    private boolean skipsForce(Path path) {
        String name = path.getFileName().toString();
        return switch (bug) {
            case ANNOUNCE_BEFORE_RESYNC -> starting;
            case LANDING_ACK_BEFORE_FORCE -> name.endsWith(".part") || name.endsWith(".leaves");
            case LANDING_LEAVES_NOT_FORCED -> name.endsWith(".leaves") && path.startsWith(SimLanding.FILES);
            case LANDING_JOURNAL_NOT_FORCED -> name.endsWith(".log") && path.startsWith(SimLanding.LANDING);
            case SPOOL_NOT_FORCED -> name.endsWith(".data");
            case RECEIPT_ACK_BEFORE_FORCE -> name.endsWith(".log") && path.startsWith(SimSpool.DIRECTORY);
            case ACK_BEFORE_FORCE -> name.endsWith(".log") && path.startsWith(SimStore.DIRECTORY);
            case LOG_NOT_FORCED -> name.endsWith(".log");
            default -> false;
        };
    }

    private boolean skipsForceOfDirectory(Path directory) {
        return switch (bug) {
            case ANNOUNCE_BEFORE_RESYNC, SEGMENT_LISTED_TOO_EARLY -> starting;
            case NO_DIRECTORY_FORCE ->
                directory.startsWith(SimLanding.TARGET) && !directory.startsWith(SimLanding.LANDING);
            case VERIFIED_BEFORE_FORCE -> directory.equals(SimLanding.FILES);
            case SPOOL_DIRECTORY_NOT_FORCED -> directory.equals(SimSpool.DATA);
            case LOG_DIRECTORY_NOT_FORCED -> directory.endsWith("log") || directory.endsWith("journal");
            default -> false;
        };
    }

    @Override
    public StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException {
        if (mode == OpenMode.CREATE || mode == OpenMode.CREATE_NEW) {
            changes();
        } else {
            looks();
        }
        FileIoMode chosen = bug == PlantedBug.LOG_CACHE_TRUSTED ? FileIoMode.PAGE_CACHE : caching;
        return new SimFile(disk.raw().open(path, mode, chosen));
    }

    @Override
    public int blockSizeBytes(Path directory) throws StorageException {
        return disk.raw().blockSizeBytes(directory);
    }

    @Override
    public void createDirectories(Path directory) throws StorageException {
        changes();
        disk.raw().createDirectories(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws StorageException {
        changes();
        if (!skipsForceOfDirectory(directory)) {
            disk.raw().forceDirectory(directory);
        }
    }

    @Override
    public void rename(Path from, Path to) throws StorageException {
        changes();
        disk.raw().rename(from, to);
        renamed.accept(from, to);
    }

    @Override
    public void link(Path existing, Path link) throws StorageException {
        changes();
        disk.raw().link(existing, link);
    }

    @Override
    public boolean delete(Path path) throws StorageException {
        changes();
        return disk.raw().delete(path);
    }

    @Override
    public List<String> list(Path directory) throws StorageException {
        looks();
        return disk.raw().list(directory);
    }

    @Override
    public @Nullable FileFacts facts(Path path) throws StorageException {
        looks();
        return disk.raw().facts(path);
    }

    @Override
    public void setModified(Path path, long epochMillis) throws StorageException {
        changes();
        disk.raw().setModified(path, epochMillis);
    }

    @Override
    public void setMode(Path path, int mode) throws StorageException {
        changes();
        disk.raw().setMode(path, mode);
    }

    @Override
    public long usableSpaceBytes(Path directory) throws StorageException {
        looks();
        return disk.raw().usableSpaceBytes(directory);
    }

    @Override
    public DirectoryLock lock(Path file) throws StorageException {
        looks();
        return disk.raw().lock(file);
    }

    private final class SimFile implements StorageFile {
        private StorageFile file;

        SimFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public void force(boolean metadata) throws StorageException {
            changes();
            if (skipsForce(file.path())) {
                return;
            }
            try {
                file.force(metadata);
            } catch (StorageException e) {
                if (bug != PlantedBug.FORCE_RETRIED) {
                    throw e;
                }
                file = disk.raw().open(file.path(), OpenMode.UPDATE, FileIoMode.PAGE_CACHE);
                file.force(metadata);
            }
        }

        @Override
        public void truncate(long sizeBytes) throws StorageException {
            changes();
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
            looks();
            return file.read(into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) throws StorageException {
            changes();
            file.write(from, position);
        }

        @Override
        public long sizeBytes() throws StorageException {
            looks();
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
