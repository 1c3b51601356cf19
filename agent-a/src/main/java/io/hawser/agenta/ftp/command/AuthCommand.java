package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;

/**
 * {@code AUTH <SP> GSSAPI}, RFC 2228 section 3, at the door of GridFTP when it has GSI, where nothing else is taken. Elsewhere
 * {@code AUTH <SP> TLS}, RFC 4217 section 4, and the older names TLS-C, SSL and TLS-P (curl says SSL first). All mean the same: data
 * connections are clear until PROT P. What a client sent in clear behind AUTH is never taken for something that came through TLS.
 */
final class AuthCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("AUTH");
    }

    @Override
    public String syntax() {
        return "TLS|GSSAPI";
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
        return server.config().tls() != null || server.config().gsi() != null;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String mechanism = argument.strip().toUpperCase(Locale.ROOT);
        if (session.gsi().isOffered() && !mechanism.equals("GSSAPI")) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only AUTH GSSAPI is offered here."));
            return;
        }
        switch (mechanism) {
            case "GSSAPI" -> session.gsi().begin();
            case "TLS", "TLS-C", "SSL", "TLS-P" -> begin(session);
            case "" -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "AUTH needs a mechanism: TLS."));
            default -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only AUTH TLS is offered."));
        }
    }

    private static void begin(FtpSession session) {
        if (session.server().config().tls() == null) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "TLS is not offered."));
        } else if (session.protection().control()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "TLS is in use already."));
        } else if (!session.tls().start(FtpReply.of(ReplyCode.SECURITY_OK, "Begin TLS now."))) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "Wait for the reply to AUTH before you go on."));
        }
    }
}
