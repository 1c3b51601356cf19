package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code NOOP}, RFC 959 section 4.1.3.
 */
final class NoopCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("NOOP");
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
    public void execute(FtpSession session, String argument) {
        session.reply(FtpReply.of(ReplyCode.OK, "OK."));
    }
}
