package io.hawser.it.harness;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A small file system in a file, mounted by a loop device, that can be filled and whose power can be cut. Only root can mount.
 *
 * <p>A power cut loses what the kernel has not written to the device, as the file system's own ioctl promises
 * ({@code XFS_IOC_GOINGDOWN}, {@code EXT4_IOC_SHUTDOWN}, without a flush of the journal). What was written to the device without a flush
 * stays: a loop device has no cache.
 *
 * <p>Thread: one at a time.
 */
public final class LoopDisk implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int PAUSE_MILLIS = 50;

    private final Path image;
    private final Path mountPoint;
    private String device = "";

    private LoopDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /**
     * Makes one and mounts it at {@code mountPoint}, which is made.
     *
     * @param fileSystem ext4 or xfs
     */
    public static LoopDisk make(Path image, Path mountPoint, String fileSystem, long sizeBytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(sizeBytes);
        }
        Files.createDirectories(mountPoint);
        if (fileSystem.equals("xfs")) {
            Shell.run("mkfs.xfs", "-q", "-f", image.toString());
        } else {
            Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        }
        LoopDisk disk = new LoopDisk(image, mountPoint);
        disk.attach();
        Files.deleteIfExists(mountPoint.resolve("lost+found"));
        return disk;
    }

    /** Makes and mounts one with ext4. Skips the test where that is not allowed (CI=true: fails it). */
    public static LoopDisk mount(Path image, Path mountPoint, long sizeBytes) {
        return mount(image, mountPoint, "ext4", sizeBytes);
    }

    /** The same with ext4 or xfs. */
    public static LoopDisk mount(Path image, Path mountPoint, String fileSystem, long sizeBytes) {
        Program.needs("mkfs." + fileSystem);
        Program.needs("losetup");
        try {
            return make(image, mountPoint, fileSystem, sizeBytes);
        } catch (IOException e) {
            Program.unavailable("no right to mount loop devices (root has it): " + e.getMessage());
            throw new AssertionError("not reached", e);
        }
    }

    /** Mounts one that was made and unmounted before. */
    public static LoopDisk mountAgain(Path image, Path mountPoint) throws IOException {
        LoopDisk disk = new LoopDisk(image, mountPoint);
        disk.attach();
        return disk;
    }

    /** Its block device, such as {@code /dev/loop0}. */
    public String device() {
        return device;
    }

    public long freeBytes() throws IOException {
        return Files.getFileStore(mountPoint).getUsableSpace();
    }

    /** Writes a file until only so much is free. */
    public void fillTo(long freeBytes) throws IOException {
        try (RandomAccessFile ballast = new RandomAccessFile(ballast().toFile(), "rw")) {
            ballast.seek(ballast.length());
            for (long left = freeBytes() - freeBytes; left > 0; left = freeBytes() - freeBytes) {
                ballast.write(new byte[(int) Math.min(CHUNK_BYTES, left)]);
                ballast.getFD().sync();
            }
        }
    }

    /** Allocates a file so that only so much is free: faster, but leaves more free if others write meanwhile. */
    public void allocateTo(long freeBytes) throws IOException {
        long bytes = freeBytes() - freeBytes;
        if (bytes > 0) {
            Shell.run("fallocate", "-l", Long.toString(bytes), ballast().toString());
        }
    }

    /** Makes the space free again. */
    public void empty() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return mountPoint.resolve("ballast");
    }

    /**
     * Cuts the power. Open files stay open, and every call on them fails; but with XFS (Linux 6.18) a force that is under way succeeds,
     * though nothing is written: whoever writes has to stand still, see {@link FrozenProcess}.
     */
    public void cut() throws IOException {
        Shell.run("xfs_io", "-x", "-c", "shutdown", mountPoint.toString());
    }

    /** Lets ext4 find an error, after which it is read-only also for open files. A new mount is writable. */
    public void turnReadOnly() throws IOException {
        Shell.run("mount", "-o", "remount,errors=remount-ro", mountPoint.toString());
        Files.writeString(Path.of("/sys/fs/ext4", Path.of(device).getFileName().toString(), "trigger_fs_error"), "1");
    }

    /** Unmounts the file system and waits until its device is free: mounted again earlier, it shows what was never on the device. */
    public void detach() throws IOException, InterruptedException {
        if (device.isEmpty()) {
            return;
        }
        retry(() -> Shell.run("umount", mountPoint.toString()));
        retry(() -> Shell.run("losetup", "-d", device));
        Path backing = Path.of("/sys/block", Path.of(device).getFileName().toString(), "loop/backing_file");
        retry(() -> {
            String users = Shell.run("losetup", "-j", image.toString());
            if (!users.isEmpty() || backs(backing)) {
                throw new IOException(device + " is still in use: " + users);
            }
        });
        device = "";
    }

    private boolean backs(Path backing) throws IOException {
        try {
            return Files.readString(backing).strip().equals(image.toString());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Mounts it, after a cut with the file system's recovery. */
    public void attach() throws IOException {
        device = Shell.run("losetup", "-f", "--show", image.toString());
        try {
            Shell.run("mount", device, mountPoint.toString());
        } catch (IOException e) {
            Shell.run("losetup", "-d", device);
            device = "";
            throw e;
        }
    }

    /** Takes the mount point away from everybody at once; files that are open there stay open. */
    public void unmount() throws IOException {
        if (!device.isEmpty()) {
            Shell.run("umount", "-l", mountPoint.toString());
            Shell.run("losetup", "-d", device); // done by the kernel when the last file is closed
            device = "";
        }
    }

    /** Unmounts it at once and deletes its image. */
    public void discard() throws IOException {
        unmount();
        Files.deleteIfExists(image);
    }

    /** Waits until it is unmounted and deletes its image. */
    @Override
    public void close() throws IOException {
        try {
            detach();
            Files.deleteIfExists(image);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void retry(Step step) throws IOException, InterruptedException {
        long end = System.nanoTime() + TestTimes.LIMIT.toNanos();
        while (true) {
            try {
                step.run();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }
}
