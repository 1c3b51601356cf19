package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpLimits;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code PASS <SP> <password>}, RFC 959 section 4.1.1. The answer to a wrong password is late, each time later, and after a few
 * the connection is closed (RFC 2577 section 5). Anonymous users may send anything.
 */
final class PassCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("PASS");
    }

    @Override
    public String syntax() {
        return "password";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (session.login().isBarred()) {
            session.replyAndClose(FtpReply.of(
                    ReplyCode.NOT_AVAILABLE, "Too many wrong passwords from your address; try again later."));
        } else if (!session.password(argument, right -> checked(session, right))) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "Send USER first."));
        }
    }

    private static void checked(FtpSession session, boolean right) {
        if (right) {
            session.reply(FtpReply.of(ReplyCode.LOGGED_IN, "Logged in."));
        } else if (session.gsi().isEstablished() && !session.login().isCrowded()) {
            session.reply(FtpReply.of(
                    ReplyCode.NOT_LOGGED_IN, "Login incorrect: your certificate is not mapped to an account here."));
        } else if (session.login().isCrowded()) {
            session.replyAndClose(
                    FtpReply.of(ReplyCode.NOT_AVAILABLE, "Too many connections of this account; try again later."));
        } else {
            FtpLimits limits = session.server().limits();
            int failures = session.login().failures();
            FtpReply refusal = FtpReply.of(ReplyCode.NOT_LOGGED_IN, "Login incorrect.");
            var unused = session.later(limits.failedLoginDelay().toNanos() * failures, () -> {
                if (failures < limits.maxFailedLogins()) {
                    session.reply(refusal);
                } else {
                    session.replyAndClose(refusal);
                }
            });
        }
    }
}
