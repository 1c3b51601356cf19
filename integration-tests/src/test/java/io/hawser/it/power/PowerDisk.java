package io.hawser.it.power;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A file system on a loop device whose power can be cut: what the kernel has not written by then is lost, as the file system's own
 * ioctl for it promises ({@code XFS_IOC_GOINGDOWN}, {@code EXT4_IOC_SHUTDOWN}, without a flush of the journal). For root only.
 *
 * <p>What has been written to the device without a flush stays, since a loop device has no cache that it could lose.
 *
 * <p>Thread: one at a time.
 */
final class PowerDisk implements AutoCloseable {
    private static final int TRIES = 1200;
    private static final int PAUSE_MILLIS = 50;

    private final Path image;
    private final Path mountPoint;
    private String device = "";
    private boolean mounted;

    private PowerDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /**
     * Makes and mounts one.
     *
     * @param fileSystem ext4 or xfs
     */
    static PowerDisk make(Path image, Path mountPoint, String fileSystem, long sizeBytes)
            throws IOException, InterruptedException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(sizeBytes);
        }
        Files.createDirectories(mountPoint);
        if (fileSystem.equals("xfs")) {
            Shell.run("mkfs.xfs", "-q", "-f", image.toString());
        } else {
            Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        }
        PowerDisk disk = new PowerDisk(image, mountPoint);
        disk.attach();
        Files.deleteIfExists(mountPoint.resolve("lost+found"));
        return disk;
    }

    Path mountPoint() {
        return mountPoint;
    }

    /** The power fails. Who has files open here keeps them, and every call on them fails. */
    void cut() throws IOException, InterruptedException {
        Shell.run("xfs_io", "-x", "-c", "shutdown", mountPoint.toString());
    }

    /** Takes the dead file system away and waits until its device is free: one that is mounted again before shows what never was on it. */
    void detach() throws IOException, InterruptedException {
        if (mounted) {
            retry(() -> Shell.run("umount", mountPoint.toString()));
            mounted = false;
        }
        if (!device.isEmpty()) {
            retry(() -> Shell.run("losetup", "-d", device));
            Path backing = Path.of("/sys/block", Path.of(device).getFileName().toString(), "loop/backing_file");
            retry(() -> {
                String users = Shell.run("losetup", "-j", image.toString());
                if (!users.isEmpty() || (Files.exists(backing) && backs(backing))) {
                    throw new IOException(device + " is still in use: " + users);
                }
            });
            device = "";
        }
    }

    private boolean backs(Path backing) throws IOException {
        try {
            return Files.readString(backing).strip().equals(image.toString());
        } catch (java.nio.file.NoSuchFileException e) {
            return false;
        }
    }

    /** The power is back: the file system recovers, and is mounted. */
    void attach() throws IOException, InterruptedException {
        device = Shell.run("losetup", "-f", "--show", image.toString());
        Shell.run("mount", device, mountPoint.toString());
        mounted = true;
    }

    /** Takes it away for good. */
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
        void run() throws IOException, InterruptedException;
    }

    private static void retry(Step step) throws IOException, InterruptedException {
        for (int i = 1; ; i++) {
            try {
                step.run();
                return;
            } catch (IOException e) {
                if (i == TRIES) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }
}
