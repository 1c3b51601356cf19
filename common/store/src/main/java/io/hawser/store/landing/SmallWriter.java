package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.store.landing.SmallBatch.Small;
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
    private final LandingWorkers workers;
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
        this.workers = context.workers();
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
        while (batch.size() < MAX_BATCH && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        if (batch.isEmpty()) {
            writing = false;
            return;
        }
        new SmallBatch(context, batch).run((count, directoryFailure) -> onBatchWritten(batch, directoryFailure));
    }

    private void onBatchWritten(List<Small> batch, @Nullable StorageException directoryFailure) {
        if (directoryFailure != null) {
            directoryFailed.accept(directoryFailure);
            return;
        }
        batch.forEach(small -> {
            if (small.refusal == null) {
                context.space().noLongerWaits(small.landing.key());
            } else if (small.refusal.code() == ErrorCode.NO_SPACE) {
                context.space().refused(small.landing, small.neededBytes(), small.refusal.detail());
            }
            written.accept(small.landing, small.refusal);
        });
        writeWhatWaits();
    }
}
