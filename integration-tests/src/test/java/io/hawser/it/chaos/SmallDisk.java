package io.hawser.it.chaos;

import io.hawser.it.harness.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node's own ext4 file system in a sparse file, mounted, that can be filled and freed at once. For root only. Thread: any. */
final class SmallDisk implements AutoCloseable {
    private static final long SIZE_BYTES = 3L << 30;
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LoopDisk disk;
    private boolean closed;
    private volatile boolean full;
    private volatile long freedNanos = System.nanoTime() - RECENT_NANOS;

    /** Makes and mounts it. */
    SmallDisk(Path mountPoint) throws IOException {
        disk = LoopDisk.make(
                mountPoint.resolveSibling(mountPoint.getFileName() + ".img"), mountPoint, "ext4", SIZE_BYTES);
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
    void fillTo(long leftBytes) {
        full = true;
        try {
            disk.allocateTo(leftBytes);
        } catch (IOException e) {
            return; // others wrote meanwhile: it is full
        }
    }

    /** Gives it back. */
    void empty() throws IOException {
        disk.empty();
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
        disk.discard();
    }
}
