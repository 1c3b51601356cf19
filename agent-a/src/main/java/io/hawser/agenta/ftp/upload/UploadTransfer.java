package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.data.AsciiSink;
import io.hawser.agenta.ftp.data.DataChannel;
import io.hawser.agenta.ftp.data.DataOpening;
import io.hawser.agenta.ftp.session.CustodyWait;
import io.hawser.agenta.ftp.session.DataPort;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.upload.ByteSink;
import io.hawser.agenta.upload.EndEvidence;
import io.hawser.agenta.upload.EvidenceWait;
import io.hawser.agenta.upload.FragmentSink;
import io.hawser.agenta.upload.InterruptedUpload;
import io.hawser.agenta.upload.StallWatch;
import io.hawser.agenta.upload.TargetCheck;
import io.hawser.agenta.upload.UploadStart;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.store.spool.Upload;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upload, from its data connection to its final reply.
 *
 * <pre>
 *   CONNECTING ──► RECEIVING ──FIN──► ENDING ──evidence──► COMMITTING ──durable──► DONE (226)
 *        └──────────────┴────────────────┴── reset, ABOR, control connection gone, refused ──► DONE (4xx, 5xx; incomplete)
 * </pre>
 *
 * <p>The last fragment goes to the disk while the evidence is awaited. From COMMITTING on the upload is complete whatever
 * happens to the client.
 *
 * <p>Thread: the loop.
 */
final class UploadTransfer implements Transfer, FragmentSink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(UploadTransfer.class);
    /** How long a client that was refused may take to hear of it and send no more. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private enum State {
        CONNECTING,
        RECEIVING,
        ENDING,
        COMMITTING,
        DONE
    }

    private final FtpSession session;
    private final FtpPath path;
    private final Upload upload;
    private final long announcedBytes;
    private final FragmentSink fragments;
    private final ByteSink sink;
    private final StallWatch stallWatch;
    private final TargetCheck target;
    private State state = State.CONNECTING;
    private boolean finishCalled;
    private @Nullable DataOpening port;
    private @Nullable DataChannel data;
    private @Nullable EvidenceWait evidence;

    private UploadTransfer(
            FtpSession session,
            FtpPath path,
            Upload upload,
            long announcedBytes,
            UploadStart start,
            TargetCheck target) {
        this.target = target;
        this.session = session;
        this.path = path;
        this.upload = upload;
        this.announcedBytes = announcedBytes;
        this.fragments = new FragmentSink(
                session.uploads().buffers(), upload, start.index(), start.partial(), start.filled(), this);
        this.sink = session.settings().ascii() ? new AsciiSink(fragments) : fragments;
        this.stallWatch = new StallWatch(
                session.loop(),
                session.limits().times().dataStall(),
                fragments::receivedBytes,
                fragments::isHeldBack,
                this::stalled);
    }

    /** Starts to receive {@code upload} over the data connection that the session has prepared. */
    static void begin(
            FtpSession session,
            FtpPath path,
            Upload upload,
            long announcedBytes,
            UploadStart start,
            TargetCheck target) {
        UploadTransfer transfer = new UploadTransfer(session, path, upload, announcedBytes, start, target);
        session.transferBegins(transfer);
        if (session.isClosing()) {
            transfer.controlClosed(); // it went while the beginning of a continued upload was loaded
            return;
        }
        session.preliminary(ReplyCode.STARTING, "FILE: " + path);
        transfer.port = session.dataPort().take(transfer::connected, transfer::notConnected);
        target.whenKnown(transfer::targetKnown);
    }

    private void targetKnown(String obstacle) {
        if (state == State.DONE || finishCalled) {
            return;
        }
        if (!obstacle.isEmpty()) {
            to(State.DONE, obstacle);
            drain();
            fragments.handOverTail();
            upload.cancel(obstacle);
            session.transferEnds(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, obstacle));
        } else if (state == State.COMMITTING) {
            finish();
        }
    }

    private void finish() {
        finishCalled = true;
        upload.finish(fragments.endPositionBytes(), this::committed);
    }

    private void connected(DataChannel channel) {
        if (state != State.CONNECTING) {
            channel.close();
            return;
        }
        to(State.RECEIVING, "data connection open");
        data = channel;
        channel.receive(sink);
        stallWatch.begin();
    }

    private void notConnected(Throwable cause) {
        if (state == State.CONNECTING) {
            breakOff("no data connection", DataPort.noConnection(cause));
        }
    }

    private void stalled() {
        breakOff(
                "data connection stalled",
                FtpReply.of(ReplyCode.TRANSFER_ABORTED, "Nothing came over the data connection for too long."));
    }

    @Override
    public void uploadEnded() {
        if (state != State.RECEIVING) {
            return;
        }
        to(State.ENDING, "data ended");
        long window = session.evidenceWindowNanos();
        // A continued upload's ALLO may mean the rest or the whole: it proves nothing.
        long announced =
                upload.resumePositionBytes() == 0 && sink == fragments ? announcedBytes : EndEvidence.NOT_ANNOUNCED;
        evidence = new EvidenceWait(
                session.loop(),
                new EndEvidence(System.nanoTime(), window, fragments.receivedBytes(), announced),
                this::decide);
        evidence.begin(data != null && data.endWasStated(), window);
    }

    private void decide(EndEvidence.Verdict verdict) {
        if (state != State.ENDING) {
            return;
        }
        if (verdict == EndEvidence.Verdict.COMPLETE && isCutRepetition()) {
            breakOff(
                    "less came than before it was refused",
                    FtpReply.about(
                            ReplyCode.FILE_UNAVAILABLE,
                            path,
                            "it ended after " + fragments.receivedBytes()
                                    + " bytes, and more had come before it was refused; upload it again"));
        } else if (verdict == EndEvidence.Verdict.COMPLETE) {
            to(State.COMMITTING, "end of upload is evident");
            if (target.isClear()) {
                finish();
            }
        } else {
            breakOff("control connection ended with the data", aborted("The control connection ended."));
        }
    }

    /** What ALLO had announced is complete, whatever came before. */
    private boolean isCutRepetition() {
        long bytes = fragments.receivedBytes();
        return upload.resumePositionBytes() == 0
                && session.uploads().refusedTries().isCutRepetition(session.account(), path, bytes)
                && bytes != announcedBytes;
    }

    private void refuse(Refusal refusal) {
        if (refusal.code().retriable() && upload.resumePositionBytes() == 0) {
            session.uploads().refusedTries().refused(session.account(), path, fragments.receivedBytes());
        }
        new InterruptedUpload(session.uploads(), upload)
                .refused(refusal, failure -> session.transferEnds(FailureReplies.of(path, failure)));
    }

    private void committed(Outcome<Commit> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            to(State.DONE, "durable");
            CustodyWait.begin(session, path, upload.key());
        } else {
            to(State.DONE, "refused");
            refuse(refusal);
        }
    }

    @Override
    public Optional<String> progress() {
        return Optional.of("Uploading " + path + ": " + fragments.receivedBytes() + " bytes received"
                + (fragments.isHeldBack() ? ", held back by this server's disk or space" : ""));
    }

    @Override
    public void commandArrived() {
        if (evidence != null) {
            evidence.commandArrived();
        }
    }

    @Override
    public void controlClosed() {
        if (evidence != null) {
            evidence.controlClosed();
        } else if (state != State.DONE) {
            breakOff("control connection ended", aborted("The control connection ended."));
        }
    }

    @Override
    public void abort(FtpReply reply) {
        if (state != State.COMMITTING && state != State.DONE) {
            breakOff("aborted", reply);
        }
    }

    @Override
    public void uploadBroken(Throwable cause) {
        if (state == State.RECEIVING) {
            breakOff("data connection broke", aborted("The data connection broke: " + cause.getMessage()));
        }
    }

    @Override
    public void uploadRefused(Refusal refusal) {
        if (state == State.DONE || state == State.COMMITTING) {
            return; // what finish() says decides
        }
        to(State.DONE, "spool refused");
        drain();
        refuse(refusal);
    }

    private void drain() {
        if (data != null) {
            data.drain(DRAIN_NANOS);
        } else {
            closeData();
        }
    }

    /** Ends an upload that is not complete. What came is kept in the spool, so that the client can continue with it. */
    private void breakOff(String reason, FtpReply reply) {
        to(State.DONE, reason);
        closeData();
        fragments.handOverTail();
        new InterruptedUpload(session.uploads(), upload).keep(reason, () -> session.transferEnds(reply));
    }

    private void closeData() {
        if (data != null) {
            data.close();
        } else if (port != null) {
            port.close();
        }
    }

    private FtpReply aborted(String text) {
        return FtpReply.of(ReplyCode.TRANSFER_ABORTED, text);
    }

    private void to(State next, String reason) {
        LOG.atDebug()
                .addKeyValue("session", session.id())
                .addKeyValue("transfer", upload.key())
                .addKeyValue("from", state)
                .addKeyValue("to", next)
                .addKeyValue("reason", reason)
                .log("upload");
        state = next;
        if (next != State.RECEIVING) {
            stallWatch.stop();
        }
    }
}
