package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code LANG [<SP> lang-tag]}, RFC 2640 section 4: replies are in English.
 */
final class LangCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("LANG");
    }

    @Override
    public String syntax() {
        return "[en]";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String tag = argument.strip().toLowerCase(Locale.ROOT);
        boolean english = tag.isEmpty() || tag.equals("en") || tag.startsWith("en-");
        session.reply(
                english
                        ? FtpReply.of(ReplyCode.OK, "Replies are in English.")
                        : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only LANG EN is offered."));
    }
}
