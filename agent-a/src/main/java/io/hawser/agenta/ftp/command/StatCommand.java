package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;

/**
 * {@code STAT [<SP> <pathname>]}, RFC 959 section 4.1.3, without a path: the state of the session. While a transfer runs the session
 * answers at once, ahead of the transfer's own reply.
 */
final class StatCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("STAT");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.reply(
                argument.isBlank()
                        ? session.status()
                        : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "STAT of a path is not offered; use LIST."));
    }
}
