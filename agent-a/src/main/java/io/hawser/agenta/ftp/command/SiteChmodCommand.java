package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.NamespaceChange;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code SITE CHMOD mode path}: sets the nine permission bits, given in octal. In no RFC; lftp mirror -R and gfal send it.
 */
final class SiteChmodCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("CHMOD");
    }

    @Override
    public String syntax() {
        return "mode path";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    private static final Pattern MODE = Pattern.compile("0?[0-7]{1,3}");

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.split(" ", 2);
        if (words.length < 2 || !MODE.matcher(words[0]).matches()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "Syntax: SITE CHMOD mode path, mode from 0 to 777"));
            return;
        }
        String mode = Integer.toOctalString(Integer.parseInt(words[0], 8));
        NamespaceSubject.resolve(session, words[1])
                .ifPresent(
                        path -> NamespaceSubject.findKnown(session, path, subject -> change(session, subject, mode)));
    }

    private static void change(FtpSession session, NamespaceSubject subject, String mode) {
        FtpPath path = subject.path();
        NamespaceChange.send(
                session,
                subject,
                TransferKind.SET_MODE,
                Map.of(Attributes.MODE, mode),
                () -> session.reply(FtpReply.about(ReplyCode.FILE_ACTION_OK, path, "Mode is " + mode + ".")));
    }
}
