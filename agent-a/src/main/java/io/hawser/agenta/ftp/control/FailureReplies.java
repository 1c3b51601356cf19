package io.hawser.agenta.ftp.control;

import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Refusal;

/** The FTP replies for failures of requests. */
public final class FailureReplies {
    private FailureReplies() {}

    /** The reply to the command that failed on {@code path}. */
    public static FtpReply of(Object path, RequestFailure failure) {
        return FtpReply.about(code(failure.reason()), path, failure.words() + hint(failure.reason()));
    }

    /** The same for a refusal of the spool. */
    public static FtpReply of(Object path, Refusal refusal) {
        return of(path, RequestFailure.of(refusal));
    }

    private static ReplyCode code(RequestFailure.Reason reason) {
        return switch (reason) {
            case NOT_FOUND, DENIED, CONFLICT, NOT_CONTINUABLE -> ReplyCode.FILE_UNAVAILABLE;
            case NOT_LISTABLE -> ReplyCode.ARGUMENT_ERROR;
            case BAD_NAME -> ReplyCode.NAME_NOT_ALLOWED;
            case AFTER_THE_END, BAD_POSITION -> ReplyCode.BAD_RESTART_POSITION;
            case BUSY -> ReplyCode.FILE_BUSY;
            case NO_SPACE -> ReplyCode.NO_SPACE;
            case QUOTA_EXCEEDED -> ReplyCode.QUOTA_EXCEEDED;
            case STOPPING -> ReplyCode.NOT_AVAILABLE;
            case FAILED -> ReplyCode.LOCAL_ERROR; // not 450, which programs take for "no such file"
        };
    }

    private static String hint(RequestFailure.Reason reason) {
        return switch (reason) {
            case NOT_CONTINUABLE -> "; use STOR from the beginning";
            case AFTER_THE_END -> ", see SIZE";
            default -> "";
        };
    }
}
