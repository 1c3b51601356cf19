package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.DataAuthentication;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.gsi.name.DistinguishedName;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands that protect a session: RFC 2228, RFC 4217, and GridFTP's DCAU. */
final class SecurityCommands {
    private SecurityCommands() {}

    /**
     * {@code AUTH <SP> GSSAPI}, RFC 2228 section 3, at the port of GridFTP when it has GSI, where nothing else is taken. Elsewhere
     * {@code AUTH <SP> TLS}, RFC 4217 section 4, and the older names TLS-C, SSL and TLS-P (curl says SSL first). All mean the same: data
     * connections are clear until PROT P. What a client sent in clear after AUTH is never taken for something that came through TLS.
     */
    static void auth(FtpSession session, String argument) {
        String mechanism = argument.strip().toUpperCase(Locale.ROOT);
        if (session.gsi().isOffered() && !mechanism.equals("GSSAPI")) {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only AUTH GSSAPI is offered here.");
            return;
        }
        switch (mechanism) {
            case "GSSAPI" -> session.gsi().begin();
            case "TLS", "TLS-C", "SSL", "TLS-P" -> beginTls(session);
            case "" -> session.reply(ReplyCode.ARGUMENT_ERROR, "AUTH needs a mechanism: TLS.");
            default -> session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only AUTH TLS is offered.");
        }
    }

    private static void beginTls(FtpSession session) {
        if (session.policy().tls() == null) {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "TLS is not offered.");
        } else if (session.protection().control()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "TLS is in use already.");
        } else if (!session.startTls(FtpReply.of(ReplyCode.SECURITY_OK, "Begin TLS now."))) {
            session.reply(ReplyCode.BAD_SEQUENCE, "Wait for the reply to AUTH before you continue.");
        }
    }

    /** The line of AUTH in FEAT; empty where nothing is offered. */
    static String authFeature(FtpSession session) {
        if (session.gsi().isOffered()) {
            return "AUTH GSSAPI";
        }
        return session.policy().tls() == null ? "" : "AUTH TLS";
    }

    /**
     * {@code ADAT <SP> <base64data>}, RFC 2228 section 3: the next token of the exchange that AUTH GSSAPI began. 335 carries the answer, 235
     * ends it.
     */
    static void adat(FtpSession session, String argument) {
        try {
            session.gsi().token(Base64.getDecoder().decode(argument.strip()));
        } catch (IllegalArgumentException e) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "ADAT needs Base64.");
        }
    }

    /**
     * {@code PBSZ <SP> <decimal-integer>}, RFC 2228 section 3 and RFC 4217 section 8: with TLS the size is always 0. With GSI any is taken: data
     * are protected by TLS there too, which has sizes of its own.
     */
    static void pbsz(FtpSession session, String argument) {
        if (!session.protection().control()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "Send AUTH first.");
        } else if (DecimalArgument.parse(argument.strip()).isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "PBSZ needs a number.");
        } else {
            session.protection().agreeSize();
            session.reply(ReplyCode.OK, "PBSZ=" + (session.gsi().isEstablished() ? argument.strip() : "0"));
        }
    }

    /**
     * {@code PROT <SP> C|S|P}, RFC 2228 section 3 and RFC 4217 section 9: data connections in clear, or within TLS. S and E do not exist with
     * TLS; with GSI S is as P.
     */
    static void prot(FtpSession session, String argument) {
        if (!session.protection().sizeAgreed()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "Send AUTH and PBSZ first.");
            return;
        }
        DataAuthentication gsi = session.gsi().data();
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "P" -> protectData(session, gsi);
            case "C" -> clearData(session);
            case "S" -> {
                if (gsi != null) {
                    protectData(session, gsi);
                } else {
                    session.reply(ReplyCode.PROTECTION_NOT_SUPPORTED, "With TLS only C and P exist.");
                }
            }
            case "E" -> session.reply(ReplyCode.PROTECTION_NOT_SUPPORTED, "Only C and P exist.");
            default -> session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "PROT needs C or P.");
        }
    }

    private static void protectData(FtpSession session, @Nullable DataAuthentication gsi) {
        if (gsi != null && !gsi.isAuthenticated()) {
            session.reply(
                    ReplyCode.PROTECTION_NOT_SUPPORTED, "After DCAU N data cannot be protected; send DCAU A first.");
        } else {
            setProtection(session, true);
        }
    }

    private static void clearData(FtpSession session) {
        FtpTls tls = session.policy().tls();
        if (tls != null && tls.required()) {
            session.reply(ReplyCode.DENIED_BY_POLICY, "TLS is required on data connections.");
        } else {
            setProtection(session, false);
        }
    }

    private static void setProtection(FtpSession session, boolean protect) {
        if (session.protection().data() != protect) {
            session.protection().data(protect);
            session.dataPaths().protectionChanged();
        }
        session.reply(ReplyCode.OK, protect ? "Data connections use TLS." : "Data connections are clear.");
    }

    /**
     * {@code CCC}, RFC 2228 section 3 and RFC 4217 section 6: the control connection continues in clear, for clients behind NAT. Denied where
     * TLS is required.
     */
    static void ccc(FtpSession session, String argument) {
        FtpTls tls = session.policy().tls();
        if (!session.protection().control()) {
            session.reply(ReplyCode.NOT_PROTECTED, "The control connection is clear.");
        } else if (session.gsi().isEstablished()) {
            session.reply(ReplyCode.DENIED_BY_POLICY, "GSI stays in force.");
        } else if (tls != null && tls.required()) {
            session.reply(ReplyCode.DENIED_BY_POLICY, "TLS is required.");
        } else {
            session.tls().stop(FtpReply.of(ReplyCode.OK, "The control connection is clear from now on."));
        }
    }

    /**
     * {@code DCAU <SP> N|A|S <subject>}, GFD.20 section 4.1: authentication of data connections. It needs the client's delegated credential,
     * which comes with GSI alone. After such a login A is in force; without GSI N is all there is, FEAT does not list it, and clients use
     * plain data connections unasked.
     */
    static void dcau(FtpSession session, String argument) {
        String words = argument.strip();
        String mode = words.isEmpty() ? "" : words.substring(0, 1).toUpperCase(Locale.ROOT);
        String subject = words.isEmpty() ? "" : words.substring(1).strip();
        DataAuthentication security = session.gsi().data();
        boolean alone = subject.isEmpty() && words.length() == 1;
        switch (mode) {
            case "N" -> dcauNone(session, security, alone);
            case "A", "S" -> dcauPeer(session, security, mode, subject, alone);
            case "" -> session.reply(ReplyCode.ARGUMENT_ERROR, "DCAU needs a mode.");
            default -> session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "DCAU needs N, A or S.");
        }
    }

    private static void dcauNone(FtpSession session, @Nullable DataAuthentication security, boolean alone) {
        if (!alone) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "DCAU N has no subject.");
            return;
        }
        if (security != null && session.protection().data()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "Send PROT C first: only with DCAU can data be protected.");
            return;
        }
        if (security != null) {
            security.anybody();
            session.dataPaths().protectionChanged();
        }
        session.reply(ReplyCode.OK, "Data connections are not authenticated.");
    }

    private static void dcauPeer(
            FtpSession session, @Nullable DataAuthentication security, String mode, String subject, boolean alone) {
        if (security == null) {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Data connections cannot be authenticated without GSI.");
        } else if (mode.equals("A") != alone) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "DCAU is A alone, or S and a subject.");
        } else if (alone) {
            security.self();
            dcauChanged(session, "DCAU A.");
        } else {
            try {
                security.subject(DistinguishedName.parse(subject));
                dcauChanged(session, "DCAU S.");
            } catch (IllegalArgumentException e) {
                session.reply(ReplyCode.ARGUMENT_ERROR, "DCAU S needs a subject such as /O=Grid/CN=Name.");
            }
        }
    }

    private static void dcauChanged(FtpSession session, String text) {
        session.dataPaths().protectionChanged();
        session.reply(ReplyCode.OK, text);
    }
}
