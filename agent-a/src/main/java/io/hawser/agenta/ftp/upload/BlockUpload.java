package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.modee.BlockConnections;
import io.hawser.agenta.ftp.modee.BlockPlaces;
import io.hawser.agenta.ftp.modee.BlockReception;
import io.hawser.agenta.ftp.session.CustodyWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.upload.InterruptedUpload;
import io.hawser.agenta.upload.StallWatch;
import io.hawser.agenta.upload.TargetCheck;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Upload;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upload in MODE E, from the transfer command to its final reply. The evidence of its end is EOF and the EOD of every
 * connection; nothing else is waited for. Without it the upload is incomplete, whatever else happens.
 *
 * <pre>
 *   RECEIVING ──all EODs──► COMMITTING ──durable──► DONE (226; the connections are kept)
 *       └── connection lost, malformed, refused, ABOR, control connection gone ──► DONE (4xx, 5xx; the connections are closed)
 * </pre>
 *
 * <p>Thread: the loop.
 */
final class BlockUpload implements Transfer, BlockReception.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(BlockUpload.class);

    private enum State {
        RECEIVING,
        COMMITTING,
        DONE
    }

    private final FtpSession session;
    private final FtpPath path;
    private final Upload upload;
    private final BlockPlaces places;
    private final BlockReception reception;
    private final UploadMarkers markers;
    private final StallWatch stallWatch;
    private final TargetCheck target;
    private State state = State.RECEIVING;
    private boolean finishCalled;

    private BlockUpload(FtpSession session, FtpPath path, Upload upload, BlockPlaces places, TargetCheck target) {
        this.target = target;
        this.session = session;
        this.path = path;
        this.upload = upload;
        this.places = places;
        this.reception = new BlockReception(
                session.loop(),
                session.uploads().buffers(),
                upload,
                places,
                session.dataPaths().incoming(),
                this);
        this.markers = new UploadMarkers(session, reception::receivedBytes);
        this.stallWatch = new StallWatch(
                session.loop(),
                session.limits().times().dataStall(),
                reception::receivedBytes,
                reception::isHeldBack,
                () -> brokenOff("nothing came for too long, and " + reception.missing()));
    }

    /** Starts to receive {@code upload}; the client's positions are at {@code places} there. */
    static void begin(FtpSession session, FtpPath path, Upload upload, BlockPlaces places, TargetCheck target) {
        BlockUpload transfer = new BlockUpload(session, path, upload, places, target);
        session.transferBegins(transfer);
        BlockConnections connections = session.dataPaths().incoming();
        if (connections.isCached()) {
            session.preliminary(ReplyCode.ALREADY_OPEN, "Reusing the data connections for " + path + ".");
        } else {
            session.preliminary(ReplyCode.STARTING, "Ready for the blocks of " + path + ".");
        }
        transfer.markers.begin();
        transfer.reception.begin();
        transfer.stallWatch.begin();
        target.whenKnown(transfer::targetKnown);
    }

    @Override
    public void durable(long start, long end) {
        // A patch that breaks off is dropped, so none of its bytes is safe before all are.
        boolean kept = upload.manifest().kind() != TransferKind.PATCH;
        if (kept && session.custody(path) == CustodyLevel.SPOOLED) {
            places.ofPeer(start, end).forEach(markers::safe);
        }
    }

    @Override
    public void allEnded() {
        to(State.COMMITTING, "EOF and all EODs have come");
        reception.finish(this::assembled);
    }

    private void assembled(Outcome<Long> size) {
        Refusal refusal = size.refusal();
        if (state == State.DONE) {
            return; // a directory is at its name
        }
        if (refusal != null) {
            incomplete(refusal.detail());
        } else if (size.get() < places.leastBytes()) {
            long place = places.ofPeer(size.get(), places.leastBytes()).get(0).start();
            incomplete("the bytes at " + place + " never came");
        } else {
            target.whenKnown(obstacle -> {
                if (obstacle.isEmpty() && state != State.DONE) {
                    finishCalled = true;
                    upload.finish(size.get(), this::committed);
                } else {
                    targetKnown(obstacle);
                }
            });
        }
    }

    private void targetKnown(String obstacle) {
        if (!obstacle.isEmpty() && state != State.DONE && !finishCalled) {
            to(State.DONE, obstacle);
            markers.stop();
            reception.stop();
            upload.cancel(obstacle);
            session.transferEnds(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, obstacle));
        }
    }

    private void incomplete(String why) {
        breakOff(
                "bytes are missing", FtpReply.about(ReplyCode.LOCAL_ERROR, path, "the upload is not complete: " + why));
    }

    private void committed(Outcome<Commit> outcome) {
        Refusal refusal = outcome.refusal();
        to(State.DONE, "replied");
        reception.release();
        if (refusal == null) {
            long size = outcome.get().sizeBytes();
            CustodyWait.begin(session, path, upload.key(), reached -> {
                markers.stop();
                if (reached) {
                    places.ofPeer(0, size).forEach(markers::safe);
                }
                markers.tell();
            });
        } else {
            markers.stop();
            new InterruptedUpload(session.uploads(), upload)
                    .refused(refusal, failure -> session.transferEnds(FailureReplies.of(path, failure)));
        }
    }

    @Override
    public void brokenOff(String why) {
        breakOff(why, FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The upload is not complete: " + why + "."));
    }

    @Override
    public void malformed(String why) {
        breakOff(why, FtpReply.of(ReplyCode.TRANSFER_ABORTED, why + "."));
    }

    @Override
    public void refused(Refusal refusal) {
        if (state == State.DONE || finishCalled) {
            return; // what finish() says decides
        }
        to(State.DONE, "spool refused: " + refusal.detail());
        markers.stop();
        reception.stop();
        new InterruptedUpload(session.uploads(), upload)
                .refused(refusal, failure -> session.transferEnds(FailureReplies.of(path, failure)));
    }

    @Override
    public Optional<String> progress() {
        return Optional.of("Uploading " + path + ": " + reception.receivedBytes() + " bytes received"
                + (reception.isHeldBack() ? ", held back by this server's disk or space" : ""));
    }

    @Override
    public void controlClosed() {
        if (state == State.RECEIVING) {
            brokenOff("the control connection ended");
        }
    }

    @Override
    public void abort(FtpReply reply) {
        if (state == State.RECEIVING) {
            breakOff("aborted", reply);
        }
    }

    /** Ends an upload that is not complete. The fragments that are complete are kept, so that the client can continue. */
    private void breakOff(String reason, FtpReply reply) {
        if (state != State.DONE) {
            to(State.DONE, reason);
            markers.stop();
            reception.stop();
            new InterruptedUpload(session.uploads(), upload).keep(reason, () -> session.transferEnds(reply));
        }
    }

    private void to(State next, String reason) {
        LOG.atDebug()
                .addKeyValue("session", session.id())
                .addKeyValue("transfer", upload.key())
                .addKeyValue("from", state)
                .addKeyValue("to", next)
                .addKeyValue("reason", reason)
                .log("upload in MODE E");
        state = next;
        stallWatch.stop();
    }
}
