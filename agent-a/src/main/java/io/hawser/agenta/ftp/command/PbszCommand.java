package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code PBSZ <SP> <decimal-integer>}, RFC 2228 section 3 and RFC 4217 section 8: with TLS the size is always 0. With GSI any is taken: data
 * are protected by TLS there too, which has sizes of its own.
 */
final class PbszCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("PBSZ");
    }

    @Override
    public String syntax() {
        return "0";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public boolean isOfferedBy(FtpServer server) {
        return server.config().tls() != null || server.config().gsi() != null;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (!session.protection().control()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "Send AUTH first."));
        } else if (Numbers.parse(argument.strip()).isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "PBSZ needs a number."));
        } else {
            session.protection().agreeSize();
            session.reply(
                    FtpReply.of(ReplyCode.OK, "PBSZ=" + (session.gsi().isEstablished() ? argument.strip() : "0")));
        }
    }
}
