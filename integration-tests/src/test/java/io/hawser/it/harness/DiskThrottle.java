package io.hawser.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a block device slow for some processes, by the kernel's own means: a control group of blkio (version 1) or io (version 2). Only root
 * can.
 *
 * <p>Thread: one.
 */
public final class DiskThrottle implements AutoCloseable {
    private static final Path V1 = Path.of("/sys/fs/cgroup/blkio");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final String MEMBERS = "cgroup.procs";

    private final Path root;
    private final Path group;
    private final String device;

    private DiskThrottle(Path root, Path group, String device) {
        this.root = root;
        this.group = group;
        this.device = device;
    }

    /**
     * Makes a control group for the device of {@code disk}, without a limit and without processes.
     *
     * @throws IOException if this machine does not allow it
     */
    public static DiskThrottle of(LoopDisk disk) throws IOException {
        Path root = Files.isDirectory(V1) ? V1 : V2;
        if (root.equals(V2)) {
            Files.writeString(root.resolve("cgroup.subtree_control"), "+io");
        }
        Path group = Files.createDirectory(root.resolve("hawser-"
                + ProcessHandle.current().pid() + "-" + Path.of(disk.device()).getFileName()));
        String numbers = Files.readString(Path.of(
                        "/sys/class/block", Path.of(disk.device()).getFileName().toString(), "dev"))
                .strip();
        return new DiskThrottle(root, group, numbers);
    }

    /** From now on the processes read and write no more than so much each second. */
    public DiskThrottle limit(long bytesPerSecond) throws IOException {
        if (root.equals(V1)) {
            Files.writeString(group.resolve("blkio.throttle.write_bps_device"), device + " " + bytesPerSecond);
            Files.writeString(group.resolve("blkio.throttle.read_bps_device"), device + " " + bytesPerSecond);
        } else {
            Files.writeString(group.resolve("io.max"), device + " wbps=" + bytesPerSecond + " rbps=" + bytesPerSecond);
        }
        return this;
    }

    /** Holds for that process from now on. */
    public DiskThrottle hold(long pid) throws IOException {
        Files.writeString(group.resolve(MEMBERS), Long.toString(pid));
        return this;
    }

    /** Ends the limit. */
    @Override
    public void close() throws IOException {
        for (String pid : Files.readAllLines(group.resolve(MEMBERS))) {
            Files.writeString(root.resolve(MEMBERS), pid);
        }
        Files.delete(group);
    }
}
