package io.hawser.common.relay;

import io.hawser.common.model.Commit;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.SubscriptionSpec;
import io.hawser.common.model.TransferKey;
import java.util.List;

/**
 * What the relay makes durable, besides fragments. The state of a broker is the fold of these, in the order in which they
 * were appended.
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

    /** A transfer that was not committed is dropped, by its publisher or by a rule; its id is refused from here on. */
    record Cancelled(TransferKey key, String reason) implements RelayRecord {}

    /**
     * A subscription comes into being, or changes its owner. A new one is owed the committed transfers of its topic whose
     * delivery set is empty (it becomes their delivery set), if it is the first on its topic; and all that are kept, outside
     * their delivery sets, if it starts at the earliest.
     */
    record Subscribed(SubscriptionSpec spec, boolean firstOnTopic) implements RelayRecord {}

    /** A subscription is removed by an operator or by a rule: what it is owed is no longer. */
    record Unsubscribed(String subscription) implements RelayRecord {}

    /** A subscription has the whole transfer at the level that it declared: it is no longer owed the bytes. */
    record Settled(TransferKey key, String subscription) implements RelayRecord {}

    /** A receipt, kept until its publisher has it. A later one of the same subscription replaces it. A final one also settles. */
    record ReceiptKept(Receipt receipt) implements RelayRecord {}

    /** The publisher has the final receipt of that subscription. */
    record ReceiptAcked(TransferKey key, String subscription) implements RelayRecord {}
}
