package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
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
     * Sender: a transfer begins or resumes. If an earlier session may have announced it ({@code resumed}), the receiver looks it up and
     * answers with {@link Resume}; otherwise packets follow at once.
     */
    record Open(Manifest manifest, boolean resumed) implements HopMessage {}

    /** Receiver: exactly these fragments of the transfer are durable here; the sender sends the others. */
    record Resume(TransferKey key, FragmentRanges durable) implements HopMessage {}

    /** Receiver: these fragments are durable here. */
    record Ack(TransferKey key, FragmentRanges ranges) implements HopMessage {}

    /** Receiver: this fragment arrived damaged or was damaged on disk; the sender sends it again. */
    record Nack(TransferKey key, long index) implements HopMessage {}

    /** Sender: the transfer is complete. */
    record CommitTransfer(TransferKey key, Commit commit) implements HopMessage {}

    /**
     * Receiver: the whole transfer is durable and committed here; the sender may forget it.
     *
     * @param deliverySet the subscriptions that will get it, as the broker has fixed them
     * @param repeatedBytes bytes of it that the receiver got more than once
     */
    record Committed(TransferKey key, List<String> deliverySet, long repeatedBytes) implements HopMessage {
        /** The most subscriptions in a delivery set. */
        public static final int MAX_DELIVERY_SET = 4000;

        public Committed {
            deliverySet = List.copyOf(deliverySet);
        }

        /** The same without repeated bytes. */
        public Committed(TransferKey key, List<String> deliverySet) {
            this(key, deliverySet, 0);
        }
    }

    /** Receiver: a consumer's receipt for a transfer. Repeated in each session until it is acked. */
    record ReceiptNotice(Receipt receipt) implements HopMessage {}

    /** Sender: the receipt with that status is durable here. */
    record ReceiptAck(TransferKey key, String subscription, ReceiptStatus status) implements HopMessage {}

    /** Sender: the receiver shall drop the transfer if it is not committed. */
    record Cancel(TransferKey key, String reason) implements HopMessage {
        /**
         * The reason for a transfer that moves to another member of the group: the receiver drops its part, and may be offered it again.
         */
        public static final String HANDED_OVER = "another member of the group gets it";

        /** Whether it may be offered again. */
        public static boolean mayComeAgain(String reason) {
            return reason.equals(HANDED_OVER);
        }
    }

    /**
     * Sender: the receiver shall drop the transfer, also if it is committed, unless it is delivered. A consumer answers with a receipt: CANCELLED,
     * or what had become of it. The broker passes it on. Repeated in each session until the receipts are there.
     */
    record Recall(TransferKey key, String reason) implements HopMessage {}

    /** Receiver: the transfer is dropped here. */
    record Cancelled(TransferKey key) implements HopMessage {}

    /** Receiver: the transfer is refused, for now or for ever by the refusal's code. */
    record Refuse(TransferKey key, Refusal refusal) implements HopMessage {}

    /** Sender: does the receiver still have these committed transfers? At most {@value #MOST_CHECKED}; one CHECK is outstanding at a time. */
    record Check(List<TransferKey> keys) implements HopMessage {
        public static final int MOST_CHECKED = 256;

        public Check {
            keys = List.copyOf(keys);
        }
    }

    /**
     * Receiver: the answer to {@link Check}.
     *
     * @param absent transfers without a commit here
     * @param finished transfers of which only a tombstone is left
     */
    record Checked(List<TransferKey> absent, List<TransferKey> finished) implements HopMessage {
        public Checked {
            absent = List.copyOf(absent);
            finished = List.copyOf(finished);
        }
    }

    /**
     * Sender: how far are these transfers at their far ends? For people who watch, so the receiver may leave it unanswered. At most
     * {@value #MOST_ASKED}.
     */
    record AskProgress(List<TransferKey> keys) implements HopMessage {
        public static final int MOST_ASKED = 64;

        public AskProgress {
            keys = List.copyOf(keys);
        }
    }

    /** Receiver: the answer to {@link AskProgress}, a line for each transfer and far end; at most {@value #MOST_LINES}, the rest is left out. */
    record Progress(List<FarEndProgress> farEnds) implements HopMessage {
        public static final int MOST_LINES = 512;

        public Progress {
            farEnds = List.copyOf(farEnds);
        }
    }

    /** Receiver: the most bytes of fragments that may be in flight. */
    record Credit(long windowBytes) implements HopMessage {}
}
