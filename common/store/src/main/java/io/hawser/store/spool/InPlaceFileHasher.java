package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * The first pass over a file that is read in place: each fragment's digest becomes durable before the fragment is announced.
 * Only a few fragments are under way at a time. After a restart it continues with the first fragment without a digest.
 *
 * <p>Thread: the loop; reading and hashing are done elsewhere.
 */
final class InPlaceFileHasher {
    private static final int MAX_UNDER_WAY = 8;

    private final UploadContext context;
    private final SpoolTransfer transfer;
    private final SourceFingerprint source;
    private final Manifest manifest;
    private final long fragmentCount;
    private final LeafCollector leaves;
    private final FragmentFile content;
    private final Outcome.Callback<Commit> done;
    private long next;
    private int underWay;
    private boolean over;
    private boolean answered;
    private boolean isClosing;

    InPlaceFileHasher(
            UploadContext context, SpoolTransfer transfer, SourceFingerprint source, Outcome.Callback<Commit> done) {
        this.context = context;
        this.transfer = transfer;
        this.source = source;
        this.manifest = transfer.manifest();
        this.fragmentCount = Manifest.fragmentCount(source.sizeBytes(), manifest.fragmentSizeBytes());
        this.content = context.files().leavesOnly(manifest, OpenMode.CREATE);
        this.leaves = new LeafCollector(content, manifest.fragmentSizeBytes());
        this.done = done;
    }

    /** Goes as far as it can now. */
    void pump() {
        Refusal ended = transfer.milestones().endWanted();
        if (ended != null && !over) {
            over(Outcome.refused(ended));
        }
        while (!over && underWay < MAX_UNDER_WAY && next < fragmentCount) {
            long index = next++;
            int length = Manifest.fragmentLength(index, source.sizeBytes(), manifest.fragmentSizeBytes());
            if (transfer.arrived().length(index) < length) {
                underWay++;
                context.withBuffer(buffer -> read(index, length, buffer));
            }
        }
        if (!over && underWay == 0 && next == fragmentCount) {
            over = true; // of the reading
            finish();
        }
    }

    private void read(long index, int length, FragmentBuffer buffer) {
        context.disk().execute(() -> {
            try {
                context.sources().read(source, buffer, index * manifest.fragmentSizeBytes(), length);
            } catch (StorageException e) {
                context.mailbox().post(() -> {
                    buffer.release();
                    underWay--;
                    fail(refusalOf(e));
                    closeWhenIdle();
                });
                return;
            }
            context.writer().write(new FragmentWriteTask(content, index, buffer, length, 0, this::written));
        });
    }

    private void written(FragmentWriteTask write) {
        underWay--;
        StorageException failure = write.failure;
        if (failure != null) {
            fail(refusalOf(failure));
        } else if (!over) {
            context.transfers().fragmentDurable(transfer, write.fragment());
            leaves.add(write.index, write.leaf);
        }
        write.buffer.release();
        closeWhenIdle();
        pump();
    }

    private void finish() {
        leaves.commit(source.sizeBytes(), new FragmentRanges(), context, made -> {
            Refusal refusal = made.refusal();
            if (refusal != null) {
                fail(refusal);
                return;
            }
            context.disk().execute(() -> {
                StorageException changed = changed();
                context.mailbox().post(() -> {
                    if (changed != null) {
                        fail(refusalOf(changed));
                    } else if (!answered) {
                        answered = true;
                        close();
                        context.transfers().commit(transfer, made.get(), done);
                    }
                });
            });
        });
    }

    private @Nullable StorageException changed() {
        try {
            context.sources().check(source);
            return null;
        } catch (StorageException e) {
            return e;
        }
    }

    private void fail(Refusal why) {
        context.transfers().cancel(transfer, why);
        over(Outcome.refused(why));
    }

    private void over(Outcome<Commit> outcome) {
        over = true;
        if (!answered) {
            answered = true;
            isClosing = true;
            closeWhenIdle();
            context.mailbox().post(() -> done.accept(outcome));
        }
    }

    /** What is under way when it ends early is still written, to be discarded; then the file is closed. */
    private void closeWhenIdle() {
        if (isClosing && underWay == 0) {
            isClosing = false;
            close();
        }
    }

    private void close() {
        context.writer().close(content);
    }

    static Refusal refusalOf(StorageException e) {
        return new Refusal(
                e instanceof SourceChangedException ? ErrorCode.SOURCE_CHANGED : ErrorCode.STORAGE_FAILED,
                String.valueOf(e.getMessage()));
    }
}
