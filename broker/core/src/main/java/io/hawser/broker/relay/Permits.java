package io.hawser.broker.relay;

import io.hawser.core.hop.PathOrder;
import io.hawser.core.model.TransferKey;

/**
 * Decides which member of a group may deliver a transfer.
 *
 * <p><b>One delivery.</b> A consumer delivers nothing before its COMMIT. So data may be anywhere, and may be sent to another at any
 * time; but a COMMIT leaves only when the whole is durable at the member, and when the log says durably that this member, and no
 * other, may deliver it ({@link RelayRecord.Permitted}). From then on the transfer is the member's until its final receipt, whichever member
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
    private final Assignments assignments;
    private final PathOrder order = new PathOrder();

    Permits(RelayStore store, String subscription, Assignments assignments) {
        this.store = store;
        this.subscription = subscription;
        this.assignments = assignments;
    }

    /** The group is owed it: later ones of its paths wait for it. */
    void register(Assignment assignment) {
        order.register(assignment.manifest, assignment.sequence);
    }

    /** Whether the COMMIT of a transfer, all of which is durable at that member, may leave. If not, and it is its turn, that is asked for. */
    boolean mayCommit(GroupMember member, TransferKey key) {
        Assignment assignment = assignments.find(key);
        if (assignment == null || assignment.at != member || assignment.recall != null) {
            return false;
        } else if (assignment.permit != null) {
            return assignment.permit.equals(member.node());
        } else if (assignment.permitting || order.mustWait(assignment.manifest, assignment.sequence)) {
            return false;
        }
        assignment.permitting = true;
        store.append(new RelayRecord.Permitted(key, subscription, member.node()), outcome -> {
            assignment.permitting = false;
            if (!outcome.isRefused() && assignments.find(key) == assignment) {
                assignment.permit = member.node();
                String recall = assignment.recall;
                if (recall == null) {
                    member.sender().tryAgain(key);
                } else {
                    member.sender().recall(key, recall);
                }
            }
        });
        return false;
    }

    /** The group has said its final word of it: those that waited for it by their paths try again. */
    void release(Assignment assignment) {
        for (TransferKey next : order.release(assignment.manifest, assignment.sequence)) {
            GroupMember member = assignments.memberOf(next);
            if (member != null) {
                member.sender().tryAgain(next);
            }
        }
    }
}
