package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;

/**
 * {@code MODE <SP> <mode-code>}, RFC 959 section 3.4. Stream mode only.
 */
final class ModeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MODE");
    }

    @Override
    public String syntax() {
        return "S";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (argument.strip().equalsIgnoreCase("S")) {
            session.reply(FtpReply.of(ReplyCode.OK, "Mode is Stream."));
        } else {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only MODE S is offered."));
        }
    }
}
