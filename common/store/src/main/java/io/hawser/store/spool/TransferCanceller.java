package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.SpoolRecord.Cancelled;
import io.hawser.store.spool.SpoolRecord.Recalled;
import org.jspecify.annotations.Nullable;

/**
 * Cancels transfers of the spool, and says when it is certain what came of it. What the next hop may have committed before is in doubt until
 * it answers; what it has committed is recalled if somebody wanted it cancelled.
 *
 * <p>Thread: the loop.
 */
final class TransferCanceller {
    private final TransferLifecycle lifecycle;
    private final ContentDisposal disposal;
    private final TransferObservers observers;

    TransferCanceller(TransferLifecycle lifecycle, ContentDisposal disposal, TransferObservers observers) {
        this.lifecycle = lifecycle;
        this.disposal = disposal;
        this.observers = observers;
    }

    /** Tells the next hop what an earlier run has cancelled. */
    void announce(SpoolTransfer transfer, Refusal cancelled, SpoolOutlet to) {
        if (transfer.milestones().endWanted() != null) { // this start has decided it
            lifecycle.write(transfer, new Cancelled(transfer.key(), cancelled, false), () -> {});
        } else if (transfer.milestones().isCancelInDoubt()) {
            transfer.milestones().setEndWanted(cancelled);
        }
        // With its commit: if the next hop has committed it, it is followed.
        FragmentRanges all = transfer.commit() == null ? new FragmentRanges() : transfer.sendable();
        to.pending(transfer.manifest(), all, transfer.commit(), false);
        boolean unused = to.cancelled(transfer.key(), cancelled.detail());
    }

    /**
     * Drops a transfer that the next hop has not committed.
     *
     * @param tellNextHop whether it is to drop it, too
     */
    void cancel(SpoolTransfer transfer, Refusal why, boolean tellNextHop) {
        if (transfer.milestones().endWanted() != null || transfer.milestones().isEnding()) {
            return;
        }
        transfer.milestones().setEndWanted(why);
        disposal.writesNoMore(transfer);
        if (!transfer.milestones().isBirthWanted()) {
            lifecycle.forget(transfer, why);
            return;
        }
        boolean goesOn = tellNextHop && isAwaitedInDoubt(transfer);
        lifecycle.write(
                transfer,
                new Cancelled(transfer.key(), why, goesOn),
                () -> {
                    disposal.drop(transfer);
                    boolean isAsked = false;
                    if (tellNextHop && transfer.isAnnounced()) {
                        isAsked = lifecycle.listener().cancelled(transfer.key(), why.detail());
                    } else {
                        lifecycle.end(transfer, null);
                    }
                    answerCancel(transfer, why, isAsked, goesOn);
                },
                cause -> {
                    transfer.milestones().setEndWanted(null); // as far as is durable it is not cancelled
                    transfer.milestones().cancelledNow(Outcome.refused(TransferLifecycle.storageFailed(cause)));
                });
    }

    /** Cancels a transfer that the next hop has, wherever it is not delivered; {@code durable} runs when that is journaled. */
    void recall(SpoolTransfer transfer, String reason, Outcome.Callback<TransferKey> durable) {
        lifecycle.write(
                transfer,
                new Recalled(transfer.key(), reason),
                () -> {
                    if (transfer.phase() == SpoolPhase.BROKERED
                            && !transfer.milestones().isEnding()) {
                        disposal.drop(transfer);
                        lifecycle.listener().recalled(transfer.key(), reason);
                    }
                    durable.accept(Outcome.of(transfer.key()));
                },
                cause -> durable.accept(Outcome.refused(TransferLifecycle.storageFailed(cause))));
    }

    /**
     * It is durable that it was cancelled. Whoever waits for that gets an answer now, unless only the next hop knows it.
     *
     * @param goesOn whether its record makes it a recall if the next hop was faster
     */
    private void answerCancel(SpoolTransfer transfer, Refusal why, boolean isAsked, boolean goesOn) {
        TransferMilestones milestones = transfer.milestones();
        if (transfer.phase() != SpoolPhase.CANCELLED) {
            cancelWasTooLate(transfer, why.detail());
        } else if (milestones.isCancelAwaited()
                && (milestones.isCommittedThere() || (isAsked && mayBeCommittedThere(transfer)))) {
            milestones.setCancelInDoubt();
            if (goesOn) {
                milestones.cancelDurableNow(Outcome.of(transfer.key()));
            }
        } else {
            milestones.cancelledNow(Outcome.of(transfer.key()));
        }
    }

    /** The next hop was faster: what somebody wanted cancelled, in this run or an earlier one, is recalled. */
    private void cancelWasTooLate(SpoolTransfer transfer, String reason) {
        TransferMilestones milestones = transfer.milestones();
        Outcome<TransferKey> tooLate = tooLateToCancel(transfer.key());
        if (transfer.recall() == null && !milestones.isCancelAwaited()) {
            milestones.cancelledNow(tooLate);
            return;
        }
        recall(transfer, reason, outcome -> {
            milestones.cancelDurableNow(outcome);
            milestones.cancelledNow(tooLate);
        });
    }

    private static boolean isAwaitedInDoubt(SpoolTransfer transfer) {
        return transfer.milestones().isCancelAwaited() && transfer.isAnnounced() && mayBeCommittedThere(transfer);
    }

    /** Of a small transfer the spool does not know when it leaves: it takes its COMMIT with it. */
    private static boolean mayBeCommittedThere(SpoolTransfer transfer) {
        Commit commit = transfer.commit();
        return commit != null
                && (transfer.milestones().isCommitGiven()
                        || (commit.fragmentCount() <= 1 && commit.sizeBytes() <= Spool.SMALL_LIMIT_BYTES));
    }

    /** The refusal to cancel what the next hop has, or what is not known. */
    static Outcome<TransferKey> tooLateToCancel(TransferKey key) {
        return Outcome.refused(
                ErrorCode.NOT_FOUND, "There is no such transfer, or it has left this node for good: " + key);
    }

    /**
     * It is journaled that the next hop has committed it.
     *
     * @param cancelled why it was to be cancelled; null if it was not
     */
    void brokered(SpoolTransfer transfer, @Nullable Refusal cancelled) {
        if (cancelled != null && !transfer.milestones().isEnding()) {
            cancelWasTooLate(transfer, cancelled.detail());
        } else {
            transfer.milestones().cancelledNow(tooLateToCancel(transfer.key()));
        }
    }

    /** The next hop has cancelled it before, or does not let this node cancel it: then nobody here learns what becomes of it. */
    void refused(SpoolTransfer transfer, Refusal why) {
        transfer.noteRefusal(why);
        transfer.milestones()
                .cancelledNow(why.code() == ErrorCode.CANCELLED ? Outcome.of(transfer.key()) : Outcome.refused(why));
        observers.changed(transfer);
    }
}
