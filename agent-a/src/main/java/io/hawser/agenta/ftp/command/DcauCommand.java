package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.gsi.DataSecurity;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.gsi.name.DistinguishedName;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code DCAU <SP> N|A|S <subject>}, GFD.20 section 4.1: authentication of data connections. It needs the client's delegated credential,
 * which comes with GSI alone. After such a login A is in force; without GSI N is all there is, FEAT does not list it, and clients use
 * plain data connections unasked.
 */
final class DcauCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("DCAU");
    }

    @Override
    public String syntax() {
        return "N|A|S subject";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String words = argument.strip();
        String mode = words.isEmpty() ? "" : words.substring(0, 1).toUpperCase(Locale.ROOT);
        String subject = words.isEmpty() ? "" : words.substring(1).strip();
        DataSecurity security = session.gsi().data();
        boolean alone = subject.isEmpty() && words.length() == 1;
        switch (mode) {
            case "N" -> none(session, security, alone);
            case "A", "S" -> authenticated(session, security, mode, subject, alone);
            case "" -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "DCAU needs a mode."));
            default -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "DCAU needs N, A or S."));
        }
    }

    private static void none(FtpSession session, @Nullable DataSecurity security, boolean alone) {
        if (!alone) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "DCAU N has no subject."));
            return;
        }
        if (security != null && session.protection().data()) {
            session.reply(
                    FtpReply.of(ReplyCode.BAD_SEQUENCE, "Send PROT C first: only with DCAU can data be protected."));
            return;
        }
        if (security != null) {
            security.anybody();
            session.dataPaths().protectionChanged();
        }
        session.reply(FtpReply.of(ReplyCode.OK, "Data connections are not authenticated."));
    }

    private static void authenticated(
            FtpSession session, @Nullable DataSecurity security, String mode, String subject, boolean alone) {
        if (security == null) {
            session.reply(FtpReply.of(
                    ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Data connections cannot be authenticated without GSI."));
        } else if (mode.equals("A") != alone) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "DCAU is A alone, or S and a subject."));
        } else if (alone) {
            security.self();
            changed(session, "DCAU A.");
        } else {
            try {
                security.subject(DistinguishedName.parse(subject));
                changed(session, "DCAU S.");
            } catch (IllegalArgumentException e) {
                session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "DCAU S needs a subject such as /O=Grid/CN=Name."));
            }
        }
    }

    private static void changed(FtpSession session, String text) {
        session.dataPaths().protectionChanged();
        session.reply(FtpReply.of(ReplyCode.OK, text));
    }
}
