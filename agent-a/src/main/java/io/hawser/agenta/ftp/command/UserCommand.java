package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code USER <SP> <username>}, RFC 959 section 4.1.1. Begins a login, also in the middle of a session.
 */
final class UserCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("USER");
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
        if (argument.isBlank()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "USER needs a name."));
            return;
        }
        if (session.tls().isLacking()) {
            session.reply(FtpReply.of(ReplyCode.NOT_LOGGED_IN, "TLS is required: send AUTH TLS first."));
            return;
        }
        session.user(argument);
        session.reply(FtpReply.of(ReplyCode.NEED_PASSWORD, "Password required."));
    }
}
