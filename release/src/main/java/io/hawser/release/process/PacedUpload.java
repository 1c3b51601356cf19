package io.hawser.release.process;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPReply;

/**
 * One FTP upload at a given rate on a thread of its own: anonymous, binary, passive, STOR.
 *
 * <p>Thread: any.
 */
public final class PacedUpload {
    private static final int STEP_BYTES = 128 * 1024;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final CompletableFuture<String> reply = new CompletableFuture<>();
    private volatile long sentBytes;
    private volatile long ceilingBytes = Long.MAX_VALUE;

    private PacedUpload() {}

    /**
     * Begins to send.
     *
     * @param source read to its end, and closed
     * @param bytesPerSecond the rate
     */
    public static PacedUpload start(HostPort ftp, String path, InputStream source, long bytesPerSecond) {
        PacedUpload upload = new PacedUpload();
        Thread thread = new Thread(() -> upload.run(ftp, path, source, bytesPerSecond), "upload");
        thread.setDaemon(true);
        thread.start();
        return upload;
    }

    /** The client pauses when it has sent so many bytes, until the ceiling is raised. */
    public void ceiling(long bytes) {
        ceilingBytes = bytes;
    }

    /** Payload that was given to the socket. */
    public long sentBytes() {
        return sentBytes;
    }

    /** The server's final reply, such as {@code 226 …}; exceptional if it was none of success. */
    public CompletableFuture<String> reply() {
        return reply;
    }

    private void run(HostPort ftp, String path, InputStream source, long bytesPerSecond) {
        FTPClient client = null;
        try (source) {
            client = FtpAccount.anonymous(ftp).open(Duration.ZERO, TIMEOUT);
            OutputStream out = client.storeFileStream(path);
            if (out == null) {
                throw new IOException(
                        "STOR was refused: " + client.getReplyString().strip());
            }
            try (out) {
                copy(source, out, bytesPerSecond);
            }
            boolean done = client.completePendingCommand();
            String text = client.getReplyString().strip();
            if (!done || !FTPReply.isPositiveCompletion(client.getReplyCode())) {
                throw new IOException("the upload failed: " + text);
            }
            reply.complete(text);
            client.logout();
        } catch (IOException | RuntimeException e) {
            reply.completeExceptionally(new CompletionException(e));
        } finally {
            FtpAccount.close(client);
        }
    }

    private void copy(InputStream source, OutputStream out, long bytesPerSecond) throws IOException {
        byte[] step = new byte[STEP_BYTES];
        long began = System.nanoTime();
        long total = 0;
        for (int length = source.read(step); length >= 0; length = source.read(step)) {
            while (total + length > ceilingBytes) {
                out.flush();
                LockSupport.parkNanos(PAUSE_NANOS);
                // A pause is no reason to hurry afterwards.
                began = System.nanoTime() - (long) (total * 1e9 / bytesPerSecond);
            }
            out.write(step, 0, length);
            total += length;
            sentBytes = total;
            long dueNanos = (long) (total * 1e9 / bytesPerSecond);
            long early = began + dueNanos - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(early);
            }
        }
    }
}
