package io.hawser.agenta.ftp.command;

import io.hawser.agenta.data.DataAddress;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code PORT <SP> <host-port>}, RFC 959 section 4.1.2: this end opens the next data connection, to the address that is named.
 */
final class PortCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("PORT");
    }

    @Override
    public String syntax() {
        return "h1,h2,h3,h4,p1,p2";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        DataAddress.parsePort(argument)
                .ifPresentOrElse(
                        named -> EprtCommand.use(session, named),
                        () -> session.reply(FtpReply.of(
                                ReplyCode.ARGUMENT_ERROR, "PORT needs h1,h2,h3,h4,p1,p2 with numbers to 255.")));
    }
}
