package io.hawser.core.hop;

import io.hawser.core.model.Topic;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides which transfers are sent carefully because the receiver may lack space for them: those of a topic of which it refuses another,
 * as quotas belong to topics. Bytes that the receiver would discard are not sent ahead of its answer.
 *
 * <p>Thread: the sender's loop.
 */
final class TopicBackoff {
    private static final class Shortage {
        /** Transfers that the receiver has refused for now and of which it has accepted nothing since. */
        final Set<OutgoingTransfer> refused = new HashSet<>();
        /** Whether every transfer of the topic that is being sent is careful already. */
        boolean allCareful;
    }

    private final Map<Topic, Shortage> byTopic = new HashMap<>();

    /** The receiver refused a transfer for now. Slows down all of its topic that are being sent. */
    void refused(OutgoingTransfer transfer, Collection<OutgoingTransfer> all) {
        transfer.refusedThere();
        Shortage shortage = byTopic.computeIfAbsent(transfer.manifest.topic(), unused -> new Shortage());
        shortage.refused.add(transfer);
        if (shortage.allCareful) {
            return; // thousands may be refused one after the other
        }
        shortage.allCareful = true;
        for (OutgoingTransfer other : all) {
            boolean sending = other.sendsFragments() || other.state() == OutgoingTransfer.State.RESUMING;
            if (other != transfer && sending && other.manifest.topic().equals(transfer.manifest.topic())) {
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
            remove(transfer);
            Shortage shortage = byTopic.get(transfer.manifest.topic());
            if (shortage != null && !transfer.isCareful()) {
                shortage.allCareful = false;
            }
        }
        return mayHaveMore;
    }

    /** The transfer is finished or withdrawn. */
    void remove(OutgoingTransfer transfer) {
        Topic topic = transfer.manifest.topic();
        Shortage shortage = byTopic.get(topic);
        if (shortage != null && shortage.refused.remove(transfer) && shortage.refused.isEmpty()) {
            byTopic.remove(topic);
        }
    }

    /** Whether the receiver refuses a transfer of the same topic. */
    boolean affects(OutgoingTransfer transfer) {
        return byTopic.containsKey(transfer.manifest.topic());
    }

    /** Whether data of the transfer may leave before the receiver has answered its OPEN. */
    boolean maySendAhead(OutgoingTransfer transfer) {
        return transfer.refusals == 0 && !affects(transfer);
    }
}
