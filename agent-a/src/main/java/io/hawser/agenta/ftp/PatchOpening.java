package io.hawser.agenta.ftp;

import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Attributes;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKind;
import io.hawser.common.remote.RemoteFile;
import io.hawser.common.spool.Upload;
import io.hawser.common.spool.UploadRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * APPE, and STOR behind REST, on a file that the far end has: the bytes are a patch of exactly that file. As FTP servers do, what is
 * before them stays, and so does what is behind them. The far end refuses if the file has changed by then.
 *
 * <p>Thread: the loop.
 */
final class PatchOpening {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final FtpSession session;
    private final FtpPath path;
    private final Namespace.Place place;
    private final OptionalLong restart;
    private final Runnable beginNew;

    private PatchOpening(
            FtpSession session, FtpPath path, Namespace.Place place, OptionalLong restart, Runnable beginNew) {
        this.session = session;
        this.path = path;
        this.place = place;
        this.restart = restart;
        this.beginNew = beginNew;
    }

    /**
     * Opens it, or refuses.
     *
     * @param restart the position of REST, or empty for APPE
     * @param beginNew begins a new file: what APPE does where there is none
     */
    static void open(FtpSession session, FtpPath path, Namespace.Place place, OptionalLong restart, Runnable beginNew) {
        new PatchOpening(session, path, place, restart, beginNew).open();
    }

    private void open() {
        if (!session.server().spool().touching(place.topic(), place.name()).isEmpty()) {
            // What the far end will have then is not known in time.
            refuse(FtpReply.about(
                    ReplyCode.FILE_BUSY, path, "an earlier upload or change of it is on its way; try again later"));
            return;
        }
        session.server()
                .remoteFiles()
                .stat(place.topic(), place.name(), PATIENCE, outcome -> session.ifOpen(() -> told(outcome)));
    }

    private void told(Outcome<RemoteFile> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            begin(outcome.get());
        } else if (refusal.code() == ErrorCode.NOT_FOUND) {
            if (restart.isEmpty()) {
                beginNew.run();
            } else {
                refuse(FtpReply.about(
                        ReplyCode.FILE_UNAVAILABLE,
                        path,
                        "No such file or directory: no upload of this name broke off; use STOR from the beginning"));
            }
        } else if (refusal.code() == ErrorCode.UNREACHABLE) {
            refuse(FtpReply.about(
                    ReplyCode.FILE_BUSY, path, "the far end is not connected, and it has the file; try again later"));
        } else {
            refuse(Refusals.reply(path, refusal));
        }
    }

    private void begin(RemoteFile base) {
        long offset = restart.orElse(base.sizeBytes());
        if (base.isDirectory()) {
            refuse(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, "Is a directory"));
            return;
        }
        if (offset > base.sizeBytes()) {
            refuse(FtpReply.about(
                    ReplyCode.BAD_RESTART_POSITION, path, "only " + base.sizeBytes() + " bytes are there, see SIZE"));
            return;
        }
        Outcome<Upload> begun = session.server().spool().begin(request(base, offset));
        Refusal refusal = begun.refusal();
        if (refusal != null) {
            refuse(Refusals.reply(path, refusal));
        } else {
            // An ALLO may mean the rest or the whole: it proves nothing.
            UploadTransfer.begin(
                    session, path, begun.get(), EndEvidence.NOT_ANNOUNCED, UploadTransfer.UploadStart.BEGINNING);
        }
    }

    private UploadRequest request(RemoteFile base, long offset) {
        return new UploadRequest(
                place.topic(),
                TransferKind.PATCH,
                place.name(),
                List.of(place.name()),
                Manifest.UNKNOWN_SIZE,
                session.server().pool().payloadCapacity(),
                Map.of(
                        Attributes.ACCOUNT,
                        session.account(),
                        Attributes.OFFSET,
                        Long.toString(offset),
                        Attributes.BASE_SIZE,
                        Long.toString(base.sizeBytes()),
                        Attributes.BASE_FINGERPRINT,
                        base.fingerprint(),
                        Attributes.MODE,
                        Integer.toOctalString(base.mode() & 0777)));
    }

    private void refuse(FtpReply reply) {
        session.dataPort().close();
        session.reply(reply);
    }
}
