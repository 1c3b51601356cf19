package io.hawser.agenta.ftp;

import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.RemoteFiles;

/** Turns a refusal of the store or of the far edge into the reply that FTP has for it. */
public final class Refusals {
    private Refusals() {}

    /** Whether nobody could say what is there: the far edge is away or silent, or the destination has no files to show. */
    static boolean isUnheard(Refusal refusal) {
        return refusal.code() == ErrorCode.UNREACHABLE || isOfApplication(refusal);
    }

    /** Whether the destination is an application, which neither shows files nor takes parts of them. */
    static boolean isOfApplication(Refusal refusal) {
        return refusal.code() == ErrorCode.NOT_ALLOWED && refusal.detail().equals(RemoteFiles.APPLICATION);
    }

    /** Whether the far edge takes files and shows none. */
    static boolean isOfClosed(Refusal refusal) {
        return refusal.code() == ErrorCode.NOT_ALLOWED && refusal.detail().equals(RemoteFiles.CLOSED);
    }

    /** The reply to a command that cannot go on without the far edge, which is away or silent. */
    static FtpReply itAloneKnows(Object path, Refusal unreachable) {
        return FtpReply.about(
                ReplyCode.FILE_BUSY, path, unreachable.detail() + ", and it alone knows; try again later");
    }

    /** The reply to the command that failed on {@code path}. */
    public static FtpReply reply(Object path, Refusal refusal) {
        ReplyCode code =
                switch (refusal.code()) {
                    case NO_SPACE -> ReplyCode.NO_SPACE;
                    case TOO_LARGE -> ReplyCode.QUOTA_EXCEEDED;
                    case BAD_NAME -> ReplyCode.NAME_NOT_ALLOWED;
                    case NOT_ALLOWED, NOT_FOUND -> ReplyCode.FILE_UNAVAILABLE;
                    case UNREACHABLE -> ReplyCode.LOCAL_ERROR; // not 450, which programs take for "no such file"
                    case STOPPING -> ReplyCode.NOT_AVAILABLE;
                    default -> ReplyCode.LOCAL_ERROR;
                };
        String words =
                switch (refusal.code()) {
                    case NO_SPACE -> "No space left on device: " + refusal.detail();
                    case TOO_LARGE -> "Disk quota exceeded: " + refusal.detail();
                    case NOT_ALLOWED -> "Permission denied: " + refusal.detail();
                    case UNREACHABLE -> refusal.detail() + "; try again later";
                    default -> refusal.detail();
                };
        return FtpReply.about(code, path, words);
    }
}
