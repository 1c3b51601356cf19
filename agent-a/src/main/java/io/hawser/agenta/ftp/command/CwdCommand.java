package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.ClientQuirk;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.Namespace;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;
import java.util.Optional;

/**
 * {@code CWD <SP> <pathname>}, RFC 959 section 4.1.1.
 *
 * <p>Any directory can be entered that is not known to be a file. What exists at the far end is not known here: a script that
 * enters a directory which was made there long ago, or before this node was started anew, must work unchanged. Nothing is made
 * by it; the directories that a file needs are made with the file. So {@code curl --ftp-create-dirs} sends no MKD and needs none,
 * and lftp mirror -R sends MKD before it enters. For ncftpput, see {@link ClientQuirk}.
 */
final class CwdCommand implements FtpCommand {
    static void enter(FtpSession session, FtpPath path) {
        session.workingDirectory(path);
        session.reply(QuotedPath.of(ReplyCode.FILE_ACTION_OK, path, "is the current directory."));
    }

    private static boolean isFile(FtpSession session, FtpPath path) {
        return session.server()
                .heldNames()
                .findTransferred(path)
                .filter(entry -> !entry.directory())
                .isPresent();
    }

    private static boolean makesIt(FtpSession session, FtpPath path) {
        return session.quirks().contains(ClientQuirk.MAKES_NO_DIRECTORY_THAT_IT_CAN_ENTER)
                && !MkdCommand.isAlwaysThere(session, path)
                && !session.server().knownDirectories().contains(path);
    }

    @Override
    public List<String> verbs() {
        return List.of("CWD", "XCWD");
    }

    @Override
    public String syntax() {
        return "directory";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        Optional<FtpPath> resolved = session.resolve(argument);
        if (resolved.isEmpty()) {
            return;
        }
        FtpPath path = resolved.get();
        Namespace namespace = session.server().namespace();
        if (!path.isRoot() && namespace.place(path).isEmpty()) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, namespace.whyNowhere(path)));
        } else if (isFile(session, path)) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, "Not a directory"));
        } else if (makesIt(session, path)) {
            MkdCommand.make(session, path, () -> enter(session, path));
        } else {
            enter(session, path);
        }
    }
}
