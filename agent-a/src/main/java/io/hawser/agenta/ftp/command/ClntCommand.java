package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.ClientQuirk;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code CLNT <SP> name}: a client says what it is. In no RFC; ncftp sends it. See {@link ClientQuirk}.
 */
final class ClntCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("CLNT");
    }

    @Override
    public String syntax() {
        return "name";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        ClientQuirk.of(argument).ifPresent(session.quirks()::add);
        session.reply(FtpReply.of(ReplyCode.OK, "Noted."));
    }
}
