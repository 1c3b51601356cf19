package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code RNFR <SP> <pathname>}, RFC 959 section 4.1.3: what the RNTO that follows gives a new name. An account that may neither list nor
 * read can name files that it has uploaded itself a short while ago, and is not told whether anything else exists.
 */
final class RnfrCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("RNFR");
    }

    @Override
    public String syntax() {
        return "path";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.settings().renameFrom(null);
        NamespaceSubject.resolve(session, argument).ifPresent(path -> {
            if (session.seesNames()) {
                NamespaceSubject.find(session, path, subject -> ready(session, subject));
            } else {
                NamespaceSubject.findOwn(session, path, subject -> ready(session, subject));
            }
        });
    }

    private static void ready(FtpSession session, NamespaceSubject subject) {
        session.settings().renameFrom(subject);
        session.reply(FtpReply.about(ReplyCode.PENDING, subject.path(), "Ready for RNTO."));
    }
}
