package io.hawser.agenta.ftp;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Fragment;
import io.hawser.store.spool.Upload;

/**
 * The time from the command until an upload that broke off goes on: the beginning of the fragment in which it ended is loaded. That
 * is short, so whatever happens then is left to the transfer that follows.
 *
 * <p>Thread: the loop.
 */
final class UploadLoading implements Transfer {
    private final FtpSession session;
    private final FtpPath path;
    private final Upload upload;
    private final long announcedBytes;

    UploadLoading(FtpSession session, FtpPath path, Upload upload, long announcedBytes) {
        this.session = session;
        this.path = path;
        this.upload = upload;
        this.announcedBytes = announcedBytes;
    }

    /** Loads what stands before {@code position} in its fragment and begins the transfer there. */
    void begin(long position) {
        session.transferBegins(this);
        load(position);
    }

    /** Brings the beginning of the fragment in which {@code position} lies into a buffer, so that it can be filled up. */
    private void load(long position) {
        int size = upload.manifest().fragmentSizeBytes();
        long index = position / size;
        int length = (int) (position % size);
        if (length == 0) {
            goOn(new UploadTransfer.UploadStart(index, null, 0));
            return;
        }
        FragmentBuffer buffer = session.server().turns().tryAcquire();
        if (buffer == null) {
            session.server().turns().whenTurn(() -> load(position));
            return;
        }
        UploadTransfer.UploadStart start = new UploadTransfer.UploadStart(index, buffer, length);
        if (index == upload.resumePositionBytes() / size) {
            upload.loadPartial(buffer, loaded -> loaded(start, buffer, loaded.isRefused()));
        } else {
            session.server().spool().load(upload.key(), index, loaded -> {
                if (!loaded.isRefused()) {
                    copy(loaded.get(), buffer, length);
                }
                loaded(start, buffer, loaded.isRefused());
            });
        }
    }

    private static void copy(Fragment fragment, FragmentBuffer into, int length) {
        into.payload(0, length).put(fragment.buffer().payload(fragment.offset(), length));
        fragment.buffer().release();
    }

    private void loaded(UploadTransfer.UploadStart start, FragmentBuffer buffer, boolean failed) {
        if (failed) {
            buffer.release();
            upload.abandon("its beginning cannot be read");
            session.transferEnds(
                    FtpReply.about(ReplyCode.LOCAL_ERROR, path, "what came before cannot be read; upload it again"));
        } else {
            goOn(start);
        }
    }

    private void goOn(UploadTransfer.UploadStart start) {
        UploadTransfer.begin(session, path, upload, announcedBytes, start, TargetLook.notNeeded());
    }

    @Override
    public void controlClosed() {}

    @Override
    public void abort(FtpReply reply) {}
}
