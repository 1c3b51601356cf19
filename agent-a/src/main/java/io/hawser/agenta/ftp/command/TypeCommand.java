package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code TYPE <SP> <type-code>}, RFC 959 section 3.1.1. A and A N (lines end with CR LF on the wire and with LF in the file), I and
 * L 8 (bytes as they are). Not offered: E, and the format controls T and C.
 */
final class TypeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("TYPE");
    }

    @Override
    public String syntax() {
        return "A|I|L 8";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "I", "L 8", "L8" -> {
                session.settings().ascii(false);
                session.reply(FtpReply.of(ReplyCode.OK, "Type is Image."));
            }
            case "A", "A N" -> {
                session.settings().ascii(true);
                session.reply(FtpReply.of(ReplyCode.OK, "Type is ASCII."));
            }
            default ->
                session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only TYPE A and TYPE I are offered."));
        }
    }
}
