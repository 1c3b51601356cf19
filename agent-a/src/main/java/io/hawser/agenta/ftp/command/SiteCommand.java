package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.CommandTable;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code SITE <SP> <string>}, RFC 959 section 4.1.3: commands of this server, one class each. {@code SITE HELP} lists them;
 * globus-url-copy searches that text for the words that it knows.
 */
final class SiteCommand implements FtpCommand {
    private static final CommandTable TABLE = new CommandTable(
            List.of(
                    new SiteHelpCommand(),
                    new SiteClientInfoCommand(),
                    new SiteBufferSizeCommand(),
                    new SiteChmodCommand(),
                    new SiteUtimeCommand(),
                    new SiteReceiptCommand(),
                    new SiteWaitCommand()),
            List.of());

    /** The answer to SITE HELP and HELP SITE. */
    static FtpReply help() {
        List<String> lines = new ArrayList<>(List.of("These SITE commands are offered:"));
        for (String verb : TABLE.verbs()) {
            String syntax = TABLE.find(verb).map(FtpCommand::syntax).orElse("");
            lines.add((verb + " " + syntax).strip());
        }
        lines.add("End");
        return new FtpReply(ReplyCode.HELP, lines);
    }

    @Override
    public List<String> verbs() {
        return List.of("SITE");
    }

    @Override
    public String syntax() {
        return "command [arguments]";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.strip().split(" ", 2);
        Optional<FtpCommand> command = TABLE.find(words[0].toUpperCase(Locale.ROOT));
        if (command.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Not a SITE command; see SITE HELP."));
            return;
        }
        Permission needed = command.get().permission();
        if (needed == null || session.require(needed)) {
            command.get().execute(session, words.length < 2 ? "" : words[1]);
        }
    }
}
