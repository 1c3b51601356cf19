package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;

/** The commands of a login: RFC 959 section 4.1.1. */
final class LoginCommands {
    private LoginCommands() {}

    /** {@code USER <SP> <username>}, RFC 959 section 4.1.1. Begins a login, also in the middle of a session. */
    static void user(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "USER needs a name.");
            return;
        }
        if (session.tls().isLacking()) {
            session.reply(ReplyCode.NOT_LOGGED_IN, "TLS is required: send AUTH TLS first.");
            return;
        }
        session.user(argument);
        session.reply(ReplyCode.NEED_PASSWORD, "Password required.");
    }

    /**
     * {@code PASS <SP> <password>}, RFC 959 section 4.1.1. The answer to a wrong password is late, each time later, and after a few
     * the connection is closed (RFC 2577 section 5). Anonymous users may send anything.
     */
    static void pass(FtpSession session, String argument) {
        if (session.login().isBarred()) {
            session.login().refusedBarred();
            session.replyAndClose(
                    ReplyCode.NOT_AVAILABLE, "Too many wrong passwords from your address; try again later.");
        } else if (!session.password(argument, right -> checked(session, right))) {
            session.reply(ReplyCode.BAD_SEQUENCE, "Send USER first.");
        }
    }

    private static void checked(FtpSession session, boolean right) {
        if (right) {
            session.reply(ReplyCode.LOGGED_IN, "Logged in.");
        } else if (!session.login().notNow().isEmpty()) {
            session.replyAndClose(ReplyCode.NOT_AVAILABLE, session.login().notNow() + "; try again later.");
        } else if (session.gsi().isEstablished()) {
            session.reply(
                    ReplyCode.NOT_LOGGED_IN, "Login incorrect: your certificate is not mapped to an account here.");
        } else {
            FtpLimits limits = session.limits();
            int failures = session.login().failures();
            String refusal = "Login incorrect.";
            var unused = session.later(limits.login().failureDelay().toNanos() * failures, () -> {
                if (failures < limits.login().maxFailures()) {
                    session.reply(ReplyCode.NOT_LOGGED_IN, refusal);
                } else {
                    session.replyAndClose(ReplyCode.NOT_LOGGED_IN, refusal);
                }
            });
        }
    }

    /**
     * {@code REIN}, RFC 959 section 4.1.1: the session is as new, and USER is expected. A transfer that runs ends first, as before any
     * command. Within TLS it is refused: RFC 4217 section 11 wants TLS to end before the reply, and a client that means that can
     * connect anew.
     */
    static void rein(FtpSession session, String argument) {
        if (session.protection().control()) {
            session.reply(ReplyCode.NOT_IMPLEMENTED, "REIN is not offered within TLS; connect anew.");
        } else {
            session.reinitialize();
            session.reply(ReplyCode.READY, "Ready for USER.");
        }
    }
}
