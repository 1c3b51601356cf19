package io.hawser.agenta.ftp;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyState;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.TransferState;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The time from "durable here" to the final reply of an upload: until its custody level is reached, until it is known that it
 * will not be, or until the client has waited long enough.
 *
 * <p>The three replies: 226 names the level that was asked for. 55x says why it cannot be reached, and then the upload is not kept if it
 * is a right that lacks. 250 names what is reached when the
 * time is over, or the client sends ABOR: the upload is accepted and goes on, so no 4xx asks the client to send it all again; but
 * neither is it a 226. Clients take both for success, scripts can tell them apart.
 *
 * <p>Thread: the loop.
 */
public final class CustodyWait implements Transfer {
    private final FtpSession session;
    private final Object path;
    private final TransferKey key;
    private final CustodyLevel level;
    private final ReplyCode reachedCode;
    private final ReplyCode lateCode;
    private Consumer<Boolean> beforeReply = reached -> {};
    private @Nullable ScheduledFuture<?> deadline;
    private Runnable observed = () -> {};
    private boolean over;

    private CustodyWait(
            FtpSession session,
            Object path,
            TransferKey key,
            CustodyLevel level,
            ReplyCode reachedCode,
            ReplyCode lateCode) {
        this.session = session;
        this.path = path;
        this.key = key;
        this.level = level;
        this.reachedCode = reachedCode;
        this.lateCode = lateCode;
    }

    /** Replies to the upload that runs when its level is reached. It is durable here. */
    static void begin(FtpSession session, FtpPath path, TransferKey key) {
        begin(session, path, key, reached -> {});
    }

    /** The same; {@code beforeReply} is told just before the final reply whether the level has been reached. */
    static void begin(FtpSession session, FtpPath path, TransferKey key, Consumer<Boolean> beforeReply) {
        CustodyWait wait = new CustodyWait(
                session, path, key, session.custody(path), ReplyCode.TRANSFER_COMPLETE, ReplyCode.FILE_ACTION_OK);
        wait.beforeReply = beforeReply;
        session.server().changed(path);
        wait.start();
    }

    /** Replies to the command that runs when a transfer has come that far: 250, or 450 if it has not in time. */
    public static void until(FtpSession session, TransferKey key, CustodyLevel level) {
        new CustodyWait(session, key.id(), key, level, ReplyCode.FILE_ACTION_OK, ReplyCode.FILE_BUSY).start();
    }

    private void start() {
        session.waitBegins(this);
        if (level == CustodyLevel.SPOOLED && reachedCode == ReplyCode.TRANSFER_COMPLETE) {
            end(reply(reachedCode, CustodyLevel.SPOOLED + "."));
            return;
        }
        session.server().spool().state(key).ifPresent(this::look);
        if (!over) {
            observed = session.server().spool().observe(key, this::look);
            deadline = session.later(session.server().limits().custodyTime().toNanos(), this::late);
        }
        if (session.isClosing()) {
            late(); // the server stops
        }
    }

    private void look(TransferState state) {
        if (over) {
            return;
        }
        CustodyState custody = session.custody(state);
        if (custody.has(level)) {
            end(reply(reachedCode, level + "."));
        } else if (custody.failure().isPresent()) {
            boolean waits = state.lacksRight();
            if (waits && reachedCode == ReplyCode.TRANSFER_COMPLETE) {
                // Who is told that it failed may send it again, or may not want it any more when there is a right.
                var unused =
                        session.server().spool().cancel(key, custody.failure().get());
                waits = false;
            }
            end(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "transfer " + key.id() + (waits ? " waits for a right: " : " failed: ")
                            + custody.failure().get()));
        } else if (custody.dead().isPresent()) {
            end(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "transfer " + key.id() + " is not delivered and waits for a person: "
                            + custody.dead().get()));
        }
    }

    private void late() {
        if (over) {
            return;
        }
        String reached = session.server()
                .spool()
                .state(key)
                .flatMap(state -> session.custody(state).reached())
                .map(CustodyLevel::toString)
                .orElse("known");
        end(reply(lateCode, reached + ", not yet " + level + "; see SITE RECEIPT " + key.id() + "."));
    }

    private FtpReply reply(ReplyCode code, String rest) {
        return FtpReply.of(code, "Transfer " + key.id() + " " + rest);
    }

    private void end(FtpReply reply) {
        if (!over) {
            stop();
            if (reply.code() == reachedCode || reply.code() == lateCode) {
                FtpServer server = session.server();
                server.spool().state(key).ifPresent(state -> server.topics()
                        .used(state.manifest().topic()));
            }
            beforeReply.accept(reply.code() == reachedCode);
            session.transferEnds(reply);
        }
    }

    @Override
    public void controlClosed() {
        stop(); // the upload goes on without its client
    }

    private void stop() {
        over = true;
        observed.run();
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void abort(FtpReply ignored) {
        late();
    }

    @Override
    public Optional<String> progress() {
        return Optional.of("Waiting until transfer " + key.id() + " is " + level);
    }
}
