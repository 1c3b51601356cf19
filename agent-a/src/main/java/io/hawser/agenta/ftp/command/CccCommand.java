package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.FtpTls;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code CCC}, RFC 2228 section 3 and RFC 4217 section 6: the control connection goes on in clear, for clients behind NAT. Denied where
 * TLS is required.
 */
final class CccCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("CCC");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public boolean isOfferedBy(FtpServer server) {
        return server.config().tls() != null;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        FtpTls tls = session.server().config().tls();
        if (!session.protection().control()) {
            session.reply(FtpReply.of(ReplyCode.NOT_PROTECTED, "The control connection is clear."));
        } else if (session.gsi().isEstablished()) {
            session.reply(FtpReply.of(ReplyCode.DENIED_BY_POLICY, "GSI stays in force."));
        } else if (tls != null && tls.required()) {
            session.reply(FtpReply.of(ReplyCode.DENIED_BY_POLICY, "TLS is required."));
        } else {
            session.tls().stop(FtpReply.of(ReplyCode.OK, "The control connection is clear from now on."));
        }
    }
}
