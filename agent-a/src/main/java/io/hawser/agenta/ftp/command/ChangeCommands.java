package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.namespace.ChangeWait;
import io.hawser.agenta.ftp.namespace.NewNameCheck;
import io.hawser.agenta.ftp.namespace.PathQueries;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.UndeliveredUploads;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The commands that change names, times and modes, see {@link ChangeWait}. */
final class ChangeCommands {
    static final String MFMT_SYNTAX = "YYYYMMDDhhmmss path";
    static final String UTIME_SYNTAX = "YYYYMMDDhhmmss path";
    private static final Pattern MODE = Pattern.compile("0?[0-7]{1,3}");
    private static final Pattern UTIME_LONG = Pattern.compile("(.+) \\d{12,14} (\\d{12,14}) \\d{12,14} UTC");
    private static final Pattern UTIME_SHORT = Pattern.compile("(\\d{12,14}) (.+)");

    private ChangeCommands() {}

    /**
     * {@code DELE <SP> <pathname>}, RFC 959 section 4.1.3. Removes a file, see {@link ChangeWait}. An upload of this account that broke
     * off is dropped first.
     */
    static void dele(FtpSession session, String argument) {
        PathQueries.subject(session, argument).ifPresent(path -> delete(session, path));
    }

    private static void delete(FtpSession session, FtpPath path) {
        Namespace.Place place = session.names().place(path).orElseThrow();
        Spool spool = session.names().spool();
        Optional<TransferKey> incomplete = spool.findIncomplete(session.account(), place.topic(), place.name())
                .map(TransferSnapshot::key);
        if (incomplete.isEmpty()) {
            deleteWhole(session, path);
            return;
        }
        AnswerWait wait = AnswerWait.begin(session, "Waiting for the end of an upload that broke off");
        Outcome<TransferKey> begun = spool.cancel(
                incomplete.get(),
                "Deleted by its client",
                outcome -> wait.end(() -> onDropped(session, path, outcome.refusal())));
        if (begun.isRefused()) {
            wait.end(() -> deleteWhole(session, path));
        }
    }

    /** An older file may have the name too. */
    private static void onDropped(FtpSession session, FtpPath path, @Nullable Refusal refusal) {
        if (refusal != null) {
            session.reply(FailureReplies.of(path, RequestFailure.of(refusal)));
        } else {
            deleteWhole(session, path, failure -> notDeletedToo(session, path, failure));
        }
    }

    /**
     * The upload is dropped. An account that may not know what exists is told the same whatever else has the name; at an application
     * there is nothing else.
     */
    private static void notDeletedToo(FtpSession session, FtpPath path, RequestFailure failure) {
        boolean nothingIsTold = !session.seesNames() && failure.reason() == RequestFailure.Reason.DENIED;
        if (nothingIsTold || failure.isOfApplication() || failure.reason() == RequestFailure.Reason.NOT_FOUND) {
            deleted(session, path);
        } else {
            String words = failure.words() + "; the upload that broke off is dropped";
            session.reply(FailureReplies.of(path, new RequestFailure(failure.reason(), words)));
        }
    }

    private static void deleteWhole(FtpSession session, FtpPath path) {
        deleteWhole(session, path, failure -> session.reply(FailureReplies.of(path, failure)));
    }

    private static void deleteWhole(FtpSession session, FtpPath path, Consumer<RequestFailure> refused) {
        Consumer<ChangedPath> found = subject -> {
            if (subject.directory()) {
                RequestFailure failure = RequestFailure.conflict(RequestFailure.IS_DIRECTORY);
                refused.accept(ChangedPathFinder.visibleTo(session.identity(), failure));
            } else if (subject.onItsWay()) {
                cancelAndDelete(session, subject);
            } else {
                ChangeWait.send(session, subject, TransferKind.DELETE, Map.of(), () -> deleted(session, path));
            }
        };
        PathQueries.search(session, path, found, refused).find();
    }

    /** Uploads of this account that no far end has delivered are cancelled, and the name is deleted where there is something. */
    private static void cancelAndDelete(FtpSession session, ChangedPath subject) {
        boolean cancels = new UndeliveredUploads(session.names().spool(), session.account(), subject.place())
                .cancel("deleted by its client");
        Map<String, String> attributes = cancels ? Map.of(Attributes.IF_EXISTS, Attributes.YES) : Map.of();
        ChangeWait.send(session, subject, TransferKind.DELETE, attributes, () -> {
            if (cancels) {
                session.replyAbout(
                        ReplyCode.FILE_ACTION_OK,
                        subject.path(),
                        "Deleted; where it was not delivered yet it is cancelled.");
            } else {
                deleted(session, subject.path());
            }
        });
    }

    private static void deleted(FtpSession session, FtpPath path) {
        session.replyAbout(ReplyCode.FILE_ACTION_OK, path, "Deleted.");
    }

    /**
     * {@code RMD <SP> <pathname>}, RFC 959 section 4.1.3. Removes an empty directory, see {@link ChangeWait}. Of one that is on its way
     * the far end is asked first, unless it is known to be new: it may have been there before, with files in it.
     */
    static void rmd(FtpSession session, String argument) {
        PathQueries.subject(session, argument)
                .ifPresent(path -> PathQueries.search(session, path, subject -> remove(session, subject))
                        .find());
    }

    private static void remove(FtpSession session, ChangedPath subject) {
        if (!subject.directory()) {
            PathQueries.refuse(session, subject.path(), RequestFailure.NOT_DIRECTORY);
        } else if (subject.onItsWay() && isEmptyHere(session, subject)) {
            PathQueries.search(session, subject.path(), checked -> {
                        if (checked.lastTouch() == subject.lastTouch()) {
                            removeEmpty(session, checked);
                        } else {
                            remove(session, checked);
                        }
                    })
                    .checkEmpty(subject);
        } else {
            removeEmpty(session, subject);
        }
    }

    private static boolean isEmptyHere(FtpSession session, ChangedPath subject) {
        return session.names().pending().listAccepted(subject.path()).isEmpty()
                && !session.names().isUnsettledBelow(subject.place());
    }

    private static void removeEmpty(FtpSession session, ChangedPath subject) {
        FtpPath path = subject.path();
        if (!isEmptyHere(session, subject)) {
            PathQueries.refuse(session, path, "Directory not empty");
        } else {
            ChangeWait.send(session, subject, TransferKind.REMOVE_DIRECTORY, Map.of(), () -> {
                session.names().created().remove(path);
                session.replyAbout(ReplyCode.FILE_ACTION_OK, path, "Removed.");
            });
        }
    }

    /**
     * {@code RNFR <SP> <pathname>}, RFC 959 section 4.1.3: what the RNTO that follows gives a new name. An account that may neither list nor
     * read can name files that it has uploaded itself a short while ago, and is not told whether anything else exists.
     */
    static void rnfr(FtpSession session, String argument) {
        session.settings().renameFrom(null);
        PathQueries.subject(session, argument).ifPresent(path -> {
            ChangedPathFinder finder = PathQueries.search(session, path, subject -> readyToRename(session, subject));
            if (session.seesNames()) {
                finder.find();
            } else {
                finder.findOwn();
            }
        });
    }

    private static void readyToRename(FtpSession session, ChangedPath subject) {
        session.settings().renameFrom(subject);
        session.replyAbout(ReplyCode.PENDING, subject.path(), "Ready for RNTO.");
    }

    /**
     * {@code RNTO <SP> <pathname>}, RFC 959 section 4.1.3. A file that has the name is replaced, a directory is not. What is uploaded here
     * and not delivered yet gets its name at once, and at the far end when it is there: see {@link ChangeWait}. Others may have taken the
     * subject since RNFR: it is searched again.
     */
    static void rnto(FtpSession session, String argument) {
        ChangedPath subject = session.settings().takeRenamed();
        if (subject == null) {
            session.reply(ReplyCode.BAD_SEQUENCE, "Say first what, with RNFR.");
            return;
        }
        Optional<FtpPath> resolved = PathQueries.subject(session, argument);
        if (resolved.isEmpty()) {
            return;
        }
        FtpPath to = resolved.get();
        Namespace.Place target = session.names().place(to).orElseThrow();
        String refusal = placeRefusal(subject, target);
        if (!refusal.isEmpty()) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, to, refusal);
        } else if (subject.path().equals(to)) {
            searchAgainAndRename(session, subject, to, target);
        } else {
            NewNameCheck.check(
                    session,
                    to,
                    false,
                    ReplyCode.NAME_NOT_ALLOWED,
                    () -> searchAgainAndRename(session, subject, to, target));
        }
    }

    private static void searchAgainAndRename(
            FtpSession session, ChangedPath earlier, FtpPath to, Namespace.Place target) {
        PathQueries.search(session, earlier.path(), subject -> rename(session, subject, to))
                .findAgain(earlier, target);
    }

    private static void rename(FtpSession session, ChangedPath subject, FtpPath to) {
        String refusal = targetRefusal(session, subject, to);
        if (!refusal.isEmpty()) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, to, refusal);
        } else if (subject.path().equals(to)) {
            renamed(session, subject, to);
        } else {
            ChangeWait.rename(session, subject, to, () -> renamed(session, subject, to));
        }
    }

    private static String placeRefusal(ChangedPath subject, Namespace.Place target) {
        if (!target.topic().equals(subject.place().topic())) {
            return "Invalid cross-device link";
        }
        if (target.name().startsWith(subject.place().name() + "/")) {
            return subject.directory() ? "Invalid argument" : "Not a directory";
        }
        return "";
    }

    private static String targetRefusal(FtpSession session, ChangedPath subject, FtpPath to) {
        Optional<PathFacts> there = session.names().pending().findTransferred(to);
        if (subject.path().equals(to) || there.isEmpty() || !session.seesNames()) {
            return "";
        }
        if (there.get().directory()) {
            return "File exists";
        }
        return subject.directory() ? "Not a directory" : "";
    }

    private static void renamed(FtpSession session, ChangedPath subject, FtpPath to) {
        session.names().created().renamed(subject.path(), to);
        session.replyAbout(ReplyCode.FILE_ACTION_OK, to, "Renamed.");
    }

    /**
     * {@code MFMT <SP> YYYYMMDDhhmmss <SP> <pathname>}, draft-somers-ftp-mfxx section 3: sets the modification time, in UTC. See {@link
     * TimeChange}.
     */
    static void mfmt(FtpSession session, String argument) {
        String[] words = argument.split(" ", 2);
        OptionalLong time = FtpTime.parse(words[0]);
        if (words.length < 2 || time.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "Syntax: MFMT " + MFMT_SYNTAX);
        } else {
            setTime(session, words[1], time.getAsLong(), ReplyCode.FILE_STATUS);
        }
    }

    /** {@code SITE CHMOD mode path}: sets the nine permission bits, given in octal. In no RFC; lftp mirror -R and gfal send it. */
    static void chmod(FtpSession session, String argument) {
        String[] words = argument.split(" ", 2);
        if (words.length < 2 || !MODE.matcher(words[0]).matches()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "Syntax: SITE CHMOD mode path, mode from 0 to 777");
            return;
        }
        String mode = Integer.toOctalString(Integer.parseInt(words[0], 8));
        PathQueries.subject(session, words[1])
                .ifPresent(path -> PathQueries.search(session, path, subject -> setMode(session, subject, mode))
                        .findKnown());
    }

    private static void setMode(FtpSession session, ChangedPath subject, String mode) {
        FtpPath path = subject.path();
        ChangeWait.send(
                session,
                subject,
                TransferKind.SET_MODE,
                Map.of(Attributes.MODE, mode),
                () -> session.replyAbout(ReplyCode.FILE_ACTION_OK, path, "Mode is " + mode + "."));
    }

    private record Utime(String path, OptionalLong time) {}

    /**
     * {@code SITE UTIME path atime mtime ctime UTC} and {@code SITE UTIME mtime path}: sets the modification time; times are {@code
     * YYYYMMDDhhmm[ss]}, in UTC. In no RFC; lftp sends it to servers without MFMT.
     */
    static void utime(FtpSession session, String argument) {
        Optional<Utime> wanted = parseUtime(argument).filter(w -> w.time.isPresent());
        if (wanted.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "Syntax: SITE UTIME " + UTIME_SYNTAX);
        } else {
            setTime(session, wanted.get().path, wanted.get().time.getAsLong(), ReplyCode.FILE_ACTION_OK);
        }
    }

    private static Optional<Utime> parseUtime(String argument) {
        Matcher withAll = UTIME_LONG.matcher(argument);
        if (withAll.matches()) {
            return Optional.of(new Utime(withAll.group(1), FtpTime.parse(withAll.group(2))));
        }
        Matcher withOne = UTIME_SHORT.matcher(argument);
        return withOne.matches()
                ? Optional.of(new Utime(withOne.group(2), FtpTime.parse(withOne.group(1))))
                : Optional.empty();
    }

    /** Sets a modification time for MFMT, MDTM and SITE UTIME. Mirrors do so after each file: it costs no wait for the far end. */
    static void setTime(FtpSession session, String argument, long epochMillis, ReplyCode code) {
        PathQueries.subject(session, argument).ifPresent(path -> PathQueries.search(
                        session,
                        path,
                        subject -> ChangeWait.send(
                                session,
                                subject,
                                TransferKind.SET_TIME,
                                Map.of(Attributes.MODIFIED_MILLIS, Long.toString(epochMillis)),
                                () -> session.reply(code, "Modify=" + MlstFacts.time(epochMillis) + "; " + path)))
                .findKnown());
    }
}
