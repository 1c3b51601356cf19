package io.hawser.store.landing;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a batch of small transfers to disk, forces each and reads it back, and forces their directory once. All are written
 * before the first is forced: so the file system's journal takes their inodes in one commit and the later forces find little
 * left to do. Each is still forced by itself, and read back after its force; at the end their directory is forced once.
 *
 * <p>Thread: {@link #run} on the loop, all else on disk threads.
 */
final class SmallBatch {
    private static final Logger LOG = LoggerFactory.getLogger(SmallBatch.class);
    /** The directory takes one new name at a time; more threads would only wait for each other in the kernel. */
    private static final int WRITERS = 3;

    private final Storage storage;
    private final LandingFiles files;
    private final LandingWorkers workers;
    private final SpaceBudget ledger;
    private final CallbackDispatcher answers;
    private final CrashPoints crashPoints;
    private final List<Small> smalls;

    /** A small transfer on its way. What disk threads write is read by the next step, and by the loop after the batch. */
    static final class Small {
        final LandingTransfer landing;
        final Fragment fragment;
        final Commit commit;

        @Nullable
        FragmentFile file;

        @Nullable
        Refusal refusal;

        Small(LandingTransfer landing, Fragment fragment, Commit commit) {
            this.landing = landing;
            this.fragment = fragment;
            this.commit = commit;
        }

        /** What it takes of the disk, at most. */
        long neededBytes() {
            return landing.hasFile()
                    ? (long) FragmentBuffer.roundUp(fragment.length()) + FragmentBuffer.ALIGNMENT_BYTES
                    : 0;
        }
    }

    private interface Step {
        void run(Small small) throws StorageException;
    }

    SmallBatch(LandingContext context, List<Small> smalls) {
        this.storage = context.storage();
        this.files = context.smallFiles();
        this.workers = context.workers();
        this.ledger = context.ledger();
        this.answers = context.answers();
        this.crashPoints = context.crashPoints();
        this.smalls = smalls;
    }

    /** Writes what has room and releases all buffers; {@code done} learns on the loop whether the directory could be forced. */
    void run(LandingWorkers.Done<Integer> done) {
        Runnable forceDirectory = () -> workers.here(this::forceDirectory, done);
        Runnable forceAll = () -> inParallel(workers.contentThreads(), this::forceAndVerify, forceDirectory);
        workers.execute(Lane.CONTENT, () -> {
            admit();
            inParallel(WRITERS, this::writeAndRelease, forceAll);
        });
    }

    /** An operation writes nothing here: a deletion is done on a full disk, too. */
    private void admit() {
        try {
            long needed = smalls.stream().mapToLong(Small::neededBytes).sum();
            ledger.measured(files.usableSpaceBytes());
            Refusal refusal = ledger.admit("small objects", needed).refusal();
            smalls.stream().filter(small -> small.landing.hasFile()).forEach(small -> small.refusal = refusal);
        } catch (StorageException | RuntimeException | Error e) {
            Refusal refusal = refusalAfter(e);
            smalls.forEach(small -> small.refusal = refusal);
        }
    }

    /** Without it a crash could take a landing file away, and it would look published. */
    private int forceDirectory() throws StorageException {
        if (smalls.stream().anyMatch(small -> small.landing.hasFile() && small.refusal == null)) {
            files.forceDirectory();
        }
        return smalls.size();
    }

    /** Runs {@code step} for each on this thread and others, then {@code next} on the one that was the last to end. */
    private void inParallel(int atMost, Step step, Runnable next) {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Runnable work = () -> {
            for (int n = begun.getAndIncrement(); n < smalls.size(); n = begun.getAndIncrement()) {
                guarded(smalls.get(n), step);
                if (ended.incrementAndGet() == smalls.size()) {
                    next.run();
                }
            }
        };
        int threads = Math.min(Math.min(atMost, workers.contentThreads()), smalls.size());
        for (int i = 1; i < threads; i++) {
            workers.execute(Lane.CONTENT, work);
        }
        work.run();
    }

    private void guarded(Small small, Step step) {
        try {
            step.run(small);
        } catch (StorageException e) {
            answers.fileFailed(e);
            refuse(small, refusalAfter(e));
        } catch (RuntimeException | Error e) {
            refuse(small, refusalAfter(e));
        }
    }

    /** Nothing that was thrown is lost: the loop would wait for this batch for ever. */
    private static Refusal refusalAfter(Throwable thrown) {
        if (thrown instanceof StorageException failure) {
            return CallbackDispatcher.storageRefusal(failure);
        }
        LOG.atError().setCause(thrown).log("Small files failed in a way that was not foreseen");
        return CallbackDispatcher.storageRefusal(new StorageException("unforeseen: " + thrown, thrown));
    }

    private void refuse(Small small, Refusal refusal) {
        small.refusal = refusal;
        close(small);
        removeQuietly(small.landing);
    }

    private void writeAndRelease(Small small) throws StorageException {
        try {
            if (small.landing.hasFile() && small.refusal == null) {
                write(small);
            }
        } finally {
            small.fragment.buffer().release();
        }
    }

    private void write(Small small) throws StorageException {
        FragmentFile file = files.file(small.landing.manifest, OpenMode.CREATE);
        small.file = file;
        var unused = file.write(List.of(small.fragment));
        file.end(small.fragment.length());
        crashPoints.reached("landing.small-before-force");
    }

    private void forceAndVerify(Small small) throws StorageException {
        FragmentFile file = small.file;
        if (file == null) {
            return; // an object without a file, or one that could not be written
        }
        file.force(true);
        crashPoints.reached("landing.small-after-force");
        byte[] hash = file.hash(0, small.fragment.length());
        int fragmentSizeBytes = small.landing.manifest.fragmentSizeBytes();
        if (!TreeDigest.ofSingle(hash, small.commit.sizeBytes(), fragmentSizeBytes)
                .equals(small.commit.digest())) {
            // With a leaf that agrees with the commit, the disk changed the bytes, and the sender still has the right
            // ones.
            boolean senderIsRight = TreeDigest.ofSingle(
                            small.fragment.leaf(), small.commit.sizeBytes(), fragmentSizeBytes)
                    .equals(small.commit.digest());
            Refusal refusal = senderIsRight
                    ? new Refusal(
                            ErrorCode.STORAGE_FAILED,
                            "The destination's disk gave other bytes back than were written; the object is sent again.")
                    : new Refusal(
                            ErrorCode.DIGEST_MISMATCH,
                            "What was read back from the disk does not make the digest of the commit, "
                                    + small.commit.digest() + ".");
            refuse(small, refusal);
        }
        close(small);
    }

    private static void close(Small small) {
        FragmentFile file = small.file;
        if (file != null) {
            file.close();
            small.file = null;
        }
    }

    private void removeQuietly(LandingTransfer landing) {
        try {
            storage.delete(files.path(landing.key()));
        } catch (StorageException e) {
            // Swept at the next start; the key was never recorded.
            LOG.atDebug().setCause(e).log("A refused landing file could not be removed");
        }
    }
}
