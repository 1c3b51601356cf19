package io.hawser.core.hop;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Decides which transfers are sent carefully because the receiver may lack space for them: those of a topic of which it refuses another,
 * as quotas belong to topics. Bytes that the receiver would discard are not sent ahead of its answer.
 *
 * <p>Thread: the sender's loop.
 */
final class SpaceShortage {
    /** Transfers that the receiver has refused for now and of which it has accepted nothing since; seldom more than a few. */
    private final Set<OutgoingTransfer> refused = new LinkedHashSet<>();

    /** The receiver refused a transfer for now. Slows down all of its topic that are being sent. */
    void refused(OutgoingTransfer transfer, Collection<OutgoingTransfer> all) {
        transfer.refusedThere();
        refused.add(transfer);
        for (OutgoingTransfer other : all) {
            if (other != transfer && other.sendsFragments() && isOfSameTopic(other, transfer)) {
                other.beginCarefully();
            }
        }
    }

    /**
     * The receiver acked fragments of the transfer.
     *
     * @return whether more of its fragments may be in flight than before
     */
    boolean acked(OutgoingTransfer transfer, long fragments) {
        boolean mayHaveMore = transfer.taken(fragments);
        if (mayHaveMore) {
            refused.remove(transfer);
        }
        return mayHaveMore;
    }

    /** The transfer is finished or withdrawn. */
    void remove(OutgoingTransfer transfer) {
        refused.remove(transfer);
    }

    /** Whether the receiver refuses a transfer of the same topic. */
    boolean affects(OutgoingTransfer transfer) {
        return !refused.isEmpty() && refused.stream().anyMatch(other -> isOfSameTopic(other, transfer));
    }

    /** Whether data of the transfer may leave before the receiver has answered its OPEN. */
    boolean maySendAhead(OutgoingTransfer transfer) {
        return transfer.refusals == 0 && !affects(transfer);
    }

    private static boolean isOfSameTopic(OutgoingTransfer one, OutgoingTransfer other) {
        return one.manifest.topic().equals(other.manifest.topic());
    }
}
