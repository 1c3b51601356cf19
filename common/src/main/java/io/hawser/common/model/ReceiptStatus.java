package io.hawser.common.model;

/** How far a transfer got at one subscription. Codes are fixed by the wire format; higher codes replace lower ones. */
public enum ReceiptStatus {
    /** Complete, verified and durable at the far edge, not yet published. */
    LANDED(1),
    /** Published: the object is visible at its target, or the application took it. */
    DELIVERED(2),
    /** It will not be delivered; the reason says why. */
    FAILED(3),
    /** A rule that the operator set ended it. */
    EXPIRED(4);

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
        return this != LANDED;
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
