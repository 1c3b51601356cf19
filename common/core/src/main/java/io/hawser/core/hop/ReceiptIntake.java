package io.hawser.core.hop;

import org.jspecify.annotations.Nullable;

/**
 * Passes receipts from the receiver to the store, and their acks back.
 *
 * <p>A receipt may come before the COMMITTED of its transfer, from a far end that finished it in an earlier session. It waits:
 * once its ack is out the receiver may forget the transfer, and could not answer the commit any more. One that is not final may go on to a
 * store that takes it: the receiver keeps its transfer.
 *
 * <p>Thread: the sender's loop.
 */
final class ReceiptIntake {
    /** Receipts that wait for the COMMITTED of one transfer; others come again in the next session. */
    private static final int MOST_EARLY = 1024;

    /** What a receipt takes besides its reason, about. */
    private static final int RECEIPT_BYTES = 256;

    private final SenderStore store;
    /** What all receipts take that wait for the COMMITTED of their transfers, about. */
    private long earlyBytes;

    private @Nullable HopLink link;

    ReceiptIntake(SenderStore store) {
        this.store = store;
    }

    void linkUp(HopLink newLink) {
        link = newLink;
    }

    /** Acks of what is being stored are not sent any more: the next session repeats the receipts. */
    void linkDown() {
        link = null;
        earlyBytes = 0; // each transfer forgets its own
    }

    /** A receipt came. {@code transfer} is the one that it speaks of, or null if that is finished here. */
    void receive(HopMessage.ReceiptNotice notice, @Nullable OutgoingTransfer transfer) {
        boolean isNews = !notice.receipt().status().isFinal() && store.takesEarlyNews();
        if (transfer == null || isNews) {
            keep(notice);
        } else if (transfer.earlyReceipts.size() < MOST_EARLY
                && earlyBytes + bytes(notice) <= store.mostEarlyReceiptBytes()
                && !transfer.earlyReceipts.contains(notice)) {
            earlyBytes += bytes(notice);
            transfer.earlyReceipts.add(notice);
        }
    }

    private static int bytes(HopMessage.ReceiptNotice notice) {
        return RECEIPT_BYTES + 2 * notice.receipt().reason().length();
    }

    /** The sender has the transfer no longer: what waited for it does not count any more. {@link #release} may follow. */
    void ended(OutgoingTransfer transfer) {
        transfer.earlyReceipts.forEach(notice -> earlyBytes -= bytes(notice));
    }

    /** The transfer is finished: what waited for that goes on. */
    void release(OutgoingTransfer transfer) {
        transfer.earlyReceipts.forEach(this::keep);
        transfer.earlyReceipts.clear();
    }

    private void keep(HopMessage.ReceiptNotice notice) {
        HopLink from = link;
        store.receipt(notice.receipt(), () -> {
            if (from != null && from == link) {
                from.send(new HopMessage.ReceiptAck(
                        notice.receipt().key(),
                        notice.receipt().subscription(),
                        notice.receipt().status()));
            }
        });
    }
}
