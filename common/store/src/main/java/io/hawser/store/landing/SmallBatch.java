package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.runtime.DiskExecutor.Lane;
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
    }

    private interface Step {
        void run(Small small) throws StorageException;
    }

    SmallBatch(LandingContext context, List<Small> smalls) {
        this.storage = context.storage();
        this.files = context.smallFiles();
        this.workers = context.workers();
        this.answers = context.answers();
        this.crashPoints = context.crashPoints();
        this.smalls = smalls;
    }

    /** Writes all and releases their buffers; {@code done} learns on the loop whether the directory could be forced. */
    void run(LandingWorkers.Done<Integer> done) {
        Runnable forceDirectory = () -> workers.onNames(this::forceDirectory, done);
        Runnable forceAll = () -> inParallel(workers.contentThreads(), this::forceAndVerify, forceDirectory);
        inParallel(WRITERS, this::writeAndRelease, forceAll);
    }

    /** Without it a crash could take a landing file away, and it would look published. */
    private int forceDirectory() throws StorageException {
        files.forceDirectory();
        return smalls.size();
    }

    private void inParallel(int atMost, Step step, Runnable next) {
        AtomicInteger position = new AtomicInteger();
        int threads = Math.min(Math.min(atMost, workers.contentThreads()), smalls.size());
        AtomicInteger running = new AtomicInteger(threads);
        for (int i = 0; i < threads; i++) {
            boolean taken = workers.execute(Lane.CONTENT, () -> {
                for (int n = position.getAndIncrement(); n < smalls.size(); n = position.getAndIncrement()) {
                    guarded(smalls.get(n), step);
                }
                if (running.decrementAndGet() == 0) {
                    next.run();
                }
            });
            if (!taken) { // the node is stopping, and these files are not used again
                smalls.forEach(SmallBatch::close);
                return;
            }
        }
    }

    private void guarded(Small small, Step step) {
        try {
            step.run(small);
        } catch (StorageException e) {
            small.refusal = CallbackDispatcher.storageRefusal(e);
            answers.fileFailed(e);
        } catch (RuntimeException | Error e) {
            LOG.atError().setCause(e).log("A small file failed in a way that was not foreseen");
            small.refusal = CallbackDispatcher.storageRefusal(new StorageException("unforeseen: " + e, e));
        }
        if (small.refusal != null) {
            close(small);
            removeQuietly(small.landing);
        }
    }

    private void writeAndRelease(Small small) throws StorageException {
        try {
            if (small.landing.hasFile()) {
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
            small.refusal = senderIsRight
                    ? new Refusal(
                            ErrorCode.STORAGE_FAILED,
                            "The destination's disk gave other bytes back than were written; the object is sent again.")
                    : new Refusal(
                            ErrorCode.DIGEST_MISMATCH,
                            "What was read back from the disk does not make the digest of the commit, "
                                    + small.commit.digest() + ".");
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
