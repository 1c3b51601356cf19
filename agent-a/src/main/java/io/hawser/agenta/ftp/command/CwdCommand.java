package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.namespace.NewNameCheck;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;

/**
 * {@code CWD <SP> <pathname>}, RFC 959 section 4.1.1.
 *
 * <p>What exists is asked of the far end, and what it refuses is refused. While it cannot be asked, any directory can be entered that is not known to be a file: a
 * script that enters a directory which was made there long ago must work unchanged. Nothing is made by it; the directories
 * that a file needs are made with the file. So it is for an account that may neither list nor read, always.
 */
final class CwdCommand {
    /**
     * ncftpput -R asks with CWD whether a directory exists and sends MKD only when that fails. Since CWD is allowed into any directory here, an
     * empty directory of the tree would never arrive. So for this client CWD into a directory that is not known makes it.
     */
    private static final String MAKES_NO_DIRECTORY_THAT_IT_CAN_ENTER = "ncftpput";

    private CwdCommand() {}

    /** {@code CDUP}, RFC 959 section 4.1.1. The root is its own parent. */
    static void cdup(FtpSession session, String argument) {
        enter(session, session.workingDirectory().parent());
    }

    private static void enter(FtpSession session, FtpPath path) {
        session.workingDirectory(path);
        session.reply(FtpReply.quoting(ReplyCode.FILE_ACTION_OK, path, "is the current directory."));
    }

    private static boolean makesIt(FtpSession session, FtpPath path) {
        return session.clientName().startsWith(MAKES_NO_DIRECTORY_THAT_IT_CAN_ENTER)
                && !MkdCommand.isAlwaysThere(session, path)
                && !session.names().created().contains(path);
    }

    static void cwd(FtpSession session, FtpPath path) {
        Namespace namespace = session.names().namespace();
        if (!path.isRoot() && namespace.place(path).isEmpty()) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, namespace.whyNowhere(path));
        } else if (path.isRoot()) {
            enter(session, path);
        } else if (!session.seesNames()) {
            enterUnknown(session, path);
        } else {
            AnswerWait wait = AnswerWait.begin(session);
            session.names()
                    .paths()
                    .find(
                            path,
                            session.account(),
                            found -> wait.end(() -> enterIfDirectory(session, path, found.facts())),
                            (why, failure) -> wait.end(() -> {
                                switch (why) {
                                    case NOT_FOUND, NOT_DIRECTORY, NOT_ALLOWED ->
                                        session.reply(FailureReplies.of(path, failure));
                                    // a far end that is away, silent or too busy must not stop a script
                                    default -> enterUnknown(session, path);
                                }
                            }));
        }
    }

    private static void enterIfDirectory(FtpSession session, FtpPath path, PathFacts facts) {
        if (facts.directory()) {
            enter(session, path);
        } else {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, RequestFailure.NOT_DIRECTORY);
        }
    }

    /** The far end cannot be asked, or this account may not know. */
    private static void enterUnknown(FtpSession session, FtpPath path) {
        if (makesIt(session, path)) {
            NewNameCheck.check(
                    session,
                    path,
                    true,
                    ReplyCode.FILE_UNAVAILABLE,
                    () -> MkdCommand.make(session, path, () -> enter(session, path)));
        } else {
            enter(session, path);
        }
    }
}
