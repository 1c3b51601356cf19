package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code OPTS <SP> command [<SP> options]}, RFC 2389 section 4. UTF8 is always on (RFC 2640); MLST selects facts (RFC 3659
 * section 7.9), HASH the algorithm.
 */
final class OptsCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("OPTS");
    }

    @Override
    public String syntax() {
        return "command [options]";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.strip().split(" +", 2);
        String rest = words.length < 2 ? "" : words[1];
        switch (words[0].toUpperCase(Locale.ROOT)) {
            case "UTF8", "UTF-8" ->
                session.reply(
                        rest.equalsIgnoreCase("OFF")
                                ? FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Names are always UTF-8.")
                                : FtpReply.of(ReplyCode.OK, "Names are always UTF-8."));
            case "RETR" -> TransferOptions.retr(session, rest);
            case "PASV" -> TransferOptions.pasv(session, rest);
            case "STOR" -> TransferOptions.stor(session);
            case "MLST" -> {
                session.settings().mlstFacts(MlstFacts.select(rest));
                session.reply(FtpReply.of(
                        ReplyCode.OK, "MLST OPTS " + MlstFacts.of(session).names()));
            }
            case "HASH" -> HashCommand.options(session, rest);
            default -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "No options for that."));
        }
    }
}
