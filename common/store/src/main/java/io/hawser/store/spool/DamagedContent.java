package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKind;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content that the disk has changed or cannot give back. Its transfer stays, since the block may be readable again, and says so; it
 * holds up what follows on its path until it is replaced: by a complete newer upload of its name, or by a deletion of it.
 *
 * <p>Thread: the loop.
 */
record DamagedContent(TransferLifecycle transfers, TransferRegister register, TransferObservers observers)
        implements LoadQueue.Trouble {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedContent.class);

    @Override
    public void sourceChanged(SpoolTransfer transfer, Refusal why) {
        transfers.cancel(transfer, why);
    }

    @Override
    public Refusal damaged(SpoolTransfer transfer, String why) {
        Optional<SpoolTransfer> replacement = replacement(transfer);
        if (replacement.isPresent()) {
            String reason = "Its bytes in the spool are damaged (" + why + "), and "
                    + (replacement.get().manifest().kind() == TransferKind.DELETE
                            ? "the name was deleted since"
                            : "a newer upload has replaced it");
            LOG.atWarn()
                    .addKeyValue("transfer", transfer.key())
                    .addKeyValue("by", replacement.get().key())
                    .addKeyValue("reason", why)
                    .log("A damaged transfer has been replaced and will not be sent");
            transfers.cancel(
                    transfer, new Refusal(ErrorCode.STORAGE_FAILED, reason)); // it ends as failed, not as cancelled
            return new Refusal(ErrorCode.NOT_FOUND, reason);
        }
        Refusal refusal = new Refusal(
                ErrorCode.STORAGE_FAILED,
                "Its bytes in the spool are damaged: " + why
                        + ". Upload it again, or delete it: that replaces it. Check the disk (dmesg, smartctl).");
        if (!transfer.isDamaged()) {
            LOG.atError()
                    .addKeyValue("transfer", transfer.key())
                    .addKeyValue("name", Printable.shortly(transfer.manifest().name()))
                    .addKeyValue("reason", why)
                    .log(
                            "An accepted transfer cannot be sent: its bytes in the spool are damaged. Upload it again, or delete it,"
                                    + " and check the disk");
            transfer.damaged(refusal);
            observers.changed(transfer);
        }
        return refusal;
    }

    @Override
    public void sound(SpoolTransfer transfer) {
        if (transfer.isDamaged()) {
            LOG.atInfo().addKeyValue("transfer", transfer.key()).log("Content that was damaged can be read again");
            transfer.soundAgain();
            observers.changed(transfer);
        }
    }

    /** What makes {@code transfer} superfluous. */
    private Optional<SpoolTransfer> replacement(SpoolTransfer transfer) {
        String name = transfer.manifest().name();
        return register.allOf(transfer.manifest().topic(), name).stream()
                .filter(newer -> newer.manifest().number() > transfer.manifest().number())
                .filter(newer -> newer.manifest().kind() == TransferKind.FILE
                        || newer.manifest().kind() == TransferKind.DELETE)
                .filter(newer -> newer.commit() != null
                        && newer.milestones().endWanted() == null
                        && newer.phase() == SpoolPhase.SPOOLED
                        && !newer.isDamaged())
                .findFirst();
    }
}
