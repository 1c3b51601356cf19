package io.hawser.client;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.io.IOException;

/** A transfer or request was refused, cancelled or cannot be delivered. The message says what happened and what to do. */
public final class HawserException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What a program can act on. */
    public enum Reason {
        /** A disk or a quota is full. */
        NO_SPACE,
        /** Larger than the store or a quota can ever take. */
        TOO_LARGE,
        /** The client lacks the right to the topic. */
        NOT_ALLOWED,
        /** The name would leave the destination, or cannot exist there. */
        BAD_NAME,
        /** The file changed after the transfer began. */
        SOURCE_CHANGED,
        /** No such file, transfer, topic or subscription. */
        NOT_FOUND,
        /** The transfer was cancelled. */
        CANCELLED,
        /** A disk failed, here or at the broker. */
        STORAGE_FAILED,
        /** Another consumer uses the subscription. */
        SUBSCRIPTION_BUSY,
        /** This client or the broker is stopping. */
        STOPPING,
        /** No far end is connected that could answer. */
        UNREACHABLE,
        /** The far side refused what this client says; the versions may not fit. */
        PROTOCOL,
        /** A far end will not deliver the transfer: it failed there, expired, or is a dead letter. */
        NOT_DELIVERED,
        /** Too many transfers wait for receipts, and this one is no longer followed. It is still delivered. */
        NOT_FOLLOWED,
        /** No reply came within the timeout. */
        NO_REPLY
    }

    private final Reason reason;

    HawserException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    HawserException(Refusal refusal) {
        this(reasonOf(refusal.code()), refusal.detail());
    }

    private static Reason reasonOf(ErrorCode code) {
        return switch (code) {
            case NO_SPACE -> Reason.NO_SPACE;
            case TOO_LARGE -> Reason.TOO_LARGE;
            case NOT_ALLOWED -> Reason.NOT_ALLOWED;
            case BAD_NAME, NOT_DIRECTORY, IS_DIRECTORY, EXISTS -> Reason.BAD_NAME;
            case SOURCE_CHANGED -> Reason.SOURCE_CHANGED;
            case NOT_FOUND -> Reason.NOT_FOUND;
            case CANCELLED -> Reason.CANCELLED;
            case STORAGE_FAILED -> Reason.STORAGE_FAILED;
            case SUBSCRIPTION_BUSY -> Reason.SUBSCRIPTION_BUSY;
            case STOPPING -> Reason.STOPPING;
            case UNREACHABLE -> Reason.UNREACHABLE;
            case ID_USED, MALFORMED, DIGEST_MISMATCH -> Reason.PROTOCOL;
        };
    }

    /** Why, for programs. Does not block. */
    public Reason reason() {
        return reason;
    }
}
