package io.hawser.agentb.serve;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.io.IOException;

/** A query that is answered with a refusal. The connection to the server, if there was one, can be used again. */
final class NotServedException extends IOException {
    private final transient Refusal refusal;

    NotServedException(ErrorCode code, String detail) {
        super(detail);
        this.refusal = new Refusal(code, detail);
    }

    Refusal refusal() {
        return refusal;
    }

    static NotServedException notFound() {
        return new NotServedException(ErrorCode.NOT_FOUND, "No such file or directory");
    }

    static NotServedException changed() {
        return new NotServedException(ErrorCode.SOURCE_CHANGED, "The file changed while it was read");
    }

    /** Agent-a is to retry, as long as it likes. */
    static NotServedException unreachable(String why) {
        return new NotServedException(ErrorCode.UNREACHABLE, why);
    }
}
