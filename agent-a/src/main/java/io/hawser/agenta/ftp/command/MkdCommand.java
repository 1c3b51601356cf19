package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.namespace.ChangeWait;
import io.hawser.agenta.ftp.namespace.NewNameCheck;
import io.hawser.agenta.ftp.namespace.PathQueries;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathState;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.TransferKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * {@code MKD <SP> <pathname>}, RFC 959 section 4.1.3 and appendix II. The directory is a transfer of its own, so that it arrives
 * even if it stays empty; the reply comes when that has reached its custody level. What exists already is asked of the far end; while it
 * is away only what is known here is in the way. An account that may neither list nor read is not told what exists. A topic's
 * own directory needs no making.
 */
final class MkdCommand {
    private MkdCommand() {}

    /** How long a far end that is there may take to say what is at the name. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Makes a directory that the namespace has a place for; {@code made} replies, or the refusal has been sent. */
    static void make(FtpSession session, FtpPath path, Runnable made) {
        make(session, path, false, made);
    }

    /** @param isNew whether the far end has just said that nothing is at the name */
    private static void make(FtpSession session, FtpPath path, boolean isNew, Runnable made) {
        if (isAlwaysThere(session, path)) {
            session.names().created().add(path, false);
            made.run();
            return;
        }
        Namespace.Place place = session.names().place(path).orElseThrow();
        ChangedPath subject =
                new ChangedPath(path, place, true, true, session.names().lastTouch(place));
        ChangeWait.send(session, subject, TransferKind.MAKE_DIRECTORY, Map.of(), () -> {
            session.names().created().add(path, isNew);
            made.run();
        });
    }

    /** The root and the topics' directories. */
    static boolean isAlwaysThere(FtpSession session, FtpPath path) {
        return path.isRoot()
                || session.names().place(path).map(Namespace.Place::isTopic).orElse(false);
    }

    static void mkd(FtpSession session, FtpPath path) {
        Namespace namespace = session.names().namespace();
        Optional<Namespace.Place> place = namespace.place(path);
        if (isAlwaysThere(session, path)) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "File exists");
        } else if (place.isEmpty()) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path, namespace.whyNowhere(path));
        } else if (!session.seesNames()) {
            checkName(session, path, () -> makeAndReply(session, path, false));
        } else {
            find(session, path, place.get());
        }
    }

    private static void find(FtpSession session, FtpPath path, Namespace.Place place) {
        PathQueries.whenSettled(session, place, () -> findSettled(session, path, place));
    }

    private static void findSettled(FtpSession session, FtpPath path, Namespace.Place place) {
        NamespaceService names = session.names();
        long lastTouch = names.lastTouch(place);
        AnswerWait wait = AnswerWait.begin(session);
        wait.within(
                PATIENCE,
                () -> { // the far end is there and says nothing: it decides when the directory arrives
                    names.paths().unanswered(path);
                    makeUnlessDelivered(session, path, place, lastTouch);
                });
        names.paths()
                .findUnlessAway(
                        path,
                        session.account(),
                        found -> wait.end(() -> session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "File exists")),
                        (why, failure) -> wait.end(() -> {
                            if (why == ErrorCode.NOT_FOUND) {
                                // what is deleted or renamed only here may still be at the far end
                                boolean isNew = names.pending().stateAt(place) instanceof PathState.AtFarEnd;
                                checkAndMake(session, path, isNew, lastTouch);
                            } else if (why == ErrorCode.UNREACHABLE) {
                                makeUnlessDelivered(session, path, place, lastTouch);
                            } else {
                                session.reply(FailureReplies.of(path, failure));
                            }
                        }));
    }

    /** The far end cannot say what is there: what was delivered from here a short while ago counts. */
    private static void makeUnlessDelivered(FtpSession session, FtpPath path, Namespace.Place place, long lastTouch) {
        if (ChangedPathFinder.wasDelivered(session.names(), place)) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "File exists");
        } else {
            checkAndMake(session, path, false, lastTouch);
        }
    }

    /** Makes it if nothing was done to the name since {@code lastTouch}; otherwise looks again for what is there. */
    private static void checkAndMake(FtpSession session, FtpPath path, boolean isNew, long lastTouch) {
        NamespaceService names = session.names();
        Namespace.Place place = names.place(path).orElseThrow();
        checkName(
                session,
                path,
                () -> PathQueries.whenSettled(session, place, () -> {
                    if (names.lastTouch(place) == lastTouch) {
                        makeAndReply(session, path, isNew);
                    } else {
                        find(session, path, place);
                    }
                }));
    }

    private static void checkName(FtpSession session, FtpPath path, Runnable free) {
        NewNameCheck.check(session, path, true, ReplyCode.FILE_UNAVAILABLE, free);
    }

    private static void makeAndReply(FtpSession session, FtpPath path, boolean isNew) {
        make(session, path, isNew, () -> session.reply(FtpReply.quoting(ReplyCode.PATH_NAME, path, "created.")));
    }
}
