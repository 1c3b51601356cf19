package io.hawser.store.spool;

import io.hawser.core.model.TransferKey;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.storage.StorageException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes content that its transfer no longer needs, and returns its space.
 *
 * <p>Thread: the loop; the deletion itself is done on a disk thread.
 */
final class ContentDisposal {
    private static final Logger LOG = LoggerFactory.getLogger(ContentDisposal.class);

    private final FragmentFiles files;
    private final Executor disk;
    private final LoopMailbox mailbox;
    private final SpoolSpace space;
    private final Map<TransferKey, Pinned> pinned = new HashMap<>();
    private Runnable spaceReturned = () -> {};

    /** Content that is being read. */
    private static final class Pinned {
        private final SpoolTransfer transfer;
        private int readers;
        private boolean dropWanted;

        Pinned(SpoolTransfer transfer) {
            this.transfer = transfer;
        }
    }

    ContentDisposal(FragmentFiles files, Executor disk, LoopMailbox mailbox, SpoolSpace space) {
        this.files = files;
        this.disk = disk;
        this.mailbox = mailbox;
        this.space = space;
    }

    /** What runs when space has been given back. */
    void onSpaceReturned(Runnable action) {
        spaceReturned = action;
    }

    /** What {@code transfer} was promised and has not written is for others. */
    void writesNoMore(SpoolTransfer transfer) {
        if (transfer.reservedBytes() > 0) {
            space.unreserve(transfer);
            mailbox.post(spaceReturned);
        }
    }

    /** The content of {@code transfer} is not dropped before {@link #unpin}, even if the transfer ends. */
    void pin(SpoolTransfer transfer) {
        pinned.computeIfAbsent(transfer.key(), unused -> new Pinned(transfer)).readers++;
    }

    /** One reader fewer. */
    void unpin(TransferKey key) {
        Pinned read = pinned.get(key);
        if (read != null && --read.readers == 0) {
            pinned.remove(key);
            if (read.dropWanted) {
                drop(read.transfer);
            }
        }
    }

    /** The transfer whose content is pinned, also if it has ended meanwhile. */
    @Nullable
    SpoolTransfer pinned(TransferKey key) {
        Pinned read = pinned.get(key);
        return read == null ? null : read.transfer;
    }

    /** Drops the content of {@code transfer}, once, when no reader is left. */
    void drop(SpoolTransfer transfer) {
        if (!transfer.isContentKept()) {
            return;
        }
        Pinned read = pinned.get(transfer.key());
        if (read != null) {
            read.dropWanted = true;
            return;
        }
        transfer.setContentDropped();
        space.released(transfer);
        mailbox.post(spaceReturned);
        if (transfer.hasLeaves()) { // otherwise the bytes go with their journal segment
            disk.execute(() -> delete(transfer));
        }
    }

    private void delete(SpoolTransfer transfer) {
        try {
            files.delete(transfer.key());
        } catch (StorageException e) {
            LOG.atWarn()
                    .addKeyValue("transfer", transfer.key())
                    .setCause(e)
                    .log("Content could not be deleted; the next start will sweep it");
        }
    }
}
