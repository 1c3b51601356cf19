package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code REST <SP> <marker>}, RFC 3659 section 5: a byte position for the STOR that follows.
 */
final class RestCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("REST");
    }

    @Override
    public String syntax() {
        return "position";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        OptionalLong position = Numbers.parse(argument);
        if (position.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "REST needs a byte position."));
        } else {
            session.settings().restartAt(position.getAsLong());
            session.reply(FtpReply.of(ReplyCode.PENDING, "Restarting at " + position.getAsLong() + "."));
        }
    }
}
