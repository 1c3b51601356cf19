package io.hawser.core.hop;

import org.jspecify.annotations.Nullable;

/**
 * Passes receipts from the receiver to the store, and their acks back.
 *
 * <p>A receipt may come before the COMMITTED of its transfer, from a consumer that finished it in an earlier session. It waits: after the
 * receipt's ack the receiver may forget the transfer, and could no longer answer the COMMIT. A receipt that is not final passes at once to a
 * store that {@link SenderStore#takesEarlyNews}: the receiver keeps its transfer.
 *
 * <p>Thread: the sender's loop.
 */
final class ReceiptIntake {
    /** The most receipts that wait for the COMMITTED of one transfer; the others come again in the next session. */
    private static final int MOST_EARLY = 1024;

    /** The estimated memory of a receipt without its reason. */
    private static final int RECEIPT_BYTES = 256;

    private final SenderStore store;
    /** The estimated memory of all receipts that wait for the COMMITTED of their transfers. */
    private long earlyBytes;

    private @Nullable HopLink link;

    ReceiptIntake(SenderStore store) {
        this.store = store;
    }

    void linkUp(HopLink newLink) {
        link = newLink;
    }

    /** Receipts that are being stored are not acked any more: the next session repeats them. */
    void linkDown() {
        link = null;
        earlyBytes = 0; // each transfer forgets its own
    }

    /** Handles a receipt. {@code transfer} is its transfer; null if that is finished here. */
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

    /** The memory of the receipts that wait. */
    long earlyBytes() {
        return earlyBytes;
    }

    private static int bytes(HopMessage.ReceiptNotice notice) {
        return RECEIPT_BYTES + 2 * notice.receipt().reason().length();
    }

    /** The sender no longer has the transfer: its waiting receipts do not count any more. {@link #release} may follow. */
    void ended(OutgoingTransfer transfer) {
        transfer.earlyReceipts.forEach(notice -> earlyBytes -= bytes(notice));
    }

    /** The transfer is finished: passes its waiting receipts to the store. */
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
