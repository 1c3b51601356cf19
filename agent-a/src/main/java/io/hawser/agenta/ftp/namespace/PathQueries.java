package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.DirectoryLister;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.PathLookup;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Questions of commands about what is at a path. The command that runs waits for the answer; a refusal is sent as its reply.
 *
 * <p>Thread: the loop.
 */
public final class PathQueries {
    private PathQueries() {}

    /** Asks for what the client may know of {@code path}. */
    public static void findFacts(FtpSession session, FtpPath path, Consumer<PathLookup.Found> found) {
        AnswerWait wait = AnswerWait.begin(session);
        session.names()
                .paths()
                .findFacts(
                        path,
                        session.account(),
                        answer -> wait.end(() -> found.accept(answer)),
                        (why, failure) -> wait.end(() -> session.reply(FailureReplies.of(path, failure))));
    }

    /** Replies with what {@code told} makes of the file at {@code path}. */
    public static void replyOfFile(FtpSession session, FtpPath path, Function<PathFacts, FtpReply> told) {
        findFacts(
                session,
                path,
                found -> session.reply(
                        found.facts().directory()
                                ? FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, RequestFailure.IS_DIRECTORY)
                                : told.apply(found.facts())));
    }

    /** Asks for the entries of {@code path}; a file is listed alone where {@code filesToo} says so. One of the two is called, and replies. */
    public static void list(
            FtpSession session,
            FtpPath path,
            boolean filesToo,
            Consumer<DirectoryLister.Listed> listed,
            Consumer<FtpReply> refused) {
        AnswerWait wait = AnswerWait.begin(session);
        new DirectoryLister(
                        session.names(),
                        path,
                        session.account(),
                        filesToo,
                        found -> wait.end(() -> listed.accept(found)),
                        failure -> wait.end(() -> refused.accept(FailureReplies.of(path, failure))))
                .ask();
    }

    /** The path that a change is about, or empty; then the refusal has been sent. The topics' own directories cannot be changed. */
    public static Optional<FtpPath> subject(FtpSession session, String argument) {
        Optional<FtpPath> resolved = session.resolve(argument);
        if (resolved.isEmpty()) {
            return resolved;
        }
        FtpPath path = resolved.get();
        Optional<Namespace.Place> place = session.names().place(path);
        if (path.isRoot() || place.map(Namespace.Place::isTopic).orElse(false)) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "Operation not permitted");
            return Optional.empty();
        }
        if (place.isEmpty()) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, RequestFailure.NO_SUCH_FILE);
            return Optional.empty();
        }
        return resolved;
    }

    /** A search for the subject of a change for the command that runs. */
    public static ChangedPathFinder search(FtpSession session, FtpPath path, Consumer<ChangedPath> found) {
        return search(session, path, found, failure -> session.reply(FailureReplies.of(path, failure)));
    }

    /** The same; {@code refused} replies if nothing is found. */
    public static ChangedPathFinder search(
            FtpSession session, FtpPath path, Consumer<ChangedPath> found, Consumer<RequestFailure> refused) {
        AnswerWait wait = AnswerWait.begin(session);
        ChangedPathFinder finder = new ChangedPathFinder(
                session.names(),
                session.identity(),
                path,
                subject -> wait.end(() -> found.accept(subject)),
                failure -> wait.end(() -> refused.accept(failure)));
        wait.whenGivenUp(finder::leave);
        return finder;
    }

    /** Runs {@code task} of the command that runs when no earlier change of {@code place} waits to become durable. */
    public static void whenSettled(FtpSession session, Namespace.Place place, Runnable task) {
        AnswerWait wait = AnswerWait.begin(session, "Waiting for an earlier change of the name");
        wait.whenGivenUp(session.names().whenSettled(place, () -> wait.end(task)));
    }

    /** Refuses for what is there, or is not; an account that may not know that is told the same in all cases. */
    public static void refuse(FtpSession session, FtpPath path, String words) {
        session.reply(FailureReplies.of(
                path, ChangedPathFinder.visibleTo(session.identity(), RequestFailure.conflict(words))));
    }
}
