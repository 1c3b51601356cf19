package io.hawser.client;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A transfer was refused, cancelled or could not be delivered. The message says what happened and what to do. */
public final class HawserException extends IOException {
    private static final long serialVersionUID = 1L;

    private final @Nullable ErrorCode code;

    private final boolean undelivered;

    HawserException(String message) {
        this(message, false);
    }

    private HawserException(String message, boolean undelivered) {
        super(message);
        this.code = null;
        this.undelivered = undelivered;
    }

    HawserException(Refusal refusal) {
        super(refusal.detail());
        this.code = refusal.code();
        this.undelivered = false;
    }

    /** A far end has said that it does not deliver the transfer. */
    static HawserException undelivered(String message) {
        return new HawserException("not delivered: " + message, true);
    }

    /** Whether a far end has said that it does not deliver the transfer: it failed there, expired, or is a dead letter. */
    public boolean isUndelivered() {
        return undelivered;
    }

    /** The kind of refusal, if it was one. */
    public @Nullable ErrorCode code() {
        return code;
    }
}
