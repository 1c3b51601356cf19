package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code DCAU <SP> N|A|S}, GFD.20 section 4.1: authentication of data connections. It needs the client's delegated credential, which
 * comes with GSI alone, so N is all there is; FEAT does not list it, and then clients use plain data connections unasked.
 */
final class DcauCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("DCAU");
    }

    @Override
    public String syntax() {
        return "N";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "N" -> session.reply(FtpReply.of(ReplyCode.OK, "Data connections are not authenticated."));
            case "" -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "DCAU needs a mode."));
            default ->
                session.reply(FtpReply.of(
                        ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Data connections cannot be authenticated without GSI."));
        }
    }
}
