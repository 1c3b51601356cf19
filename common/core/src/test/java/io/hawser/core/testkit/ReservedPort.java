package io.hawser.core.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of loopback for a program that cannot be asked for port 0 or that has to come back on the same one. No other test process
 * reserves it meanwhile, and the kernel gives it to nobody: it is below those that it chooses by itself. Without that, a test can
 * end up at the server of another.
 *
 * <p>Thread: any.
 */
public final class ReservedPort implements AutoCloseable {
    private static final int FIRST = 15_000;
    private static final int LAST = 31_999; // Linux chooses from 32768 on
    private static final int ATTEMPTS = 1_000;

    private final int number;
    private final FileLock lock;

    private ReservedPort(int number, FileLock lock) {
        this.number = number;
        this.lock = lock;
    }

    /** Reserves one at which nobody listens. */
    public static ReservedPort take() throws IOException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "hawser-test-ports"));
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int number = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            FileLock lock = lock(directory.resolve(Integer.toString(number)));
            if (lock != null && isFree(number)) {
                return new ReservedPort(number, lock);
            }
            if (lock != null) {
                lock.channel().close();
            }
        }
        throw new IOException("no port of loopback is free between " + FIRST + " and " + LAST);
    }

    private static FileLock lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // this very process has it, which is as good a reason to take another
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        return lock;
    }

    private static boolean isFree(int number) {
        try (ServerSocket socket = new ServerSocket(number, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    public int number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        lock.channel().close();
    }
}
