package io.hawser.client;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A transfer was refused, cancelled or could not be delivered. The message says what happened and what to do. */
public final class HawserException extends IOException {
    private static final long serialVersionUID = 1L;

    private final @Nullable ErrorCode code;

    HawserException(String message) {
        super(message);
        this.code = null;
    }

    HawserException(Refusal refusal) {
        super(refusal.detail());
        this.code = refusal.code();
    }

    /** The kind of refusal, if it was one. */
    public @Nullable ErrorCode code() {
        return code;
    }
}
