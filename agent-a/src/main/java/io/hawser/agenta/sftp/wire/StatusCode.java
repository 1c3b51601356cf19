package io.hawser.agenta.sftp.wire;

import io.hawser.agenta.namespace.RequestFailure;

/** What a request came to (draft-ietf-secsh-filexfer-02 section 7). */
public enum StatusCode {
    OK(0),
    EOF(1),
    NO_SUCH_FILE(2),
    PERMISSION_DENIED(3),
    FAILURE(4),
    BAD_MESSAGE(5),
    UNSUPPORTED(8);

    private final int code;

    StatusCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Clients take NO_SUCH_FILE for an answer and everything else for a failure: only a name that is known to be free has it. */
    public static StatusCode of(RequestFailure failure) {
        return switch (failure.reason()) {
            case NOT_FOUND -> NO_SUCH_FILE;
            case DENIED -> PERMISSION_DENIED;
            case CONFLICT,
                    NOT_LISTABLE,
                    BAD_NAME,
                    NOT_CONTINUABLE,
                    AFTER_THE_END,
                    BAD_POSITION,
                    BUSY,
                    NO_SPACE,
                    QUOTA_EXCEEDED,
                    STOPPING,
                    FAILED -> FAILURE;
        };
    }
}
