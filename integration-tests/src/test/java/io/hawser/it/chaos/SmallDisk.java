package io.hawser.it.chaos;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node's own ext4 file system in a sparse file, mounted, that can be filled and freed at once. For root only. Thread: any. */
final class SmallDisk implements AutoCloseable {
    private static final long SIZE_BYTES = 3L << 30;
    private static final int LIMIT_SECONDS = 60;
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Path image;
    private final Path mountPoint;
    private boolean closed;
    private volatile boolean full;
    private volatile long freedNanos = System.nanoTime() - RECENT_NANOS;

    /** Makes and mounts it. */
    SmallDisk(Path mountPoint) throws IOException {
        this.mountPoint = Files.createDirectories(mountPoint);
        image = mountPoint.resolveSibling(mountPoint.getFileName() + ".img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(SIZE_BYTES);
        }
        run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        run("mount", "-o", "loop", image.toString(), mountPoint.toString());
    }

    /** Why there can be none; empty if there can. */
    static String problem() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return "only root mounts file systems";
        }
        boolean tools = List.of("/usr/sbin", "/sbin").stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "mkfs.ext4")));
        return tools && Files.exists(Path.of("/dev/loop-control")) ? "" : "no mkfs.ext4 or no loop devices";
    }

    /** Takes all but so much. */
    void fillTo(long leftBytes) throws IOException {
        full = true;
        long take = Files.getFileStore(mountPoint).getUsableSpace() - leftBytes;
        if (take > 0) {
            // What a node writes meanwhile may make it fail half-way, which is as full as can be.
            start("fallocate", "-l", Long.toString(take), ballast().toString());
        }
    }

    /** Gives it back. */
    void empty() throws IOException {
        Files.deleteIfExists(ballast());
        freedNanos = System.nanoTime();
        full = false;
    }

    /** Whether it is full, or was not long ago. */
    boolean wasFull() {
        return full || System.nanoTime() - freedNanos < RECENT_NANOS;
    }

    boolean isFull() {
        return full;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        run("umount", "-l", mountPoint.toString());
        Files.deleteIfExists(image);
    }

    private Path ballast() {
        return mountPoint.resolve("ballast");
    }

    private static void run(String... command) throws IOException {
        if (start(command) != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }

    private static int start(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
