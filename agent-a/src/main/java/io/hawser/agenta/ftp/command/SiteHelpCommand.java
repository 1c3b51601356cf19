package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code SITE HELP}, RFC 959 section 4.1.3.
 */
final class SiteHelpCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("HELP");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.reply(SiteCommand.help());
    }
}
