package io.hawser.store.spool;

/** How far a transfer got, seen from its publisher. */
public enum SpoolPhase {
    /** Its bytes are coming in. */
    RECEIVING,
    /** Its upload broke off; it can be resumed until it expires. */
    INCOMPLETE,
    /** Complete and durable here. */
    SPOOLED,
    /** Complete and durable at the next hop; receipts are awaited. */
    BROKERED,
    /**
     * Every member of the delivery set has said a final word; the receipts say which. Or too many transfers wait for receipts, see {@link
     * TransferSnapshot#isNoLongerFollowed}.
     */
    FINISHED,
    /** Dropped by the publisher or by a rule of his. */
    CANCELLED,
    /** Refused for good, by the next hop or because its source changed; the refusal says why. */
    REFUSED;

    /** Whether nothing follows. */
    public boolean isFinal() {
        return this == FINISHED || this == CANCELLED || this == REFUSED;
    }
}
