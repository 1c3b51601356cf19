package io.hawser.common.landing;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Fragment;
import io.hawser.common.hop.Refusal;
import io.hawser.common.integrity.Sha256;
import io.hawser.common.integrity.TreeDigest;
import io.hawser.common.log.CrashPoints;
import io.hawser.common.model.Commit;
import io.hawser.common.storage.Caching;
import io.hawser.common.storage.OpenMode;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import io.hawser.common.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes small transfers in batches of what waits, at most {@value #MAX_BATCH}: each gets its landing file, with a force and a
 * read-back of its own, on several disk threads at once; then their directory is forced once.
 *
 * <p>A landing file becomes the delivered file by its rename, so a small file costs one inode and no deletion: ext4 avoids
 * inodes that were deleted lately and gets slow when there are many.
 *
 * <p>Thread: the loop, but for what is marked.
 */
final class SmallWriter {
    static final int MAX_BATCH = 256;

    private static final Logger LOG = LoggerFactory.getLogger(SmallWriter.class);

    private final Storage storage;
    private final LandingFiles files;
    private final Workers workers;
    private final SpaceLedger ledger;
    private final ScratchBuffers scratch;
    private final CrashPoints crashPoints;
    private final Listener listener;
    private final ArrayDeque<Small> waiting = new ArrayDeque<>();
    private boolean writing;

    /** Learns on the loop how a batch ended. */
    interface Listener {
        /** The landing file is durable and verified, or, with a refusal, gone. */
        void onWritten(Landing landing, @Nullable Refusal refusal);

        /** The landing directory can no longer be trusted. */
        void onDirectoryFailed(StorageException cause);
    }

    private static final class Small {
        final Landing landing;
        final Fragment fragment;
        final Commit commit;
        /** Written by one disk thread, read by the loop after the batch. */
        @Nullable
        Refusal refusal;

        Small(Landing landing, Fragment fragment, Commit commit) {
            this.landing = landing;
            this.fragment = fragment;
            this.commit = commit;
        }
    }

    SmallWriter(LandingContext context, Listener listener) {
        this.storage = context.storage();
        this.files = context.files();
        this.workers = context.workers();
        this.ledger = context.ledger();
        this.scratch = context.smallScratch();
        this.crashPoints = context.crashPoints();
        this.listener = listener;
    }

    /** Takes a small transfer. Retains the fragment's buffer until it is written. */
    void add(Landing landing, Fragment fragment, Commit commit) {
        fragment.buffer().retain();
        waiting.add(new Small(landing, fragment, commit));
        if (!writing) {
            writing = true;
            workers.post(
                    this::writeWhatWaits); // in the next turn of the loop, so that a frame of many becomes one batch
        }
    }

    private void writeWhatWaits() {
        List<Small> batch = new ArrayList<>(Math.min(waiting.size(), MAX_BATCH));
        long bytes = 0;
        while (batch.size() < MAX_BATCH && !waiting.isEmpty()) {
            Small small = waiting.remove();
            batch.add(small);
            bytes += (long) FragmentBuffer.roundUp(small.fragment.length()) + FragmentBuffer.ALIGNMENT_BYTES;
        }
        if (batch.isEmpty()) {
            writing = false;
            return;
        }
        long needed = bytes;
        workers.onDisk(files::usableSpaceBytes, (usable, failure) -> {
            Refusal refusal = usable == null ? Answers.storageRefusal(failure) : ledger.admit(needed, usable);
            if (refusal != null) {
                batch.forEach(small -> small.fragment.buffer().release());
                batch.forEach(small -> small.refusal = refusal);
                onBatchWritten(batch, null);
            } else {
                write(batch);
            }
        });
    }

    private void write(List<Small> batch) {
        AtomicInteger next = new AtomicInteger();
        int threads = Math.min(workers.diskThreads(), batch.size());
        AtomicInteger running = new AtomicInteger(threads);
        for (int i = 0; i < threads; i++) {
            workers.execute(() -> {
                writeSome(batch, next);
                if (running.decrementAndGet() == 0) {
                    workers.onDisk(
                            () -> {
                                files.forceDirectory(); // or a crash could take the file away and it would look
                                // published
                                return batch.size();
                            },
                            (count, failure) -> onBatchWritten(batch, failure));
                }
            });
        }
    }

    private void onBatchWritten(List<Small> batch, @Nullable StorageException directoryFailure) {
        if (directoryFailure != null) {
            listener.onDirectoryFailed(directoryFailure);
            return;
        }
        batch.forEach(small -> listener.onWritten(small.landing, small.refusal));
        writeWhatWaits();
    }

    /** Disk thread. */
    private void writeSome(List<Small> batch, AtomicInteger next) {
        for (int i = next.getAndIncrement(); i < batch.size(); i = next.getAndIncrement()) {
            Small small = batch.get(i);
            try {
                small.refusal = write(small);
            } catch (StorageException e) {
                small.refusal = Answers.storageRefusal(e);
            } catch (RuntimeException | Error e) {
                LOG.atError().setCause(e).log("A small file failed in a way that was not foreseen");
                small.refusal = Answers.storageRefusal(new StorageException("unforeseen: " + e, e));
            } finally {
                small.fragment.buffer().release();
            }
            if (small.refusal != null) {
                removeQuietly(small.landing);
            }
        }
    }

    /** Disk thread. Null if the file is durable and right. */
    private @Nullable Refusal write(Small small) throws StorageException {
        Landing landing = small.landing;
        if (!landing.hasFile()) {
            return null;
        }
        Path path = files.path(landing.key());
        byte[] hash;
        try (StorageFile file = storage.open(path, OpenMode.CREATE, Caching.DIRECT)) {
            AlignedWriter.write(file, 0, small.fragment, scratch);
            if (file.sizeBytes() != small.fragment.length()) {
                file.truncate(small.fragment.length());
            }
            LandingFile.setModified(storage, path, landing.manifest);
            crashPoints.reached("landing.small-before-force");
            file.force(true);
            crashPoints.reached("landing.small-after-force");
            hash = hash(file, small.fragment.length());
        }
        return TreeDigest.ofSingle(hash, small.commit.sizeBytes(), landing.manifest.fragmentSizeBytes())
                        .equals(small.commit.digest())
                ? null
                : new Refusal(
                        ErrorCode.DIGEST_MISMATCH,
                        "What was read back from the disk does not make the digest of the commit, "
                                + small.commit.digest() + ".");
    }

    /** Disk thread. */
    private byte[] hash(StorageFile file, int length) throws StorageException {
        MessageDigest sha256 = Sha256.newDigest();
        ByteBuffer buffer = scratch.take();
        try {
            for (int done = 0; done < length; ) {
                buffer.clear();
                int count = file.read(buffer, done);
                if (count == 0) {
                    throw new StorageException(file.path() + ": ends before " + length
                            + ", although it was written and forced up to there");
                }
                sha256.update(buffer.flip());
                done += count;
            }
        } finally {
            scratch.giveBack(buffer);
        }
        return sha256.digest();
    }

    private void removeQuietly(Landing landing) {
        try {
            storage.delete(files.path(landing.key()));
        } catch (StorageException e) {
            // Swept at the next start; the key was never recorded.
            LOG.atDebug().setCause(e).log("A refused landing file could not be removed");
        }
    }
}
