package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code STRU <SP> <structure-code>}, RFC 959 section 3.1.2. File structure only.
 */
final class StruCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("STRU");
    }

    @Override
    public String syntax() {
        return "F";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (argument.strip().equalsIgnoreCase("F")) {
            session.reply(FtpReply.of(ReplyCode.OK, "Structure is File."));
        } else if (argument.isBlank()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "STRU needs a structure: F."));
        } else {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only STRU F is offered."));
        }
    }
}
