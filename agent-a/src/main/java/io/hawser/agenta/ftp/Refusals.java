package io.hawser.agenta.ftp;

import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.hop.Refusal;

/** Turns a store's refusal into the reply that FTP has for it. */
public final class Refusals {
    private Refusals() {}

    /** The reply to the command that failed on {@code path}. */
    public static FtpReply reply(Object path, Refusal refusal) {
        ReplyCode code =
                switch (refusal.code()) {
                    case NO_SPACE -> ReplyCode.NO_SPACE;
                    case TOO_LARGE -> ReplyCode.QUOTA_EXCEEDED;
                    case BAD_NAME -> ReplyCode.NAME_NOT_ALLOWED;
                    case NOT_ALLOWED, NOT_FOUND -> ReplyCode.FILE_UNAVAILABLE;
                    case STOPPING -> ReplyCode.NOT_AVAILABLE;
                    default -> ReplyCode.LOCAL_ERROR;
                };
        String words =
                switch (refusal.code()) {
                    case NO_SPACE -> "No space left on device: ";
                    case TOO_LARGE -> "Disk quota exceeded: ";
                    case NOT_ALLOWED -> "Permission denied: ";
                    default -> "";
                };
        return FtpReply.about(code, path, words + refusal.detail());
    }
}
