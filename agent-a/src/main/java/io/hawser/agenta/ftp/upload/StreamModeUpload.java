package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.AsciiSink;
import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.ftp.data.PendingDataConnection;
import io.hawser.agenta.ftp.session.DataPort;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.upload.ByteSink;
import io.hawser.agenta.upload.EndEvidence;
import io.hawser.agenta.upload.EvidenceWait;
import io.hawser.agenta.upload.FragmentSink;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.agenta.upload.UploadStartPosition;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Refusal;
import io.hawser.store.spool.Upload;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An upload in stream mode. Its end is the data connection's, with evidence that its client did not die (see {@link EndEvidence}); the last
 * fragment goes to the disk while that is awaited.
 *
 * <p>Thread: the loop.
 */
final class StreamModeUpload extends FtpUpload implements FragmentSink.Listener {
    /** How long a client that was refused may take to hear of it and send no more. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final long announcedBytes;
    private final FragmentSink fragments;
    private final ByteSink sink;
    private @Nullable PendingDataConnection pending;
    private @Nullable DataConnection data;
    private @Nullable EvidenceWait evidence;

    private StreamModeUpload(
            FtpSession session,
            FtpPath path,
            Upload upload,
            long announcedBytes,
            UploadStartPosition start,
            UploadObstacleCheck target) {
        super(session, path, upload, target);
        this.announcedBytes = announcedBytes;
        this.fragments = new FragmentSink(
                session.uploads().buffers(), upload, start.index(), start.partial(), start.filled(), this);
        this.sink = session.settings().ascii() ? new AsciiSink(fragments) : fragments;
    }

    /** Starts to receive {@code upload} over the data connection that the session has prepared. */
    static void begin(
            FtpSession session,
            FtpPath path,
            Upload upload,
            long announcedBytes,
            UploadStartPosition start,
            UploadObstacleCheck target) {
        StreamModeUpload transfer = new StreamModeUpload(session, path, upload, announcedBytes, start, target);
        session.transferBegins(transfer);
        if (session.isClosing()) {
            transfer.controlClosed(); // it went while the beginning of a continued upload was loaded
            return;
        }
        session.preliminary(ReplyCode.STARTING, "FILE: " + path);
        transfer.pending = session.dataPort().take(transfer::connected, transfer::notConnected);
        transfer.watchTarget();
    }

    @Override
    long receivedBytes() {
        return fragments.receivedBytes();
    }

    @Override
    boolean isHeldBack() {
        return fragments.isHeldBack();
    }

    @Override
    boolean waitsForSpace() {
        return fragments.waitsForSpace();
    }

    @Override
    boolean isContinuable() {
        return sink == fragments; // TYPE A converts
    }

    private void connected(DataConnection channel) {
        if (state() != State.CONNECTING) {
            channel.close();
            return;
        }
        to(State.RECEIVING, "data connection open");
        data = channel;
        channel.receive(sink);
    }

    private void notConnected(Throwable cause) {
        if (state() == State.CONNECTING) {
            breakOff("no data connection", DataPort.noConnection(cause));
        }
    }

    @Override
    void stalled() {
        breakOff("data connection stalled", aborted("Nothing came over the data connection for too long."));
    }

    @Override
    public void uploadEnded() {
        if (state() != State.RECEIVING) {
            return;
        }
        to(State.ENDING, "data ended");
        long window = session.evidenceWindowNanos();
        // A continued upload's ALLO may mean the rest or the whole: it proves nothing.
        long announced =
                upload.resumePositionBytes() == 0 && isContinuable() ? announcedBytes : EndEvidence.NOT_ANNOUNCED;
        evidence = new EvidenceWait(
                session.loop(),
                new EndEvidence(System.nanoTime(), window, fragments.receivedBytes(), announced),
                this::decide);
        evidence.begin(data != null && data.endWasStated(), window);
    }

    private void decide(EndEvidence.Verdict verdict) {
        if (state() != State.ENDING) {
            return;
        }
        if (verdict != EndEvidence.Verdict.COMPLETE) {
            breakOff("control connection ended with the data", aborted("The control connection ended."));
        } else if (isCutRepetition()) {
            breakOff(
                    "less came than before it was refused",
                    FtpReply.about(
                            ReplyCode.FILE_UNAVAILABLE,
                            path,
                            "it ended after " + fragments.receivedBytes()
                                    + " bytes, and more had come before it was refused; upload it again"));
        } else {
            to(State.COMMITTING, "end of upload is evident");
            complete(fragments.endPositionBytes());
        }
    }

    /** What ALLO had announced is complete, whatever came before. */
    private boolean isCutRepetition() {
        long bytes = fragments.receivedBytes();
        return upload.resumePositionBytes() == 0
                && session.uploads().refusedTries().isCutRepetition(session.account(), path, bytes)
                && bytes != announcedBytes;
    }

    @Override
    void refuse(Refusal refusal) {
        if (refusal.code().retriable() && upload.resumePositionBytes() == 0) {
            session.uploads().refusedTries().refused(session.account(), path, fragments.receivedBytes());
        }
        super.refuse(refusal);
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
        } else {
            breakOff("control connection ended", aborted("The control connection ended."));
        }
    }

    @Override
    public void abort(FtpReply reply) {
        if (state() != State.COMMITTING) {
            breakOff("aborted", reply);
        }
    }

    @Override
    public void uploadBroken(Throwable cause) {
        if (state() == State.RECEIVING) {
            breakOff("data connection broke", aborted("The data connection broke: " + cause.getMessage()));
        }
    }

    @Override
    public void uploadRefused(Refusal refusal) {
        if (state() == State.DONE || state() == State.COMMITTING) {
            return; // what finish() says decides
        }
        to(State.DONE, "spool refused");
        stopReceiving(true);
        refuse(refusal);
    }

    @Override
    void stopReceiving(boolean refused) {
        if (data != null && refused) {
            data.drain(DRAIN_NANOS);
        } else if (data != null) {
            data.close();
        } else if (pending != null) {
            pending.close();
        }
        fragments.handOverTail();
    }
}
