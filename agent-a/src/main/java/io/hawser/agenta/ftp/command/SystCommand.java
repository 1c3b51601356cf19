package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code SYST}, RFC 959 section 4.1.3. Clients decide by it how to read LIST; it looks like {@code ls -l}.
 */
final class SystCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("SYST");
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
        session.reply(FtpReply.of(ReplyCode.SYSTEM_TYPE, "UNIX Type: L8"));
    }
}
