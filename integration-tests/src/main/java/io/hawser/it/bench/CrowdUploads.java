package io.hawser.it.bench;

import io.hawser.core.config.HostPort;
import io.hawser.release.process.FtpAccount;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.net.ftp.FTPClient;

/**
 * FTP uploads that all begin at once, each on a thread and connections of its own; they may stand still in the middle. Their content is
 * taken from one random block, from another place for each.
 *
 * <p>Thread: one.
 */
final class CrowdUploads {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int STEP_BYTES = 16 << 10;
    private static final long STACK_BYTES = 256 << 10;
    private static final int KNOCKING = 16;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    /** A connect may wait for the others'. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final HostPort ftp;
    private final String prefix;
    private final int count;
    private final long sizeBytes;
    private final long pauseAtBytes;
    private final byte[] block = new byte[BLOCK_BYTES];
    private final Semaphore knocking = new Semaphore(KNOCKING);
    private final CountDownLatch standing;
    private final CountDownLatch going = new CountDownLatch(1);
    private final List<CompletableFuture<Void>> replies = new ArrayList<>();

    /**
     * @param prefix of their names
     * @param sizeBytes of each
     * @param pauseAtBytes what each sends before it stands still; all for none that does
     */
    CrowdUploads(HostPort ftp, String prefix, int count, long sizeBytes, long pauseAtBytes) {
        this.ftp = ftp;
        this.prefix = prefix;
        this.count = count;
        this.sizeBytes = sizeBytes;
        this.pauseAtBytes = pauseAtBytes;
        this.standing = new CountDownLatch(count);
        new SplittableRandom(sizeBytes).nextBytes(block);
    }

    void start() {
        for (int i = 0; i < count; i++) {
            int number = i;
            CompletableFuture<Void> reply = new CompletableFuture<>();
            replies.add(reply);
            Thread thread = new Thread(null, () -> run(number, reply), "upload-" + i, STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Returns when each has sent what it sends before it stands still. */
    void awaitStandstill() throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (!standing.await(1, TimeUnit.SECONDS)) {
            for (CompletableFuture<Void> reply : replies) {
                if (reply.isCompletedExceptionally()) {
                    awaitReplies();
                }
            }
            if (System.nanoTime() - began > LIMIT.toNanos()) {
                throw new IOException(standing.getCount() + " of " + count + " uploads have not come to their pause");
            }
        }
    }

    /** Lets those that stand still go on. */
    void goOn() {
        going.countDown();
    }

    /** Returns when each has a final reply of success. @throws IOException if one has another */
    void awaitReplies() throws IOException, InterruptedException {
        try {
            CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                    .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("an upload failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("not all of " + count + " uploads ended within " + LIMIT.toMinutes() + " minutes", e);
        }
    }

    /** Whether all files are there with the right bytes. They stay: ext4 takes long to find an inode among some that were deleted lately. */
    boolean compare(Path target) throws IOException {
        boolean equal = true;
        for (int i = 0; i < count; i++) {
            Path file = target.resolve(prefix + i);
            try (InputStream expected = new Content(i, sizeBytes);
                    InputStream found = Files.newInputStream(file)) {
                byte[] wanted = expected.readNBytes(STEP_BYTES);
                while (wanted.length > 0 && equal) {
                    equal = Arrays.equals(wanted, found.readNBytes(wanted.length));
                    wanted = expected.readNBytes(STEP_BYTES);
                }
                equal &= found.read() < 0;
            }
        }
        return equal;
    }

    private void run(int number, CompletableFuture<Void> reply) {
        FTPClient client = null;
        try (InputStream content = new Content(number, pauseAtBytes)) {
            client = logIn();
            client.setBufferSize(STEP_BYTES);
            if (!client.storeFile(prefix + number, content)) {
                throw new IOException(client.getReplyString().strip());
            }
            reply.complete(null);
        } catch (IOException | RuntimeException e) {
            reply.completeExceptionally(e);
        } finally {
            FtpAccount.close(client);
        }
    }

    /** As many at a time as the server lets one address have that are not logged in. */
    private FTPClient logIn() throws IOException {
        knocking.acquireUninterruptibly();
        try {
            return FtpAccount.anonymous(ftp).open(TIMEOUT, TIMEOUT);
        } finally {
            knocking.release();
        }
    }

    /** The bytes of one upload; at the pause it waits. */
    private final class Content extends InputStream {
        private final int offset;
        private final long pauseAt;
        private long position;

        Content(int number, long pauseAt) {
            this.offset = (int) (number * 1009L % BLOCK_BYTES);
            this.pauseAt = pauseAt;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            if (position == sizeBytes) {
                return -1;
            }
            if (position == pauseAt) {
                pause();
            }
            long most = (position < pauseAt ? pauseAt : sizeBytes) - position;
            int inBlock = (int) ((offset + position) % BLOCK_BYTES);
            int read = (int) Math.min(Math.min(length, BLOCK_BYTES - inBlock), most);
            System.arraycopy(block, inBlock, target, start, read);
            position += read;
            return read;
        }

        private void pause() throws IOException {
            standing.countDown();
            try {
                going.await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted in the middle of an upload", e);
            }
        }
    }
}
