package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code HELP [<SP> <string>]}, RFC 959 section 4.1.3.
 */
final class HelpCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("HELP");
    }

    @Override
    public String syntax() {
        return "[command]";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(new FtpReply(
                    ReplyCode.HELP,
                    List.of(
                            "These commands are offered:",
                            String.join(" ", session.server().verbs()),
                            "End")));
            return;
        }
        String verb = argument.strip().toUpperCase(Locale.ROOT);
        if (verb.equals("SITE")) {
            session.reply(SiteCommand.help()); // ncftp reads it
            return;
        }
        session.reply(session.server()
                .commands()
                .find(verb)
                .map(command -> FtpReply.of(ReplyCode.HELP, ("Syntax: " + verb + " " + command.syntax()).strip()))
                .orElseGet(() -> FtpReply.of(ReplyCode.NOT_IMPLEMENTED, "Not offered.")));
    }
}
