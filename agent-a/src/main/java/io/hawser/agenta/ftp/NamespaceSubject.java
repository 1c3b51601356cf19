package io.hawser.agenta.ftp;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a change of a name, time or mode is about, and how it is found: what is on its way from here is known here, for anything
 * else the far end has to say whether it exists.
 *
 * <p>Thread: immutable; the loop looks.
 *
 * @param path as the client named it
 * @param place where that is
 * @param directory whether it is a directory, and not a symbolic link to one
 * @param onItsWay whether it was accepted here and is not delivered yet
 */
public record NamespaceSubject(FtpPath path, Namespace.Place place, boolean directory, boolean onItsWay) {
    static final String MISSING = "No such file or directory";
    /** What an account is told that may not know why. */
    static final String DENIED = "Permission denied";

    /** How long the far end may be away that has to say whether something exists. */
    private static final Duration AWAY = Duration.ofSeconds(5);
    /** Renames that end while their subject is looked for change its name; that often it is looked for again. */
    private static final int LOOKS = 4;

    /** The place that an argument means, or empty; then the refusal has been sent. The topics' own directories are no subject. */
    public static Optional<FtpPath> resolve(FtpSession session, String argument) {
        Optional<FtpPath> resolved = session.resolve(argument);
        if (resolved.isEmpty()) {
            return resolved;
        }
        FtpPath path = resolved.get();
        Optional<Namespace.Place> place = session.server().namespace().place(path);
        if (path.isRoot() || place.map(Namespace.Place::isTopic).orElse(false)) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "Operation not permitted");
            return Optional.empty();
        }
        if (place.isEmpty()) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, MISSING);
            return Optional.empty();
        }
        return resolved;
    }

    /** Looks for what stands at {@code path}; {@code found} replies, or the refusal has been sent. */
    public static void find(FtpSession session, FtpPath path, Consumer<NamespaceSubject> found) {
        find(session, path, LOOKS, "", found);
    }

    /**
     * The same for changes that mirrors make after each file: what was delivered from here a short while ago is known as well as
     * what is on its way, and such a change is answered here. An account that may not know what exists changes only what it has uploaded.
     */
    public static void findKnown(FtpSession session, FtpPath path, Consumer<NamespaceSubject> found) {
        if (!session.seesNames()) {
            findOwn(session, path, found);
            return;
        }
        Namespace.Place place = session.server().namespace().place(path).orElseThrow();
        if (wasDelivered(session.server(), place)) {
            found.accept(new NamespaceSubject(path, place, false, true));
        } else {
            find(session, path, found);
        }
    }

    /** Whether the last thing from here that touched {@code place} was delivered there a short while ago and left something. */
    public static boolean wasDelivered(FtpServer server, Namespace.Place place) {
        return server.heldNames().standing(place) instanceof Standing.AtFarEnd
                && server.spool()
                        .lastEnded(place.topic(), place.name())
                        .filter(state -> leavesSomething(state, place.name()))
                        .isPresent();
    }

    /**
     * The same for an account that may not know what exists: files that it has uploaded itself, see {@link OwnUploads}. For anything else
     * the reply is the same whether it exists or not.
     */
    public static void findOwn(FtpSession session, FtpPath path, Consumer<NamespaceSubject> found) {
        FtpServer server = session.server();
        Namespace.Place place = server.namespace().place(path).orElseThrow();
        if (new OwnUploads(server.spool(), server.heldNames(), session.account()).has(place)) {
            found.accept(new NamespaceSubject(path, place, false, true));
        } else {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, DENIED);
        }
    }

    /** Refuses for what is there, or is not; an account that may not know that is told the same in all cases. */
    public static void refuse(FtpSession session, FtpPath path, String words) {
        session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, session.seesNames() ? words : DENIED);
    }

    /** Whether the end of that transfer means that something stands at {@code name}. */
    private static boolean leavesSomething(TransferState ended, String name) {
        if (ended.phase() != SpoolPhase.FINISHED
                || ended.receipts().stream().anyMatch(receipt -> receipt.status() != ReceiptStatus.DELIVERED)) {
            return false;
        }
        return switch (ended.manifest().kind()) {
            case FILE, PATCH, MAKE_DIRECTORY, SET_TIME, SET_MODE -> true;
            case RENAME -> NameReplay.renamedTo(ended.manifest()).equals(name);
            case DELETE, REMOVE_DIRECTORY, MESSAGE -> false;
        };
    }

    private static void find(
            FtpSession session, FtpPath path, int looks, String asked, Consumer<NamespaceSubject> found) {
        FtpServer server = session.server();
        Namespace.Place place = server.namespace().place(path).orElseThrow();
        Standing standing = server.heldNames().standing(place);
        if (standing instanceof Standing.Held held) {
            boolean directory = held.transfer().manifest().kind() == TransferKind.MAKE_DIRECTORY;
            found.accept(new NamespaceSubject(path, place, directory, true));
        } else if (standing instanceof Standing.AtFarEnd far) {
            if (server.spool().isTouchedBelow(place.topic(), place.name())) {
                found.accept(new NamespaceSubject(path, place, true, true));
            } else if (looks == 0 || far.name().equals(asked)) {
                refuse(session, path, MISSING);
            } else {
                Namespace.Place there = new Namespace.Place(place.topic(), far.name());
                AnswerWait wait = AnswerWait.begin(session);
                server.remoteFiles()
                        .stat(
                                there.topic(),
                                there.name(),
                                new CallTimeouts(AWAY, server.limits().farLookTime()),
                                outcome -> wait.end(() -> told(session, path, looks, there, outcome, found)));
            }
        } else {
            refuse(session, path, MISSING);
        }
    }

    private static void told(
            FtpSession session,
            FtpPath path,
            int looks,
            Namespace.Place asked,
            Outcome<RemoteFile> outcome,
            Consumer<NamespaceSubject> found) {
        Refusal refusal = outcome.refusal();
        Namespace.Place place = session.server().namespace().place(path).orElseThrow();
        if (refusal == null && outcome.get().isBelowLink()) {
            refuse(session, path, RemoteFiles.NOT_WRITTEN_THROUGH);
        } else if (refusal == null) {
            RemoteFile file = outcome.get();
            found.accept(new NamespaceSubject(path, place, file.isDirectory() && !file.isLink(), false));
        } else if (refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.NOT_DIRECTORY) {
            find(session, path, looks - 1, asked.name(), found);
        } else if (refusal.code() == ErrorCode.UNREACHABLE) {
            session.reply(Refusals.itAloneKnows(path, refusal));
        } else if (session.seesNames()) {
            session.reply(PathLookup.reply(path, refusal));
        } else {
            refuse(session, path, DENIED);
        }
    }
}
