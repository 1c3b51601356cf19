package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.List;

/**
 * The control messages of a hop. They travel in order on the communication channel; the fragments travel as packets on the
 * streams and may overtake them.
 */
public sealed interface HopMessage {
    /**
     * Sender: a transfer begins or goes on. {@code resumed} says that an earlier session may have announced it, so that the
     * receiver looks it up and answers with {@link Resume}; otherwise packets follow at once.
     */
    record Open(Manifest manifest, boolean resumed) implements HopMessage {}

    /** Receiver: these fragments of the transfer are durable here; the sender starts from this and from nothing else. */
    record Resume(TransferKey key, FragmentRanges durable) implements HopMessage {}

    /** Receiver: these fragments are durable here. */
    record Ack(TransferKey key, FragmentRanges ranges) implements HopMessage {}

    /** Receiver: this fragment arrived damaged, or did not survive the disk; it is to be sent again. */
    record Nack(TransferKey key, long index) implements HopMessage {}

    /** Sender: the transfer is complete. */
    record CommitTransfer(TransferKey key, Commit commit) implements HopMessage {}

    /** Receiver: the whole transfer is durable here; the sender may forget it. {@code deliverySet} as fixed
     * at the broker; {@code repeatedBytes} is how many of its bytes came more than once, as the receiver counts.
     */
    record Committed(TransferKey key, List<String> deliverySet, long repeatedBytes) implements HopMessage {
        /** The most subscriptions that it can name. */
        public static final int MAX_DELIVERY_SET = 4000;

        public Committed {
            deliverySet = List.copyOf(deliverySet);
        }

        /** Nothing of it came twice. */
        public Committed(TransferKey key, List<String> deliverySet) {
            this(key, deliverySet, 0);
        }
    }

    /** Receiver: the far end's word about a transfer, on its way back. Repeated in each session until it is acknowledged. */
    record ReceiptNotice(Receipt receipt) implements HopMessage {}

    /** Sender: the receipt of that status is durable here. */
    record ReceiptAck(TransferKey key, String subscription, ReceiptStatus status) implements HopMessage {}

    /** Sender: the transfer is to be dropped, if it is not committed. */
    record Cancel(TransferKey key, String reason) implements HopMessage {
        /**
         * The reason of one that is sent to another member of the group: what is here of it goes, and it may be offered here again.
         */
        public static final String HANDED_OVER = "another member of the group gets it";

        /** Whether it may be offered again. */
        public static boolean mayComeAgain(String reason) {
            return reason.equals(HANDED_OVER);
        }
    }

    /** Receiver: the transfer is dropped here. */
    record Cancelled(TransferKey key) implements HopMessage {}

    /** Receiver: the transfer is not taken, now or ever, by its code. */
    record Refuse(TransferKey key, Refusal refusal) implements HopMessage {}

    /** Sender: are these transfers, which the receiver has committed, still there? At most {@value #MOST_CHECKED}; one such question at a time. */
    record Check(List<TransferKey> keys) implements HopMessage {
        public static final int MOST_CHECKED = 256;

        public Check {
            keys = List.copyOf(keys);
        }
    }

    /**
     * Receiver: of those that were asked for.
     *
     * @param absent of which it does not have a commit
     * @param finished which are over, and of which only a tombstone is left
     */
    record Checked(List<TransferKey> absent, List<TransferKey> finished) implements HopMessage {
        public Checked {
            absent = List.copyOf(absent);
            finished = List.copyOf(finished);
        }
    }

    /** Receiver: how many bytes of fragments may be on their way at once. */
    record Credit(long windowBytes) implements HopMessage {}
}
