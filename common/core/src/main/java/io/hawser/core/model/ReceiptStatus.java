package io.hawser.core.model;

/** The status of a transfer at one subscription. A final status is the last of its transfer. */
public enum ReceiptStatus implements CodedEnum {
    /** Complete, verified and durable at the far end, not yet published. */
    LANDED(1),
    /** Published: the object is visible at its target, or the application acknowledged it. */
    DELIVERED(2),
    /** It will not be delivered, by the receipt's reason. */
    FAILED(3),
    /** It passed a deadline or retention that the operator set. */
    EXPIRED(4),
    /**
     * On the far end's dead-letter list: complete, verified and durable there, and not published until an operator retries or drops it; the
     * reason says why. LANDED follows a retry.
     */
    DEAD(5),
    /** It was cancelled before it was delivered there, and will not be; the reason says by whom. */
    CANCELLED(6);

    private final int code;

    ReceiptStatus(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** Whether no other status follows. */
    public boolean isFinal() {
        return this != LANDED && this != DEAD;
    }

    /** Whether it is progress rather than a failure. */
    public boolean isGood() {
        return this == LANDED || this == DELIVERED;
    }

    /** The status with that number; {@link IllegalArgumentException} if there is none. */
    public static ReceiptStatus of(int code) {
        return CodedEnum.of(values(), code, "receipt status");
    }
}
