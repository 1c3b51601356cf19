package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.apache.commons.net.ftp.FTPReply;

/**
 * Uploads in stream mode (RFC 959 §3.4.1) and resumes at the end of the far file: by {@code REST n} and STOR (RFC 3659 §5), or by APPE where the
 * server knows no REST.
 *
 * <p>Thread: the target's.
 */
record FarStreamUpload(StallWatchdog watch) implements FarUpload {
    @Override
    public void run(FarSession session, UploadSource source, String path, DeliveryCheckpoint checkpoint)
            throws IOException {
        long present = session.sizeOf(path);
        if (source.sizeBytes() != UploadSource.UNKNOWN && present > source.sizeBytes()) {
            session.delete(path);
            present = FarSession.MISSING;
        }
        if (present >= 0 && source.awaitReadable(present, () -> {}) <= present) {
            return;
        }
        send(session, source, path, Math.max(0, present));
    }

    private void send(FarSession session, UploadSource source, String path, long offset) throws IOException {
        try (StallWatchdog.Watched watched = watch.watch(session::abandon)) {
            try {
                String verb = "STOR";
                Socket data;
                try {
                    data = session.client().beginTransfer(verb, path, offset);
                } catch (FarRefusedException e) {
                    if (offset == 0 || !knowsNoRestart(e.code())) {
                        throw e;
                    }
                    verb = "APPE";
                    data = session.client().beginTransfer(verb, path, 0);
                }
                copy(session, source, data, offset, verb, watched);
            } catch (FarRefusedException e) {
                throw e;
            } catch (IOException e) {
                throw watched.reason(e);
            }
        }
    }

    private static boolean knowsNoRestart(int code) {
        return code == FTPReply.UNRECOGNIZED_COMMAND
                || code == FTPReply.SYNTAX_ERROR_IN_ARGUMENTS
                || code == FTPReply.COMMAND_NOT_IMPLEMENTED
                || code == FTPReply.COMMAND_NOT_IMPLEMENTED_FOR_PARAMETER;
    }

    private static void copy(
            FarSession session,
            UploadSource source,
            Socket data,
            long offset,
            String verb,
            StallWatchdog.Watched watched)
            throws IOException {
        byte[] step = new byte[LandedFile.STEP_BYTES];
        try (data) {
            OutputStream out = data.getOutputStream();
            long position = offset;
            for (long end = source.awaitReadable(position, watched::progress);
                    end > position;
                    end = source.awaitReadable(position, watched::progress)) {
                int count = source.read(step, position, (int) Math.min(step.length, end - position));
                out.write(step, 0, count);
                position += count;
                watched.progress();
            }
            out.flush();
        } catch (StorageException e) {
            throw e;
        } catch (IOException e) {
            FarRefusedException refusal = watched.wasSilent() ? null : session.finalReply(verb);
            throw refusal == null ? e : refusal;
        }
        watched.progress();
        session.client().endTransfer(verb);
    }
}
