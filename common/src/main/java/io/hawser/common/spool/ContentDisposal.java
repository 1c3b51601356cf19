package io.hawser.common.spool;

import io.hawser.common.storage.StorageException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the content of transfers that need it no more, and gives their space back.
 *
 * <p>Thread: the loop; the deletion itself is done on a disk thread.
 */
final class ContentDisposal {
    private static final Logger LOG = LoggerFactory.getLogger(ContentDisposal.class);

    private final ContentFiles files;
    private final Executor disk;
    private final Mailbox mailbox;
    private final SpaceLedger ledger;
    private Runnable spaceReturned = () -> {};

    ContentDisposal(ContentFiles files, Executor disk, Mailbox mailbox, SpaceLedger ledger) {
        this.files = files;
        this.disk = disk;
        this.mailbox = mailbox;
        this.ledger = ledger;
    }

    /** What runs when space has been given back. */
    void onSpaceReturned(Runnable action) {
        spaceReturned = action;
    }

    /** What {@code transfer} was promised and has not written is for others. */
    void writesNoMore(SpoolTransfer transfer) {
        if (transfer.reservedBytes() > 0) {
            ledger.unreserve(transfer);
            mailbox.post(spaceReturned);
        }
    }

    /** Drops the content of {@code transfer}; once. */
    void drop(SpoolTransfer transfer) {
        if (!transfer.isContentKept()) {
            return;
        }
        transfer.setContentDropped();
        ledger.released(transfer);
        mailbox.post(spaceReturned);
        if (transfer.hasLeaves()) { // otherwise the bytes go with their journal segment
            disk.execute(() -> delete(transfer));
        }
    }

    private void delete(SpoolTransfer transfer) {
        try {
            files.delete(transfer.key().id());
        } catch (StorageException e) {
            LOG.atWarn()
                    .addKeyValue("transfer", transfer.key())
                    .setCause(e)
                    .log("Content could not be deleted; the next start will sweep it");
        }
    }
}
