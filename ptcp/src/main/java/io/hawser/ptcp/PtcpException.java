package io.hawser.ptcp;

import java.io.IOException;

/** Reports that a session could not be opened, or that it ended. The message is for a user: what happened, and what to do. */
public final class PtcpException extends IOException {
    private static final long serialVersionUID = 1L;

    private final PtcpErrorCode code;

    /** Creates an exception with a code and a sentence for the user. */
    public PtcpException(PtcpErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** What went wrong, as the wire names it. */
    public PtcpErrorCode code() {
        return code;
    }
}
