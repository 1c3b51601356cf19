package io.hawser.common.relay;

import io.hawser.common.hop.PathOrder;
import io.hawser.common.model.TransferKey;

/**
 * Who of a group may deliver what it is owed.
 *
 * <p><b>One delivery.</b> A consumer delivers nothing before its COMMIT. So data may be anywhere, and may be sent to another at any
 * time; but a COMMIT leaves only when the whole is durable at the member, and when the log says durably that this member, and no
 * other, may deliver it ({@link RelayRecord.Permitted}). From then on the transfer is the member's until its final receipt, whoever
 * crashes; it is taken away by nothing but an operator's word that the member is lost, and then that node is never let in again.
 *
 * <p><b>Order by path</b> holds over all members: of two transfers that touch one path the later is permitted when the earlier has its
 * final receipt.
 *
 * <p>Thread: the relay's loop.
 */
final class Permits {
    private final RelayStore store;
    private final String subscription;
    private final Shares shares;
    private final PathOrder order = new PathOrder();

    Permits(RelayStore store, String subscription, Shares shares) {
        this.store = store;
        this.subscription = subscription;
        this.shares = shares;
    }

    /** The group is owed it: later ones of its paths wait for it. */
    void register(Share share) {
        order.register(share.manifest, share.sequence);
    }

    /** Whether the COMMIT of a transfer, all of which is durable at that member, may leave. If not, and it is its turn, that is asked for. */
    boolean mayCommit(GroupMember member, TransferKey key) {
        Share share = shares.find(key);
        if (share == null || share.at != member) {
            return false;
        } else if (share.permit != null) {
            return share.permit.equals(member.node());
        } else if (share.permitting || order.mustWait(share.manifest, share.sequence)) {
            return false;
        }
        share.permitting = true;
        store.append(new RelayRecord.Permitted(key, subscription, member.node()), outcome -> {
            share.permitting = false;
            if (!outcome.isRefused() && shares.find(key) == share) {
                share.permit = member.node();
                member.sender().tryCommit(key);
            }
        });
        return false;
    }

    /** The group has said its final word of it: those that waited for it by their paths try again. */
    void release(Share share) {
        for (TransferKey next : order.release(share.manifest, share.sequence)) {
            GroupMember member = shares.memberOf(next);
            if (member != null) {
                member.sender().tryCommit(next);
            }
        }
    }
}
