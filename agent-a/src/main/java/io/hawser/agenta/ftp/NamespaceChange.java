package io.hawser.agenta.ftp;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyState;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Attributes;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.ReceiptStatus;
import io.hawser.common.model.TransferKey;
import io.hawser.common.model.TransferKind;
import io.hawser.common.remote.RemoteFile;
import io.hawser.common.spool.SpoolPhase;
import io.hawser.common.spool.TransferState;
import io.hawser.common.spool.UploadRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A change of a name, time or mode, as a durable transfer: sent, and answered.
 *
 * <p>What is on its way from here is known here: the change queues behind it (Order by path) and is answered when it has come as far
 * as the custody level says; with {@code spooled} that needs no far end. For anything else the far end has to answer: whether it
 * exists before the change is sent, and how the change ended after. If that takes too long the reply is 450; the change is made all
 * the same.
 *
 * <p>Thread: the loop.
 */
public final class NamespaceChange {
    static final String MISSING = "No such file or directory";
    /** How long the far end may take to say whether something exists. */
    private static final Duration STAT_PATIENCE = Duration.ofSeconds(5);
    /** How long a client waits for the end of a change of what only the far end has. */
    private static final Duration CHANGE_PATIENCE = Duration.ofSeconds(20);
    /** Renames that end while their subject is looked for change its name; that often it is looked for again. */
    private static final int LOOKS = 4;

    private final FtpSession session;
    private final FtpPath path;
    private final UploadRequest request;
    private final boolean onItsWay;
    private final CustodyLevel level;
    private final Runnable done;
    private @Nullable TransferKey key;
    private @Nullable ScheduledFuture<?> timeout;
    private boolean answered;

    private NamespaceChange(
            FtpSession session, Subject subject, UploadRequest request, CustodyLevel level, Runnable done) {
        this.session = session;
        this.path = subject.path();
        this.onItsWay = subject.onItsWay();
        this.request = request;
        this.level = level;
        this.done = done;
    }

    /**
     * What a change is about.
     *
     * @param path as the client named it
     * @param place where that is
     * @param directory whether it is a directory
     * @param onItsWay whether it was accepted here and is not delivered yet
     */
    public record Subject(FtpPath path, Namespace.Place place, boolean directory, boolean onItsWay) {}

    /** The place that an argument means, or empty; then the refusal has been sent. The topics' own directories are no subject. */
    public static Optional<FtpPath> resolve(FtpSession session, String argument) {
        Optional<FtpPath> resolved = session.resolve(argument);
        if (resolved.isEmpty()) {
            return resolved;
        }
        FtpPath path = resolved.get();
        Optional<Namespace.Place> place = session.server().namespace().place(path);
        if (path.isRoot() || place.map(Namespace.Place::isTopic).orElse(false)) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, "Operation not permitted"));
            return Optional.empty();
        }
        if (place.isEmpty()) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, MISSING));
            return Optional.empty();
        }
        return resolved;
    }

    /** Looks for what stands at {@code path}; {@code found} replies, or the refusal has been sent. */
    public static void find(FtpSession session, FtpPath path, Consumer<Subject> found) {
        find(session, path, LOOKS, "", found);
    }

    /**
     * The same for changes that mirrors make after each file: what was delivered from here a short while ago is known as well as
     * what is on its way, and such a change is answered here.
     */
    public static void findKnown(FtpSession session, FtpPath path, Consumer<Subject> found) {
        FtpServer server = session.server();
        Namespace.Place place = server.namespace().place(path).orElseThrow();
        if (server.heldNames().standing(place) instanceof HeldNames.Standing.AtFarEnd
                && server.spool()
                        .lastEnded(place.topic(), place.name())
                        .filter(state -> leavesSomething(state, place.name()))
                        .isPresent()) {
            found.accept(new Subject(path, place, false, true));
        } else {
            find(session, path, found);
        }
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

    private static void find(FtpSession session, FtpPath path, int looks, String asked, Consumer<Subject> found) {
        FtpServer server = session.server();
        Namespace.Place place = server.namespace().place(path).orElseThrow();
        HeldNames.Standing standing = server.heldNames().standing(place);
        if (standing instanceof HeldNames.Standing.Held held) {
            boolean directory = held.transfer().manifest().kind() == TransferKind.MAKE_DIRECTORY;
            found.accept(new Subject(path, place, directory, true));
        } else if (standing instanceof HeldNames.Standing.AtFarEnd far) {
            if (server.spool().isTouchedBelow(place.topic(), place.name())) {
                found.accept(new Subject(path, place, true, true));
            } else if (looks == 0 || far.name().equals(asked)) {
                session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, MISSING));
            } else {
                Namespace.Place there = new Namespace.Place(place.topic(), far.name());
                server.remoteFiles()
                        .stat(
                                there.topic(),
                                there.name(),
                                STAT_PATIENCE,
                                outcome -> session.ifOpen(() -> told(session, path, looks, there, outcome, found)));
            }
        } else {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, MISSING));
        }
    }

    private static void told(
            FtpSession session,
            FtpPath path,
            int looks,
            Namespace.Place asked,
            Outcome<RemoteFile> outcome,
            Consumer<Subject> found) {
        Refusal refusal = outcome.refusal();
        Namespace.Place place = session.server().namespace().place(path).orElseThrow();
        if (refusal == null) {
            found.accept(new Subject(path, place, outcome.get().isDirectory(), false));
        } else if (refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.NOT_DIRECTORY) {
            find(session, path, looks - 1, asked.name(), found);
        } else if (refusal.code() == ErrorCode.NOT_ALLOWED) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, "Permission denied"));
        } else if (refusal.code() == ErrorCode.UNREACHABLE) {
            session.reply(FtpReply.about(
                    ReplyCode.FILE_BUSY, path, "the far end is not connected, and it alone knows; try again later"));
        } else {
            session.reply(Refusals.reply(path, refusal));
        }
    }

    /**
     * Sends a change of {@code subject}.
     *
     * @param attributes its parameters
     * @param done what happens when it has come as far as it must; it replies
     */
    public static void send(
            FtpSession session, Subject subject, TransferKind kind, Map<String, String> attributes, Runnable done) {
        send(session, subject, kind, List.of(), attributes, done);
    }

    /** Renames {@code subject}; {@code target} is a path of the same topic. */
    public static void rename(FtpSession session, Subject subject, FtpPath target, Runnable done) {
        String name = session.server().namespace().place(target).orElseThrow().name();
        send(session, subject, TransferKind.RENAME, List.of(target), Map.of(Attributes.RENAMED_TO, name), done);
    }

    private static void send(
            FtpSession session,
            Subject subject,
            TransferKind kind,
            List<FtpPath> targets,
            Map<String, String> attributes,
            Runnable done) {
        Map<String, String> all = new HashMap<>(attributes);
        all.put(Attributes.ACCOUNT, session.account());
        List<String> paths = new ArrayList<>(List.of(subject.place().name()));
        targets.forEach(target -> paths.add(
                session.server().namespace().place(target).orElseThrow().name()));
        UploadRequest request = new UploadRequest(
                subject.place().topic(),
                kind,
                subject.place().name(),
                paths,
                0,
                session.server().fragmentSizeBytes(),
                all);
        new NamespaceChange(session, subject, request, level(session, subject, targets), done).send();
    }

    /** How far it must come before it is answered; of a rename's two names the stricter one counts. */
    private static CustodyLevel level(FtpSession session, Subject subject, List<FtpPath> targets) {
        return Stream.concat(Stream.of(subject.path()), targets.stream())
                .map(path -> subject.onItsWay() ? session.custody(path) : CustodyLevel.DELIVERED)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void send() {
        Outcome<TransferKey> sent = session.server().spool().sendSmall(request, ByteBuffer.allocate(0), durable -> {
            Refusal refusal = durable.refusal();
            session.server().changed(request.topic(), request.paths());
            if (refusal != null) {
                answer(Refusals.reply(path, refusal));
            } else if (level == CustodyLevel.SPOOLED) {
                succeed();
            } else {
                await();
            }
        });
        Refusal refusal = sent.refusal();
        if (refusal != null) {
            answer(Refusals.reply(path, refusal));
        } else {
            key = sent.get(); // before the callback, which comes a turn later
        }
    }

    private void await() {
        TransferKey sent = key;
        if (sent == null) {
            throw new IllegalStateException("durable before it was sent");
        }
        Duration patience = onItsWay ? session.server().limits().custodyTime() : CHANGE_PATIENCE;
        timeout = session.later(patience.toNanos(), () -> answer(late(sent)));
        session.server().spool().observe(sent, this::heard);
    }

    /** As for uploads, what is accepted and goes on is no failure; but whether the far end has such a file is not known. */
    private FtpReply late(TransferKey sent) {
        return onItsWay
                ? FtpReply.of(
                        ReplyCode.FILE_ACTION_OK,
                        "Transfer " + sent.id() + " is queued, not yet " + level + "; see SITE RECEIPT " + sent.id()
                                + ".")
                : FtpReply.about(
                        ReplyCode.FILE_BUSY,
                        path,
                        "the far end has not answered; the change is queued and will be made, transfer " + sent.id());
    }

    private void heard(TransferState state) {
        if (CustodyState.of(state).has(level)) {
            succeed();
            return;
        }
        Refusal refusal = state.refusal();
        Optional<Receipt> failed = state.receipts().stream()
                .filter(receipt ->
                        receipt.status() == ReceiptStatus.FAILED || receipt.status() == ReceiptStatus.EXPIRED)
                .findFirst();
        if (failed.isPresent()) {
            answer(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, failed.get().reason()));
        } else if (state.phase() == SpoolPhase.FINISHED) {
            succeed();
        } else if (state.phase().isFinal()) {
            answer(Refusals.reply(
                    path, refusal != null ? refusal : new Refusal(ErrorCode.CANCELLED, "it was cancelled")));
        }
    }

    private void succeed() {
        if (end()) {
            done.run();
        }
    }

    private void answer(FtpReply reply) {
        if (end()) {
            session.reply(reply);
        }
    }

    /** Whether this is the first answer, and somebody wants it. */
    private boolean end() {
        if (answered) {
            return false;
        }
        answered = true;
        if (timeout != null) {
            timeout.cancel(false);
        }
        return session.isOpen();
    }
}
