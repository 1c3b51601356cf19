package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;

/**
 * {@code RNFR <SP> <pathname>}, RFC 959 section 4.1.3: what the RNTO that follows gives a new name.
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
        NamespaceSubject.resolve(session, argument)
                .ifPresent(path -> NamespaceSubject.find(session, path, subject -> {
                    session.settings().renameFrom(subject);
                    session.reply(FtpReply.about(ReplyCode.PENDING, path, "Ready for RNTO."));
                }));
    }
}
