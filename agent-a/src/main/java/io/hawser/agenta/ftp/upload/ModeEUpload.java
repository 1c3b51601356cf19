package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.modee.ModeEAcceptedConnections;
import io.hawser.agenta.ftp.modee.ModeEReceiver;
import io.hawser.agenta.ftp.modee.OffsetMapping;
import io.hawser.agenta.ftp.session.CustodyWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Upload;

/**
 * An upload in MODE E. The evidence of its end is EOF and the EOD of every connection; nothing else is waited for. Without it the
 * upload is incomplete, whatever else happens. Connections are kept after a good end, and closed otherwise.
 *
 * <p>Thread: the loop.
 */
final class ModeEUpload extends FtpUpload implements ModeEReceiver.Listener {
    private final OffsetMapping mapping;
    private final ModeEReceiver receiver;
    private final UploadMarkers markers;

    private ModeEUpload(
            FtpSession session, FtpPath path, Upload upload, OffsetMapping mapping, UploadObstacleCheck target) {
        super(session, path, upload, target);
        this.mapping = mapping;
        this.receiver = new ModeEReceiver(
                session.loop(),
                session.uploads().buffers(),
                upload,
                mapping,
                session.dataPaths().incoming(),
                this);
        this.markers = new UploadMarkers(session, receiver::receivedBytes);
    }

    /** Starts to receive {@code upload}; the client's positions are at {@code mapping} there. */
    static void begin(
            FtpSession session, FtpPath path, Upload upload, OffsetMapping mapping, UploadObstacleCheck target) {
        ModeEUpload transfer = new ModeEUpload(session, path, upload, mapping, target);
        session.transferBegins(transfer);
        ModeEAcceptedConnections connections = session.dataPaths().incoming();
        if (connections.isCached()) {
            session.preliminary(ReplyCode.ALREADY_OPEN, "Reusing the data connections for " + path + ".");
        } else {
            session.preliminary(ReplyCode.STARTING, "Ready for the blocks of " + path + ".");
        }
        transfer.markers.begin();
        transfer.to(State.RECEIVING, "it begins");
        transfer.receiver.begin();
        transfer.watchTarget();
    }

    @Override
    long receivedBytes() {
        return receiver.receivedBytes();
    }

    @Override
    boolean isHeldBack() {
        return receiver.isHeldBack();
    }

    @Override
    boolean waitsForSpace() {
        return receiver.waitsForSpace();
    }

    @Override
    boolean isContinuable() {
        return true;
    }

    @Override
    void stalled() {
        brokenOff("nothing came for too long, and " + receiver.missing());
    }

    @Override
    public void durable(long start, long end) {
        // A patch that breaks off is dropped, so none of its bytes is safe before all are.
        boolean kept = upload.manifest().kind() != TransferKind.PATCH;
        if (kept && session.custody(path) == CustodyLevel.SPOOLED) {
            mapping.ofPeer(start, end).forEach(markers::safe);
        }
    }

    @Override
    public void allEnded() {
        to(State.COMMITTING, "EOF and all EODs have come");
        receiver.finish(this::assembled);
    }

    private void assembled(Outcome<Long> size) {
        Refusal refusal = size.refusal();
        if (state() == State.DONE) {
            return; // a directory is at its name
        }
        if (refusal != null) {
            incomplete(refusal.detail());
        } else if (size.get() < mapping.leastBytes()) {
            long place = mapping.ofPeer(size.get(), mapping.leastBytes()).get(0).start();
            incomplete("the bytes at " + place + " never came");
        } else {
            complete(size.get());
        }
    }

    private void incomplete(String why) {
        breakOff(
                "bytes are missing", FtpReply.about(ReplyCode.LOCAL_ERROR, path, "the upload is not complete: " + why));
    }

    @Override
    void awaitCustody(long bytes) {
        receiver.release();
        CustodyWait.begin(session, path, upload.key(), reached -> {
            markers.stop();
            if (reached) {
                mapping.ofPeer(0, bytes).forEach(markers::safe);
            }
            markers.tell();
        });
    }

    @Override
    void refuse(Refusal refusal) {
        markers.stop();
        receiver.release();
        super.refuse(refusal);
    }

    @Override
    public void brokenOff(String why) {
        breakOff(why, aborted("The upload is not complete: " + why + "."));
    }

    @Override
    public void malformed(String why) {
        breakOff(why, aborted(why + "."));
    }

    @Override
    public void refused(Refusal refusal) {
        if (state() == State.DONE || isFinishing()) {
            return; // what finish() says decides
        }
        to(State.DONE, "spool refused: " + refusal.detail());
        stopReceiving(true);
        refuse(refusal);
    }

    @Override
    public void controlClosed() {
        if (state() == State.RECEIVING) {
            brokenOff("the control connection ended");
        }
    }

    @Override
    public void abort(FtpReply reply) {
        if (state() == State.RECEIVING) {
            breakOff("aborted", reply);
        }
    }

    @Override
    void stopReceiving(boolean refused) {
        markers.stop();
        receiver.stop();
    }
}
