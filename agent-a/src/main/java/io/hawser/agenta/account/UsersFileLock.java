package io.hawser.agenta.account;

import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The right to change a users file, against other processes too: a lock on {@code FILE.lock} beside it. The users file itself is
 * replaced by each change, so a lock on it would be one on a file that is no longer opened; for the same reason the lock file stays.
 *
 * <p>Thread: the one that made it.
 */
final class UsersFileLock implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 20;

    private final FileChannel channel;

    private UsersFileLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Waits for the right to change {@code users}, for ten seconds at most.
     *
     * @throws CommandException if another has it for longer
     */
    static UsersFileLock of(Path users) throws IOException {
        Path file = users.resolveSibling(users.getFileName() + ".lock");
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        boolean mine = false;
        try {
            long start = System.nanoTime();
            while (!mine) {
                mine = tryLock(channel) != null;
                if (!mine && System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new CommandException(
                            ExitCode.FAILED, "another process is changing " + users + " (it holds " + file + ")");
                }
                if (!mine) {
                    pause();
                }
            }
            return new UsersFileLock(channel);
        } finally {
            if (!mine) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // it is another thread of this process
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
