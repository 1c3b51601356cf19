package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** FEAT and HELP: the commands that say what is offered. */
final class HelpCommands {
    private HelpCommands() {}

    /**
     * {@code FEAT}, RFC 2389 section 3. Names only what really works: lftp does not come back from a MLSD that was announced and
     * refused. Answered before the login, when lftp asks.
     */
    static void feat(FtpSession session, String argument) {
        List<String> lines = new ArrayList<>();
        lines.add("Features:");
        lines.addAll(session.commands().features(session));
        lines.add("End");
        session.reply(new FtpReply(ReplyCode.SYSTEM_STATUS, lines));
    }

    /** {@code HELP [<SP> <string>]}, RFC 959 section 4.1.3. */
    static void help(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(new FtpReply(
                    ReplyCode.HELP,
                    List.of(
                            "These commands are offered:",
                            String.join(" ", session.commands().verbs(session)),
                            "End")));
            return;
        }
        String verb = argument.strip().toUpperCase(Locale.ROOT);
        if (verb.equals("SITE")) {
            session.reply(SiteCommands.help(session)); // ncftp reads it
            return;
        }
        session.reply(session.commands()
                .find(verb)
                .map(command -> FtpReply.of(ReplyCode.HELP, ("Syntax: " + verb + " " + command.syntax()).strip()))
                .orElseGet(() -> FtpReply.of(ReplyCode.NOT_IMPLEMENTED, "Not offered.")));
    }
}
