package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.journal.TransferJournal;
import io.hawser.store.log.LogDamage;
import io.hawser.store.log.OrphanGuard;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.StorageException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the state of a spool from what an earlier life left: the journal's records, the slots of what was coming in, and
 * nothing else. Files that no transfer needs are deleted, unless records may be lost.
 *
 * <p>Thread: the opening thread; calls block.
 */
record SpoolRecovery(
        SpoolConfig config,
        TransferJournal<SpoolRecord> journal,
        FragmentFiles files,
        TransferRegister register,
        SpoolSpace space,
        OrphanGuard orphans,
        SpoolEvents events) {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolRecovery.class);

    /** Does it. Returns the highest number that was ever given. */
    long recover() throws StorageException {
        SpoolRecordApplier fold = new SpoolRecordApplier(register, events);
        journal.replay(fold::apply);
        for (LogDamage damage : journal.damages()) {
            LOG.atError()
                    .addKeyValue("position", damage.position())
                    .addKeyValue("firstRecord", damage.firstSequence())
                    .addKeyValue("lastRecord", damage.lastSequence())
                    .log("The spool's journal is damaged: transfers that were accepted may be lost. Check the disk");
        }
        Set<TransferKey> withFiles = new HashSet<>();
        for (SpoolTransfer transfer : register.byNumber()) {
            cancelUnlessKept(transfer);
            recoverContent(transfer);
            if (transfer.isContentKept() && transfer.hasLeaves()) {
                withFiles.add(transfer.key());
            }
        }
        files.sweep(files.orphans(withFiles), orphans.keeps(journal.mayLackRecords()));
        LOG.atInfo()
                .addKeyValue("transfers", register.all().size())
                .addKeyValue("contentBytes", space.budget().keptBytes())
                .log("Spool recovered");
        return fold.lastNumber();
    }

    /** Cancels an upload that broke off if the configuration keeps none; {@link TransferLifecycle#start} journals that. */
    private void cancelUnlessKept(SpoolTransfer transfer) {
        boolean brokeOff = transfer.phase() == SpoolPhase.RECEIVING || transfer.phase() == SpoolPhase.INCOMPLETE;
        if (brokeOff
                && transfer.source() == null
                && config.keeping().incomplete().isZero()) {
            Refusal why = new Refusal(ErrorCode.CANCELLED, "The upload broke off and cannot be continued");
            transfer.milestones().setEndWanted(why);
            transfer.endUnrecorded(why);
        }
    }

    private void recoverContent(SpoolTransfer transfer) throws StorageException {
        boolean wanted =
                switch (transfer.phase()) {
                    case RECEIVING, INCOMPLETE, SPOOLED, REFUSED -> true;
                    case BROKERED -> config.keeping().untilDelivered() && transfer.source() == null;
                    case CANCELLED, FINISHED -> false;
                };
        if (!wanted) {
            transfer.setContentDropped();
        } else if (transfer.commit() == null) {
            recoverSlots(transfer);
        } else if (transfer.hasDataFile() && transfer.durableBytes() > 0 && !files.exists(transfer.key())) {
            if (transfer.phase() != SpoolPhase.BROKERED) {
                LOG.atError()
                        .addKeyValue("transfer", transfer.key())
                        .log("The content of an accepted transfer is gone from the spool");
            }
            transfer.setContentDropped();
        } else if (transfer.source() == null) {
            space.written(transfer, transfer.durableBytes());
        }
    }

    /** Which fragments of a transfer that was coming in are durable. */
    private void recoverSlots(SpoolTransfer transfer) throws StorageException {
        try (FragmentFile file = transfer.hasDataFile()
                ? files.file(transfer.manifest(), OpenMode.UPDATE)
                : files.leavesOnly(transfer.manifest(), OpenMode.UPDATE)) {
            file.recover(slot -> transfer.cameEarlier(slot.index(), slot.length()));
        } catch (PathMissingException e) {
            LOG.atDebug().addKeyValue("transfer", transfer.key()).log("No fragment was durable");
            return;
        }
        if (transfer.source() == null) {
            space.written(transfer, transfer.durableBytes());
        }
    }
}
