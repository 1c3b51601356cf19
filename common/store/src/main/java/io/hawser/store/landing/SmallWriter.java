package io.hawser.store.landing;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.store.landing.SmallBatch.Small;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes small transfers and has them written in batches of what waits, at most {@value #MAX_BATCH} ({@link SmallBatch}); each
 * gets its landing file.
 *
 * <p>A landing file becomes the delivered file by its rename, so a small file costs one inode and no deletion: ext4 avoids
 * inodes that were deleted lately and gets slow when there are many.
 *
 * <p>Thread: the loop.
 */
final class SmallWriter {
    static final int MAX_BATCH = 256;

    private final LandingContext context;
    private final LandingFiles files;
    private final LandingWorkers workers;
    private final SpaceBudget ledger;
    private final BiConsumer<LandingTransfer, @Nullable Refusal> written;
    private final Consumer<StorageException> directoryFailed;
    private final ArrayDeque<Small> waiting = new ArrayDeque<>();
    private boolean writing;

    /**
     * Creates it.
     *
     * @param written learns on the loop that a landing file is durable and verified or, with a refusal, gone
     * @param directoryFailed learns on the loop that the landing directory can no longer be trusted
     */
    SmallWriter(
            LandingContext context,
            BiConsumer<LandingTransfer, @Nullable Refusal> written,
            Consumer<StorageException> directoryFailed) {
        this.context = context;
        this.files = context.files();
        this.workers = context.workers();
        this.ledger = context.ledger();
        this.written = written;
        this.directoryFailed = directoryFailed;
    }

    /** Takes a small transfer. Retains the fragment's buffer until it is written. */
    void add(LandingTransfer landing, Fragment fragment, Commit commit) {
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
            bytes += neededBytes(small);
        }
        if (batch.isEmpty()) {
            writing = false;
            return;
        }
        long needed = bytes;
        workers.onNames(files::usableSpaceBytes, (usable, failure) -> {
            if (usable == null) {
                refuse(batch, CallbackDispatcher.storageRefusal(failure));
                writeWhatWaits();
            } else {
                ledger.measured(usable);
                writeWhatFits(batch, ledger.admit("small objects", needed).refusal());
            }
        });
    }

    /** An operation writes nothing here: a deletion is done on a full disk, too. */
    private static long neededBytes(Small small) {
        return small.landing.hasFile()
                ? (long) FragmentBuffer.roundUp(small.fragment.length()) + FragmentBuffer.ALIGNMENT_BYTES
                : 0;
    }

    private void writeWhatFits(List<Small> batch, @Nullable Refusal refusal) {
        List<Small> fits = batch;
        if (refusal != null) {
            refuse(batch.stream().filter(small -> small.landing.hasFile()).toList(), refusal);
            fits = batch.stream().filter(small -> !small.landing.hasFile()).toList();
        }
        if (fits.isEmpty()) {
            writeWhatWaits();
            return;
        }
        List<Small> taken = fits;
        new SmallBatch(context, taken).run((count, directoryFailure) -> onBatchWritten(taken, directoryFailure));
    }

    private void refuse(List<Small> batch, Refusal refusal) {
        batch.forEach(small -> {
            if (refusal.code() == ErrorCode.NO_SPACE) {
                context.space().refused(small.landing, neededBytes(small), refusal.detail());
            }
            small.fragment.buffer().release();
            written.accept(small.landing, refusal);
        });
    }

    private void onBatchWritten(List<Small> batch, @Nullable StorageException directoryFailure) {
        if (directoryFailure != null) {
            directoryFailed.accept(directoryFailure);
            return;
        }
        batch.forEach(small -> {
            if (small.refusal == null) {
                context.space().noLongerWaits(small.landing.key());
            }
            written.accept(small.landing, small.refusal);
        });
        writeWhatWaits();
    }
}
