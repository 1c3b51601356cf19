package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code PWD}, RFC 959 section 4.1.3 and appendix II (quotes in the name are doubled).
 */
final class PwdCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("PWD", "XPWD");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.reply(QuotedPath.reply(session.workingDirectory(), "is the current directory."));
    }
}
