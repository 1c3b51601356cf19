package io.hawser.it.harness;

import io.hawser.core.testkit.Program;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;

/**
 * A small ext4 file system in a file, mounted; and ballast that fills it. For root only, since nobody else mounts.
 *
 * <p>Thread: one at a time.
 */
public final class LoopDisk {
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path image;
    private final Path mountPoint;

    private LoopDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /** Makes and mounts one at {@code mountPoint}, which is made. Skips the test where that is not allowed (CI=true: fails it). */
    public static LoopDisk mount(Path image, Path mountPoint, long sizeBytes) throws IOException, InterruptedException {
        Program.needs("mkfs.ext4");
        Program.needs("mount");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(sizeBytes);
        }
        Files.createDirectories(mountPoint);
        Path directory = image.toAbsolutePath().getParent();
        Program.Result made = Program.run(directory, "mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        Assertions.assertThat(made.exitStatus()).as(made.output()).isZero();
        LoopDisk disk = mountAgain(image, mountPoint);
        Files.deleteIfExists(mountPoint.resolve("lost+found"));
        return disk;
    }

    /** Mounts one that was made before. */
    public static LoopDisk mountAgain(Path image, Path mountPoint) throws IOException, InterruptedException {
        Path directory = image.toAbsolutePath().getParent();
        Program.Result mounted = Program.run(directory, "mount", "-o", "loop", image.toString(), mountPoint.toString());
        if (mounted.exitStatus() != 0) {
            Program.unavailable("no right to mount a loop device (root has it): "
                    + mounted.output().strip());
        }
        return new LoopDisk(image, mountPoint);
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

    /** Makes the space free again. */
    public void empty() throws IOException {
        Files.delete(ballast());
    }

    private Path ballast() {
        return mountPoint.resolve("ballast");
    }

    /** Takes the mount point away from everybody; who has files open there keeps them. */
    public void unmount() throws IOException, InterruptedException {
        Program.Result gone = Program.run(image.toAbsolutePath().getParent(), "umount", "-l", mountPoint.toString());
        Assertions.assertThat(gone.exitStatus()).as(gone.output()).isZero();
    }
}
