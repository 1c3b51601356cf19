package io.hawser.broker.relay;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import java.util.List;

/**
 * A record that the relay makes durable, besides fragments and small transfers. The state of a broker is the fold of its records in the order of their
 * appends.
 */
public sealed interface RelayRecord {
    /** A transfer begins. */
    record Opened(Manifest manifest) implements RelayRecord {}

    /**
     * A transfer is complete. From here on it is owed to {@code deliverySet}; an empty set waits for the first subscription
     * of its topic. The record's sequence number is the transfer's <em>commit sequence</em>.
     */
    record Committed(TransferKey key, Commit commit, List<String> deliverySet) implements RelayRecord {
        public Committed {
            deliverySet = List.copyOf(deliverySet);
        }
    }

    /**
     * A transfer is dropped, by its publisher or by a rule; its id is refused from here on, also if nothing of it was known. The relay
     * appends it only for what is not committed; the fold does not look.
     */
    record Cancelled(TransferKey key, String reason) implements RelayRecord {}

    /**
     * What came of a transfer that was not committed is forgotten, by a rule or for want of space. It changes nothing if the
     * transfer is committed. Its publisher, which has all of it until the commit, may announce it again.
     */
    record Forgotten(TransferKey key, String reason) implements RelayRecord {}

    /**
     * A subscription comes into being, or changes its owner, its terms or its group. A new one is owed the committed transfers of its topic whose
     * delivery set is empty (it becomes their delivery set), if it is the first on its topic; and all that are kept, outside
     * their delivery sets, if it starts at the earliest.
     */
    record Subscribed(SubscriptionSpec spec, boolean firstOnTopic) implements RelayRecord {}

    /**
     * A subscription is removed by an operator, or one to replies ends: what it is owed is no longer. Of each transfer that counts it in its delivery
     * set and has no final receipt of it, the publisher gets the {@link #receipt}; it is kept under the number of the
     * transfer's commit.
     *
     * @param epochMillis when
     */
    record Unsubscribed(String subscription, Topic topic, long epochMillis) implements RelayRecord {
        public Receipt receipt(TransferKey key) {
            String reason = topic.isOfReplies()
                    ? "the program that waited for replies on " + topic + " is gone"
                    : "the operator removed subscription " + subscription;
            return new Receipt(key, subscription, ReceiptStatus.EXPIRED, reason, epochMillis);
        }
    }

    /**
     * A committed transfer that no subscription has come for is dropped by a rule of the operator's. It changes nothing if one
     * has come meanwhile. Otherwise {@link Receipt#NOBODY} becomes its delivery set and {@link #receipt} its receipt, kept
     * under the number of its commit.
     *
     * @param epochMillis when
     */
    record Expired(TransferKey key, String reason, long epochMillis) implements RelayRecord {
        public Receipt receipt() {
            return new Receipt(key, Receipt.NOBODY, ReceiptStatus.EXPIRED, reason, epochMillis);
        }
    }

    /**
     * A committed transfer is cancelled: nobody is sent its bytes any more, so they go. A subscription that is owed it still is, until its consumer
     * has said what became of it. What no subscription has come for gets {@link Receipt#NOBODY} as its delivery set, and {@link #receipt}. It
     * changes nothing if the transfer is cancelled already.
     *
     * @param asked of the delivery set those that are owed it again until they have said their final word, though they have its bytes
     * @param epochMillis when
     */
    record Recalled(TransferKey key, String reason, List<String> asked, long epochMillis) implements RelayRecord {
        public Recalled {
            asked = List.copyOf(asked);
        }

        public Receipt receipt() {
            return new Receipt(key, Receipt.NOBODY, ReceiptStatus.CANCELLED, reason, epochMillis);
        }
    }

    /**
     * An operator holds a committed transfer, or no longer does, and gives it a priority; the last record counts. It changes nothing if the transfer
     * is cancelled.
     *
     * @param priority 1 (last) to 9 (first)
     */
    record Steered(TransferKey key, boolean held, int priority) implements RelayRecord {}

    /**
     * Of those that share a subscription this member, and no other, may deliver the transfer. A later one replaces it: the member of
     * the earlier has been declared lost. It holds as long as the subscription is owed the transfer.
     */
    record Permitted(TransferKey key, String subscription, NodeId member) implements RelayRecord {}

    /** A subscription has the whole transfer at the level that it declared: it is no longer owed the bytes. */
    record Settled(TransferKey key, String subscription) implements RelayRecord {}

    /**
     * A receipt, kept until its publisher has it. A later one of the same subscription replaces it, until that was acknowledged: then it
     * changes nothing. A final one also settles.
     */
    record ReceiptKept(Receipt receipt) implements RelayRecord {}

    /** The publisher has the final receipt of that subscription. It does not settle. */
    record ReceiptAcked(TransferKey key, String subscription) implements RelayRecord {}
}
