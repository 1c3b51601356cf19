package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.FtpTls;
import io.hawser.agenta.gsi.DataSecurity;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code PROT <SP> C|S|P}, RFC 2228 section 3 and RFC 4217 section 9: data connections in clear, or within TLS. S and E do not exist with
 * TLS; with GSI S is as P.
 */
final class ProtCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("PROT");
    }

    @Override
    public String syntax() {
        return "C|S|P";
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
        if (!session.protection().sizeAgreed()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "Send AUTH and PBSZ first."));
            return;
        }
        DataSecurity gsi = session.gsi().data();
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "P" -> protect(session, gsi);
            case "C" -> clear(session);
            case "S" -> {
                if (gsi != null) {
                    protect(session, gsi);
                } else {
                    session.reply(FtpReply.of(ReplyCode.PROTECTION_NOT_SUPPORTED, "With TLS only C and P exist."));
                }
            }
            case "E" -> session.reply(FtpReply.of(ReplyCode.PROTECTION_NOT_SUPPORTED, "Only C and P exist."));
            default -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "PROT needs C or P."));
        }
    }

    private static void protect(FtpSession session, @Nullable DataSecurity gsi) {
        if (gsi != null && !gsi.isAuthenticated()) {
            session.reply(FtpReply.of(
                    ReplyCode.PROTECTION_NOT_SUPPORTED, "After DCAU N data cannot be protected; send DCAU A first."));
        } else {
            set(session, true);
        }
    }

    private static void clear(FtpSession session) {
        FtpTls tls = session.server().config().tls();
        if (tls != null && tls.required()) {
            session.reply(FtpReply.of(ReplyCode.DENIED_BY_POLICY, "TLS is required on data connections."));
        } else {
            set(session, false);
        }
    }

    private static void set(FtpSession session, boolean protect) {
        if (session.protection().data() != protect) {
            session.protection().data(protect);
            session.dataPaths().protectionChanged();
        }
        session.reply(FtpReply.of(ReplyCode.OK, protect ? "Data connections use TLS." : "Data connections are clear."));
    }
}
