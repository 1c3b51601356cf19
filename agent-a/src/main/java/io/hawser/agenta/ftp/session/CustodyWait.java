package io.hawser.agenta.ftp.session;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyObserver;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.TransferKey;
import java.util.function.Consumer;

/**
 * The time from "durable here" to the final reply of an upload: until its custody level is reached, until it is known that it
 * will not be, or until the client has waited long enough.
 *
 * <p>The three replies: 226 names the level that was asked for. 55x says why it cannot be reached, and then an upload that lacks a right is dropped. 250 names
 * what is reached when the time is over, or the client sends ABOR: the upload is accepted, so no 4xx asks the client to send it all again; but
 * neither is it a 226. Clients take both for success, scripts can tell them apart.
 *
 * <p>Thread: the loop.
 */
public final class CustodyWait {
    private final FtpSession session;
    private final Object path;
    private final TransferKey key;
    private final CustodyLevel level;
    private final ReplyCode reachedCode;
    private final ReplyCode lateCode;
    private Consumer<Boolean> beforeReply = reached -> {};
    private final CustodyObserver observer;
    private final AnswerWait wait;

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
        this.observer = new CustodyObserver(
                session.names().spool(), key, level, session.policy().custody().completion(), this::decided);
        this.wait = AnswerWait.begin(session, "Waiting until transfer " + key.id() + " is " + level);
    }

    /** Replies to the upload that runs when its level is reached. It is durable here. */
    public static void begin(FtpSession session, FtpPath path, TransferKey key) {
        begin(session, path, key, reached -> {});
    }

    /** The same; {@code beforeReply} hears just before the final reply whether the level has been reached. */
    public static void begin(FtpSession session, FtpPath path, TransferKey key, Consumer<Boolean> beforeReply) {
        CustodyWait wait = new CustodyWait(
                session, path, key, session.custody(path), ReplyCode.TRANSFER_COMPLETE, ReplyCode.FILE_ACTION_OK);
        wait.beforeReply = beforeReply;
        session.names().changed(path);
        wait.start();
    }

    /** Replies to the command that runs when a transfer has come that far: 250, or 450 if it has not in time. */
    public static void until(FtpSession session, TransferKey key, CustodyLevel level) {
        new CustodyWait(session, key.id(), key, level, ReplyCode.FILE_ACTION_OK, ReplyCode.FILE_BUSY).start();
    }

    private void start() {
        if (level == CustodyLevel.SPOOLED && reachedCode == ReplyCode.TRANSFER_COMPLETE) {
            end(reply(reachedCode, CustodyLevel.SPOOLED + "."));
            return;
        }
        wait.whenGivenUp(observer::stop); // the upload continues without its client
        wait.whenAborted(this::late);
        observer.begin();
        wait.within(session.limits().times().custody(), this::late);
        if (session.isClosing() && wait.endsNow()) {
            late(); // the server stops, or the client is gone
        }
    }

    private void decided(CustodyObserver.Verdict verdict) {
        if (verdict instanceof CustodyObserver.Verdict.Failed failed) {
            boolean waits = failed.lacksRight();
            if (waits && reachedCode == ReplyCode.TRANSFER_COMPLETE) {
                // A client that hears of the failure may send the file again.
                var unused = session.names().spool().cancel(key, failed.reason());
                waits = false;
            }
            refuse((waits ? " waits for a right: " : " failed: ") + failed.reason());
        } else if (verdict instanceof CustodyObserver.Verdict.Dead dead) {
            refuse(" is not delivered and waits for a person: " + dead.reason());
        } else {
            end(reply(reachedCode, level + "."));
        }
    }

    private void refuse(String why) {
        if (reachedCode == ReplyCode.TRANSFER_COMPLETE) {
            session.names().reportedFailures().add(key);
        }
        end(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, "transfer " + key.id() + why));
    }

    private void late() {
        String reached = observer.reached().map(CustodyLevel::toString).orElse("known");
        finish(reply(lateCode, reached + ", not yet " + level + "; see SITE RECEIPT " + key.id() + "."));
    }

    private FtpReply reply(ReplyCode code, String rest) {
        return FtpReply.of(code, "Transfer " + key.id() + " " + rest);
    }

    private void end(FtpReply reply) {
        if (wait.endsNow()) {
            finish(reply);
        }
    }

    private void finish(FtpReply reply) {
        observer.stop();
        if (reply.code() == reachedCode || reply.code() == lateCode) {
            NamespaceService names = session.names();
            names.spool()
                    .state(key)
                    .ifPresent(state -> names.used(state.manifest().topic()));
        }
        beforeReply.accept(reply.code() == reachedCode);
        session.ifOpen(() -> session.reply(reply));
    }
}
