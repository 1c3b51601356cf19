package io.hawser.broker.store.local;

/** The kinds of records in the broker's log; the package description lists their bodies. */
public final class RecordKind {
    static final int OPENED = 1;
    /** One fragment of a transfer; fragments have no order among themselves. */
    public static final int FRAGMENT = 2;

    static final int SMALL = 3;
    static final int COMMITTED = 4;
    static final int CANCELLED = 5;
    static final int SUBSCRIBED = 6;
    static final int UNSUBSCRIBED = 7;
    static final int SETTLED = 8;
    static final int RECEIPT_KEPT = 9;
    static final int RECEIPT_ACKED = 10;
    static final int TRANSFER_CARRIED = 11;
    static final int SUBSCRIPTION_CARRIED = 12;
    static final int TOMBSTONES = 13;
    static final int EXPIRED = 14;
    static final int FORGOTTEN = 15;
    static final int DELIVERIES = 16;
    static final int PERMITTED = 17;
    static final int RECALLED = 18;
    static final int STEERED = 19;
    /** The highest that this version knows. */
    static final int LAST = STEERED;

    private RecordKind() {}

    /** Whether a record of that kind is about one transfer, with the key in its header. */
    static boolean isOfTransfer(int kind) {
        return switch (kind) {
            case SUBSCRIBED, UNSUBSCRIBED, SUBSCRIPTION_CARRIED, TOMBSTONES, DELIVERIES -> false;
            default -> kind <= LAST;
        };
    }
}
