package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code QUIT}, RFC 959 section 4.1.1. A transfer that is running comes to its end first.
 */
final class QuitCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("QUIT");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public boolean allowedBeforeSecurity() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.replyAndClose(FtpReply.of(ReplyCode.CLOSING, "Goodbye."));
    }
}
