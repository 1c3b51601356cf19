package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.ClientQuirk;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code SITE CLIENTINFO scheme=...;appname="...";appver="...";}: a client says what it is. In no RFC; globus-url-copy sends it.
 */
final class SiteClientInfoCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("CLIENTINFO");
    }

    @Override
    public String syntax() {
        return "text";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        ClientQuirk.of(argument).ifPresent(session.quirks()::add);
        session.reply(FtpReply.of(ReplyCode.FILE_ACTION_OK, "Noted."));
    }
}
