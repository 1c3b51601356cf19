package io.hawser.core.hop;

import io.hawser.core.model.Topic;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Topics of which the receiver has refused transfers for want of room, and has taken nothing of these since: quotas are of topics, so
 * what is sent of the same one may lack the same room.
 *
 * <p>Thread: the sender's loop.
 */
final class RoomShortages {
    private static final class Shortage {
        final Set<OutgoingTransfer> refused = new HashSet<>();
        /** Since then every transfer of the topic that is being sent has been careful. */
        boolean allCareful;
    }

    private final Map<Topic, Shortage> byTopic = new HashMap<>();

    /** The receiver refuses the transfer for now. Returns whether others of its topic that are being sent may not be careful yet. */
    boolean refused(OutgoingTransfer transfer) {
        Shortage shortage = byTopic.computeIfAbsent(transfer.manifest.topic(), unused -> new Shortage());
        shortage.refused.add(transfer);
        boolean first = !shortage.allCareful;
        shortage.allCareful = true;
        return first;
    }

    /** The receiver has taken something of the transfer, or its transfer is over. */
    void remove(OutgoingTransfer transfer) {
        Topic topic = transfer.manifest.topic();
        Shortage shortage = byTopic.get(topic);
        if (shortage != null && shortage.refused.remove(transfer) && shortage.refused.isEmpty()) {
            byTopic.remove(topic);
        }
    }

    /** So much of a transfer was taken that it is not careful any more. */
    void notCareful(OutgoingTransfer transfer) {
        Shortage shortage = byTopic.get(transfer.manifest.topic());
        if (shortage != null) {
            shortage.allCareful = false;
        }
    }

    /** Whether a transfer of that topic lacks room. */
    boolean isShort(Topic topic) {
        return byTopic.containsKey(topic);
    }
}
