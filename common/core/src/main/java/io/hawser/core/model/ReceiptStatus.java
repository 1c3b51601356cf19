package io.hawser.core.model;

/** How far a transfer got at one subscription. Codes are fixed by the wire format; a final status is the last of its transfer. */
public enum ReceiptStatus {
    /** Complete, verified and durable at the far edge, not yet published. */
    LANDED(1),
    /** Published: the object is visible at its target, or the application took it. */
    DELIVERED(2),
    /** It will not be delivered; the reason says why. */
    FAILED(3),
    /** A rule that the operator set ended it. */
    EXPIRED(4),
    /**
     * On the far edge's dead-letter list: whole, verified and durable there, and not published until a person has it retried or dropped;
     * the reason says what stands in the way. LANDED follows when it is retried.
     */
    DEAD(5);

    private final int code;

    ReceiptStatus(int code) {
        this.code = code;
    }

    /** The status's number on the wire and on disk. */
    public int code() {
        return code;
    }

    /** Whether nothing follows this status. */
    public boolean isFinal() {
        return this != LANDED && this != DEAD;
    }

    /** Whether the transfer has come further with it, rather than failed. */
    public boolean isGood() {
        return this == LANDED || this == DELIVERED;
    }

    /** The status with that number; {@link IllegalArgumentException} if there is none. */
    public static ReceiptStatus of(int code) {
        for (ReceiptStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("unknown receipt status " + code);
    }
}
