package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.NamespaceChange;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.TransferKind;
import java.util.List;
import java.util.Map;

/**
 * {@code RMD <SP> <pathname>}, RFC 959 section 4.1.3. Removes an empty directory, see {@link NamespaceChange}.
 */
final class RmdCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("RMD", "XRMD");
    }

    @Override
    public String syntax() {
        return "directory";
    }

    @Override
    public Permission permission() {
        return Permission.DELETE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        NamespaceSubject.resolve(session, argument)
                .ifPresent(path -> NamespaceSubject.find(session, path, subject -> remove(session, subject)));
    }

    private static void remove(FtpSession session, NamespaceSubject subject) {
        FtpPath path = subject.path();
        if (!subject.directory()) {
            NamespaceSubject.refuse(session, path, "Not a directory");
        } else if (!session.server().heldNames().listAccepted(path).isEmpty()) {
            NamespaceSubject.refuse(session, path, "Directory not empty");
        } else {
            NamespaceChange.send(session, subject, TransferKind.REMOVE_DIRECTORY, Map.of(), () -> {
                session.server().knownDirectories().remove(path);
                session.reply(FtpReply.about(ReplyCode.FILE_ACTION_OK, path, "Removed."));
            });
        }
    }
}
