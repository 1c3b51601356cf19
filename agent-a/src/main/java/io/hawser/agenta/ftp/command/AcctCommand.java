package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code ACCT <SP> <account>}, RFC 959 section 4.1.1. Nothing depends on it.
 */
final class AcctCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("ACCT");
    }

    @Override
    public String syntax() {
        return "account";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.reply(FtpReply.of(ReplyCode.SUPERFLUOUS, "No account is needed."));
    }
}
