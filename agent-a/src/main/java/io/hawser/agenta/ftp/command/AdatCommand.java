package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.Base64;
import java.util.List;

/**
 * {@code ADAT <SP> <base64data>}, RFC 2228 section 3: the next token of the exchange that AUTH GSSAPI began. 335 carries the answer, 235
 * ends it.
 */
final class AdatCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("ADAT");
    }

    @Override
    public String syntax() {
        return "base64";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public boolean allowedBeforeSecurity() {
        return true;
    }

    @Override
    public boolean isOfferedBy(FtpServer server) {
        return server.config().gsi() != null;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        try {
            session.gsi().token(Base64.getDecoder().decode(argument.strip()));
        } catch (IllegalArgumentException e) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "ADAT needs Base64."));
        }
    }
}
