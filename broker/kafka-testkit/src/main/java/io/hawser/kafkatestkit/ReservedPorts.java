package io.hawser.kafkatestkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports of loopback for processes that others must know before they run, or that have to come back on the same ones. They are below those
 * that the kernel chooses by itself, so that no connection gets one while its owner is down; and no other process that asks here, or asks
 * {@code ReservedPort} of the substrate's tests (the lock files are the same), gets one meanwhile.
 *
 * <p>Thread: any.
 */
public final class ReservedPorts implements AutoCloseable {
    private static final int FIRST = 15_000;
    private static final int LAST = 31_999; // Linux chooses from 32768 on
    private static final int ATTEMPTS = 1_000;

    private final List<Integer> numbers = new ArrayList<>();
    private final List<FileLock> locks = new ArrayList<>();

    private ReservedPorts() {}

    /** Reserves that many ports without a listener. */
    public static ReservedPorts take(int count) throws IOException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "hawser-test-ports"));
        ReservedPorts ports = new ReservedPorts();
        for (int attempt = 0; attempt < ATTEMPTS && ports.numbers.size() < count; attempt++) {
            int number = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            FileLock lock = lock(directory.resolve(Integer.toString(number)));
            if (lock != null && isFree(number)) {
                ports.numbers.add(number);
                ports.locks.add(lock);
            } else if (lock != null) {
                lock.channel().close();
            }
        }
        if (ports.numbers.size() < count) {
            ports.close();
            throw new IOException(
                    "fewer than " + count + " ports of loopback are free between " + FIRST + " and " + LAST);
        }
        return ports;
    }

    private static @Nullable FileLock lock(Path file) throws IOException {
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

    /** The one of this index, from 0 on. */
    public int number(int index) {
        return numbers.get(index);
    }

    @Override
    public void close() throws IOException {
        for (FileLock lock : locks) {
            lock.channel().close();
        }
    }
}
