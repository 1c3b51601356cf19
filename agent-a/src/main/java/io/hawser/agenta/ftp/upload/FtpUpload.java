package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.RunningCommand;
import io.hawser.agenta.ftp.session.CustodyWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.upload.InterruptedUpload;
import io.hawser.agenta.upload.StallWatch;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.why.WaitStage;
import io.hawser.store.spool.Upload;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upload, from the transfer command to its final reply.
 *
 * <pre>
 *   CONNECTING ──► RECEIVING ──► ENDING ──evidence of the end──► COMMITTING ──durable──► DONE (226)
 *        └──────────────┴───────────┴── broken, ABOR, control connection gone, refused ──► DONE (4xx, 5xx; incomplete)
 * </pre>
 *
 * <p>From COMMITTING on the upload is complete whatever happens to the client.
 *
 * <p>Thread: the loop.
 */
abstract class FtpUpload implements RunningCommand {
    private static final Logger LOG = LoggerFactory.getLogger(FtpUpload.class);
    private static final long UNKNOWN = -1;
    /** How long a complete upload waits for the answer about its name although its delivery would tell; a far end nearby has answered by then. */
    private static final long CHECK_GRACE_MILLIS = 20;

    /** How far it came. */
    enum State {
        CONNECTING,
        RECEIVING,
        ENDING,
        COMMITTING,
        DONE
    }

    final FtpSession session;
    final FtpPath path;
    final Upload upload;
    private final UploadObstacleCheck target;
    private final StallWatch stallWatch;
    private State state = State.CONNECTING;
    private long sizeBytes = UNKNOWN;
    private boolean finishCalled;

    FtpUpload(FtpSession session, FtpPath path, Upload upload, UploadObstacleCheck target) {
        this.session = session;
        this.path = path;
        this.upload = upload;
        this.target = target;
        this.stallWatch = new StallWatch(
                session.loop(),
                session.limits().times().dataStall(),
                this::receivedBytes,
                this::isHeldBack,
                this::stalled);
        session.uploads(upload.key());
    }

    abstract long receivedBytes();

    /** Whether the client is waiting for this node, and not the other way round. */
    abstract boolean isHeldBack();

    /** Whether the client waits because the spool has no space. */
    abstract boolean waitsForSpace();

    /** Nothing came for too long. */
    abstract void stalled();

    /** Whether its bytes are stored as they come, so that a client can continue at a position. */
    abstract boolean isContinuable();

    /** Takes no more. {@code refused}: its client has broken nothing off, and shall hear the reply before it sees its connection go. */
    abstract void stopReceiving(boolean refused);

    final State state() {
        return state;
    }

    /** Whether what finishes the upload decides, and nothing else any more. */
    final boolean isFinishing() {
        return finishCalled;
    }

    final void to(State next, String reason) {
        LOG.atDebug()
                .addKeyValue("session", session.id())
                .addKeyValue("transfer", upload.key())
                .addKeyValue("from", state)
                .addKeyValue("to", next)
                .addKeyValue("reason", reason)
                .log("upload");
        state = next;
        if (next == State.RECEIVING) {
            session.uploads().active().began(upload.key(), this::stage);
            stallWatch.begin();
        } else {
            stallWatch.stop();
        }
        if (next == State.DONE) {
            session.uploads().active().ended(upload.key());
        }
    }

    private WaitStage stage() {
        if (state == State.COMMITTING) {
            return WaitStage.FORCE;
        } else if (waitsForSpace()) {
            return WaitStage.SPACE;
        }
        return isHeldBack() ? WaitStage.FORCE : WaitStage.CLIENT;
    }

    /** Ends the upload if its name turns out to be impossible. */
    final void watchTarget() {
        target.whenKnown(obstacle -> {
            if (state == State.DONE || finishCalled) {
                return;
            }
            if (obstacle.isEmpty()) {
                finishIfChecked();
            } else {
                to(State.DONE, obstacle);
                session.moved(path, upload.key(), receivedBytes());
                stopReceiving(true);
                upload.cancel(obstacle);
                session.transferEnds(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, obstacle));
            }
        });
    }

    /**
     * All bytes have come, so many, and it is evident that these are all. Where the final reply waits for the delivery, which meets whatever
     * is at the name, a slow answer about that name is not awaited: it would cost a long link a round trip.
     */
    final void complete(long bytes) {
        sizeBytes = bytes;
        finishIfChecked();
        if (!finishCalled && session.custody(path) == CustodyLevel.DELIVERED) {
            var unused = session.loop().schedule(this::finish, CHECK_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void finishIfChecked() {
        if (sizeBytes != UNKNOWN && target.isClear()) {
            finish();
        }
    }

    private void finish() {
        if (state != State.DONE && !finishCalled) {
            finishCalled = true;
            upload.finish(sizeBytes, this::committed);
        }
    }

    private void committed(Outcome<Commit> outcome) {
        Refusal refusal = outcome.refusal();
        to(State.DONE, refusal == null ? "durable" : "refused");
        session.moved(path, upload.key(), refusal == null ? outcome.get().sizeBytes() : receivedBytes());
        if (refusal == null) {
            awaitCustody(outcome.get().sizeBytes());
        } else {
            refuse(refusal);
        }
    }

    /** It is durable here: replies when its custody level is reached. */
    void awaitCustody(long bytes) {
        CustodyWait.begin(session, path, upload.key());
    }

    /** The spool has refused it. */
    void refuse(Refusal refusal) {
        new InterruptedUpload(session.uploads(), upload, isContinuable())
                .refused(refusal, failure -> session.transferEnds(FailureReplies.of(path, failure)));
    }

    /** Ends an upload that is not complete. What came is kept in the spool if the client can continue. */
    final void breakOff(String reason, FtpReply reply) {
        if (state != State.DONE) {
            to(State.DONE, reason);
            session.moved(path, upload.key(), receivedBytes());
            stopReceiving(false);
            new InterruptedUpload(session.uploads(), upload, isContinuable())
                    .keep(reason, () -> session.transferEnds(reply));
        }
    }

    static FtpReply aborted(String text) {
        return FtpReply.of(ReplyCode.TRANSFER_ABORTED, text);
    }

    @Override
    public final Optional<String> progress() {
        return Optional.of("Uploading " + path + ": " + receivedBytes() + " bytes received"
                + (isHeldBack() ? ", held back by this server's disk or space" : ""));
    }
}
