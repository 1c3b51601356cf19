package io.hawser.agenta.ftp;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyState;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferState;
import io.hawser.store.spool.UploadRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A change of a name, time or mode, as a durable transfer: sent, and answered.
 *
 * <p>What is on its way from here is known here: the change queues behind it (Order by path) and is answered when it has come as far
 * as the custody level says; with {@code spooled} that needs no far end. For anything else the far end has to answer: whether it
 * exists before the change is sent, and how the change ended after. If that takes too long the reply is 450; the change is made all
 * the same. ABOR has the same reply at once: what is durable here is not taken back.
 *
 * <p>Thread: the loop.
 */
public final class NamespaceChange implements Transfer {
    /** How long a client waits for the end of a change of what only the far end has. */
    private static final Duration CHANGE_PATIENCE = Duration.ofSeconds(20);

    private final FtpSession session;
    private final FtpPath path;
    private final UploadRequest request;
    private final boolean onItsWay;
    private final CustodyLevel level;
    private final Runnable done;
    private @Nullable TransferKey key;
    private @Nullable ScheduledFuture<?> timeout;
    private Runnable observed = () -> {};
    private boolean answered;

    private NamespaceChange(
            FtpSession session, NamespaceSubject subject, UploadRequest request, CustodyLevel level, Runnable done) {
        this.session = session;
        this.path = subject.path();
        this.onItsWay = subject.onItsWay();
        this.request = request;
        this.level = level;
        this.done = done;
    }

    /**
     * Sends a change of {@code subject}.
     *
     * @param attributes its parameters
     * @param done what happens when it has come as far as it must; it replies
     */
    public static void send(
            FtpSession session,
            NamespaceSubject subject,
            TransferKind kind,
            Map<String, String> attributes,
            Runnable done) {
        send(session, subject, kind, List.of(), attributes, done);
    }

    /** Renames {@code subject}; {@code target} is a path of the same topic. */
    public static void rename(FtpSession session, NamespaceSubject subject, FtpPath target, Runnable done) {
        String name = session.server().namespace().place(target).orElseThrow().name();
        send(session, subject, TransferKind.RENAME, List.of(target), Map.of(Attributes.RENAMED_TO, name), done);
    }

    private static void send(
            FtpSession session,
            NamespaceSubject subject,
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
        new NamespaceChange(session, subject, session.gsi().passedOn(request), level(session, subject, targets), done)
                .send();
    }

    /** How far it must come before it is answered; of a rename's two names the stricter one counts. */
    private static CustodyLevel level(FtpSession session, NamespaceSubject subject, List<FtpPath> targets) {
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
            TransferKey transfer = sent.get();
            key = transfer; // before the callback, which comes a turn later
            if (request.kind() == TransferKind.MAKE_DIRECTORY) {
                FtpServer server = session.server();
                server.knownDirectories().isBeingMade(path, server.spool(), transfer);
            }
        }
    }

    private void await() {
        TransferKey sent = key;
        if (sent == null) {
            throw new IllegalStateException("durable before it was sent");
        }
        Duration patience = onItsWay ? session.server().limits().custodyTime() : CHANGE_PATIENCE;
        session.waitBegins(this);
        timeout = session.later(patience.toNanos(), () -> answer(late(sent)));
        observed = session.server().spool().observe(sent, this::heard);
        if (session.isClosing()) {
            answer(late(sent)); // the server stops
        }
    }

    @Override
    public void abort(FtpReply ignored) {
        if (key != null) {
            answer(late(key));
        }
    }

    @Override
    public void controlClosed() {
        boolean unused = end(); // it is made without its client
    }

    @Override
    public Optional<String> progress() {
        return Optional.of("Waiting until transfer " + (key == null ? "" : key.id()) + " is " + level);
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
        CustodyState custody = session.custody(state);
        if (custody.has(level)) {
            succeed();
            return;
        }
        Refusal refusal = state.refusal();
        Optional<Receipt> failed = state.receipts().stream()
                .filter(receipt ->
                        receipt.status() != ReceiptStatus.LANDED && receipt.status() != ReceiptStatus.DELIVERED)
                .findFirst();
        if (failed.isPresent() && custody.failure().or(custody::dead).isPresent()) {
            String why = session.seesNames() ? failed.get().reason() : NamespaceSubject.DENIED;
            answer(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, why));
        } else if (state.phase() == SpoolPhase.FINISHED) {
            succeed();
        } else if (refusal != null && state.lacksRight()) {
            answer(Refusals.reply(path, refusal));
            var unused = session.server().spool().cancel(state.key(), refusal.detail()); // nobody expects it any more
        } else if (state.phase().isFinal()) {
            answer(Refusals.reply(
                    path, refusal != null ? refusal : new Refusal(ErrorCode.CANCELLED, "it was cancelled")));
        }
    }

    private void succeed() {
        if (end()) {
            session.server().topics().used(request.topic());
            done.run();
        }
    }

    private void answer(FtpReply reply) {
        if (end()) {
            if (reply.code() == ReplyCode.FILE_ACTION_OK) {
                session.server().topics().used(request.topic());
            }
            session.reply(reply);
        }
    }

    /** Whether this is the first answer, and somebody wants it. */
    private boolean end() {
        if (answered) {
            return false;
        }
        answered = true;
        observed.run();
        session.waitEnds();
        if (timeout != null) {
            timeout.cancel(false);
        }
        return session.isOpen();
    }
}
