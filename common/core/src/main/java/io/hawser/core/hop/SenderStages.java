package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import org.jspecify.annotations.Nullable;

/**
 * Says where a transfer at its sending end waits now, as a stage that is counted. {@link WaitReason} says it in words.
 *
 * <p>Thread: the sender's loop.
 */
final class SenderStages {
    private final FragmentFlow fragments;
    private final SmallTransferSender smalls;
    private final CommitScheduler commits;

    SenderStages(FragmentFlow fragments, SmallTransferSender smalls, CommitScheduler commits) {
        this.fragments = fragments;
        this.smalls = smalls;
        this.commits = commits;
    }

    /** Where it waits; {@code link} is null without a session. */
    WaitStage of(OutgoingTransfer transfer, @Nullable HopLink link) {
        Refusal refusal = transfer.lastRefusal;
        if (transfer.held) {
            return WaitStage.HELD;
        } else if (link == null) {
            return WaitStage.PEER_AWAY;
        } else if (refusal != null) {
            return refused(refusal);
        }
        return switch (transfer.state()) {
            case WAITING -> waiting(transfer);
            case RESUMING, CANCELLING -> answered();
            case OPEN, COMMITTING -> sending(transfer, link);
            case SMALL -> small(transfer, link);
            case REFUSED -> WaitStage.REFUSED;
            case AWAITING_RIGHT -> WaitStage.RIGHT;
        };
    }

    private static WaitStage refused(Refusal refusal) {
        return switch (refusal.code()) {
            case NO_SPACE -> WaitStage.SPACE;
            case NOT_ALLOWED -> WaitStage.RIGHT;
            default -> WaitStage.REFUSED;
        };
    }

    /** What is at the receiver: the receiver has to answer, unless it seems dead. */
    private WaitStage answered() {
        return fragments.isPeerSilent() ? WaitStage.PEER_AWAY : WaitStage.ACK;
    }

    private WaitStage waiting(OutgoingTransfer transfer) {
        if (transfer.suspended || (transfer.commit == null && transfer.available.isEmpty())) {
            return WaitStage.NO_INPUT;
        }
        return isBehindItsPath(transfer) ? WaitStage.PATH_ORDER : WaitStage.QUEUE;
    }

    private boolean isBehindItsPath(OutgoingTransfer transfer) {
        TransferKey before = transfer.commit == null || transfer.committedThere ? null : commits.blocking(transfer);
        return before != null;
    }

    private WaitStage sending(OutgoingTransfer transfer, HopLink link) {
        boolean isAtReceiver = transfer.claimed.count() > 0 || transfer.state() == OutgoingTransfer.State.COMMITTING;
        if (isAtReceiver && fragments.isPeerSilent()) {
            return WaitStage.PEER_AWAY;
        }
        long next = transfer.nextToSend();
        if (fragments.streamsAreFull()) {
            return next >= 0 || transfer.claimed.count() > 0 ? link.limit() : noInputOrEnd(transfer);
        }
        if (next >= 0) {
            boolean mayLoad = transfer.maySendMore() && !fragments.lacksCredit(transfer.fragmentLength(next));
            boolean mostIsBeingRead = 2L * transfer.loading > transfer.claimed.count();
            return mayLoad || mostIsBeingRead ? WaitStage.SOURCE_DISK : WaitStage.CREDIT;
        }
        return transfer.loading > 0 ? WaitStage.SOURCE_DISK : noInputOrEnd(transfer);
    }

    private WaitStage noInputOrEnd(OutgoingTransfer transfer) {
        if (transfer.commit == null) {
            return WaitStage.NO_INPUT;
        }
        if (transfer.state() == OutgoingTransfer.State.COMMITTING || !transfer.isComplete()) {
            return WaitStage.ACK;
        }
        return isBehindItsPath(transfer) ? WaitStage.PATH_ORDER : WaitStage.PERMIT;
    }

    private WaitStage small(OutgoingTransfer transfer, HopLink link) {
        if (smalls.isSent(transfer.key())) {
            return answered();
        }
        if (isBehindItsPath(transfer)) {
            return WaitStage.PATH_ORDER;
        }
        return smalls.hasReady() || fragments.streamsAreFull() ? link.limit() : WaitStage.QUEUE;
    }
}
