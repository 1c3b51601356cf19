package io.hawser.store.spool;

import io.hawser.core.model.Receipt;
import java.util.ArrayList;
import java.util.List;

/**
 * The delivery set of a transfer with the latest receipt of each subscription. Immutable.
 *
 * @param deliverySet subscriptions that "delivered" counts; if it is empty, the first that says a final word does
 * @param receipts at most one for each subscription
 */
record DeliveryReceipts(List<String> deliverySet, List<Receipt> receipts) {
    static final int MOST_SUBSCRIPTIONS = 1024;
    static final DeliveryReceipts NONE = new DeliveryReceipts(List.of(), List.of());

    DeliveryReceipts {
        deliverySet = List.copyOf(deliverySet);
        receipts = List.copyOf(receipts);
    }

    DeliveryReceipts withSet(List<String> members) {
        return new DeliveryReceipts(members, receipts);
    }

    /** The same with one more; a late LANDED says less than the final word that is known, and changes nothing. */
    DeliveryReceipts with(Receipt receipt) {
        if (has(receipt)) {
            return this;
        }
        List<Receipt> updated = new ArrayList<>(receipts.size() + 1);
        for (Receipt known : receipts) {
            if (!known.subscription().equals(receipt.subscription())) {
                updated.add(known);
            }
        }
        updated.add(receipt);
        return new DeliveryReceipts(deliverySet, updated);
    }

    /** Whether that receipt says anything new, and there is room: a subscription beyond {@value #MOST_SUBSCRIPTIONS} is none of an honest broker's. */
    boolean takes(Receipt receipt) {
        boolean known = receipts.stream().anyMatch(each -> each.subscription().equals(receipt.subscription()));
        return !has(receipt)
                && (known || receipts.size() < MOST_SUBSCRIPTIONS || deliverySet.contains(receipt.subscription()));
    }

    /** Whether that receipt, or one that says more, is known. LANDED and DEAD may follow each other, each with another reason. */
    boolean has(Receipt receipt) {
        return receipts.stream()
                .anyMatch(known -> known.subscription().equals(receipt.subscription()) && saysAsMuch(known, receipt));
    }

    private static boolean saysAsMuch(Receipt known, Receipt receipt) {
        boolean same = known.status() == receipt.status();
        return receipt.status().isFinal()
                ? same
                : known.status().isFinal() || (same && known.reason().equals(receipt.reason()));
    }

    /** Whether every subscription that counts has sent a final receipt. */
    boolean isSettled() {
        return deliverySet.isEmpty()
                ? receipts.stream().anyMatch(receipt -> receipt.status().isFinal())
                : deliverySet.stream().allMatch(this::hasFinalWordOf);
    }

    boolean hasFinalWordOf(String subscription) {
        return receipts.stream()
                .anyMatch(receipt -> receipt.subscription().equals(subscription)
                        && receipt.status().isFinal());
    }
}
