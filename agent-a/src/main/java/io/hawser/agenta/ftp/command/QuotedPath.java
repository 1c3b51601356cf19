package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;

/** The form that clients read a path from: {@code 257 "path" text}, quotes in it doubled (RFC 959 appendix II). */
final class QuotedPath {
    private QuotedPath() {}

    static FtpReply reply(FtpPath path, String text) {
        return of(ReplyCode.PATH_NAME, path, text);
    }

    static FtpReply of(ReplyCode code, FtpPath path, String text) {
        return FtpReply.of(code, '"' + path.toString().replace("\"", "\"\"") + "\" " + text);
    }
}
