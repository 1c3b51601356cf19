package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.namespace.ChangeWait;
import io.hawser.agenta.ftp.namespace.NewNameCheck;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.ChangeSubject;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.PathLookup;
import io.hawser.agenta.namespace.PathState;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.SubjectSearch;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.TransferKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

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
            session.names().created().add(path);
            made.run();
            return;
        }
        Namespace.Place place = session.names().place(path).orElseThrow();
        ChangeSubject subject = new ChangeSubject(path, place, true, true);
        ChangeWait.send(session, subject, TransferKind.MAKE_DIRECTORY, Map.of(), () -> {
            if (isNew) {
                session.names().created().addNew(path);
            } else {
                session.names().created().add(path);
            }
            made.run();
        });
    }

    /** The root and the topics' directories. */
    static boolean isAlwaysThere(FtpSession session, FtpPath path) {
        return path.isRoot()
                || session.names().place(path).map(Namespace.Place::isTopic).orElse(false);
    }

    static void mkd(FtpSession session, String argument) {
        Optional<FtpPath> resolved = session.resolve(argument);
        if (resolved.isEmpty()) {
            return;
        }
        FtpPath path = resolved.get();
        Namespace namespace = session.names().namespace();
        if (isAlwaysThere(session, path)) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "File exists");
        } else if (namespace.place(path).isEmpty()) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path, namespace.whyNowhere(path));
        } else if (!session.seesNames()) {
            NewNameCheck.check(
                    session, path, true, ReplyCode.FILE_UNAVAILABLE, () -> makeAndReply(session, path, false));
        } else {
            Answer answer = new Answer(session, path);
            answer.timeout = session.later(PATIENCE.toNanos(), answer::unanswered);
            session.names().paths().findUnlessAway(path, session.account(), answer);
        }
    }

    private static void makeAndReply(FtpSession session, FtpPath path, boolean isNew) {
        make(session, path, isNew, () -> session.reply(QuotedPath.reply(path, "created.")));
    }

    /** What is at the name: the first answer, or none in time. */
    private static final class Answer implements PathLookup.Listener {
        private final FtpSession session;
        private final FtpPath path;
        private @Nullable ScheduledFuture<?> timeout;
        private boolean answered;

        Answer(FtpSession session, FtpPath path) {
            this.session = session;
            this.path = path;
        }

        @Override
        public void found(PathLookup.Found found) {
            first(() -> session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "File exists"));
        }

        @Override
        public void missing(ErrorCode why, RequestFailure failure) {
            first(() -> {
                if (why == ErrorCode.NOT_FOUND) {
                    checkAndMake(isKnownFromTheFarEdge());
                } else if (why == ErrorCode.UNREACHABLE) {
                    makeUnlessDelivered();
                } else {
                    session.reply(FailureReplies.of(path, failure));
                }
            });
        }

        /** The far end is there and says nothing: it decides when the directory arrives. */
        private void unanswered() {
            if (!answered) {
                session.names().paths().unanswered(path);
                first(this::makeUnlessDelivered);
            }
        }

        /** The far end cannot say what is there: what was delivered from here a short while ago counts. */
        private void makeUnlessDelivered() {
            Namespace.Place place = session.names().place(path).orElseThrow();
            if (SubjectSearch.wasDelivered(session.names(), place)) {
                session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "File exists");
            } else {
                checkAndMake(false);
            }
        }

        /** What is deleted or renamed only here may still be at the far end. */
        private boolean isKnownFromTheFarEdge() {
            Namespace.Place place = session.names().place(path).orElseThrow();
            return session.names().pending().stateAt(place) instanceof PathState.AtFarEnd;
        }

        private void checkAndMake(boolean isNew) {
            NewNameCheck.check(
                    session, path, true, ReplyCode.FILE_UNAVAILABLE, () -> makeAndReply(session, path, isNew));
        }

        private void first(Runnable reply) {
            if (answered) {
                return;
            }
            answered = true;
            if (timeout != null) {
                timeout.cancel(false);
            }
            session.ifOpen(reply);
        }
    }
}
