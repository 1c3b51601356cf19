package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code REIN}, RFC 959 section 4.1.1: the session is as new, and USER is expected. A transfer that runs ends first, as before any
 * command. Within TLS it is refused: RFC 4217 section 11 wants TLS to end before the reply, and a client that means that can
 * connect anew.
 */
final class ReinCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("REIN");
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
        if (session.protection().control()) {
            session.reply(FtpReply.of(ReplyCode.NOT_IMPLEMENTED, "REIN is not offered within TLS; connect anew."));
        } else {
            session.reinitialize();
            session.reply(FtpReply.of(ReplyCode.READY, "Ready for USER."));
        }
    }
}
