package io.hawser.it.power;

import io.hawser.it.harness.LoopDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Two writers on a disk whose power is then cut: one that forces what it appends must lose nothing, and one that does not must lose
 * something. If either is not so, the cuts of that run say nothing.
 *
 * @param forced records that were appended and forced
 * @param forcedLost how many of them were not there afterwards
 * @param unforced records that were appended and not forced
 * @param unforcedLost how many of them were not there afterwards
 */
record Controls(int forced, int forcedLost, int unforced, int unforcedLost) {
    private static final int RECORD_BYTES = 4096;
    private static final int RECORDS = 200;
    private static final long DISK_BYTES = 512L << 20;

    boolean hold() {
        return forcedLost == 0 && unforcedLost > 0;
    }

    /** Makes a disk in {@code directory}, runs both writers on it, cuts its power, and looks. */
    static Controls run(Path directory, String fileSystem) throws IOException, InterruptedException {
        Path mountPoint = directory.resolve("control");
        try (LoopDisk disk = LoopDisk.make(directory.resolve("control.img"), mountPoint, fileSystem, DISK_BYTES)) {
            Path forced = mountPoint.resolve("forced");
            Path unforced = mountPoint.resolve("unforced");
            append(forced, true);
            append(unforced, false);
            disk.cut();
            disk.detach();
            disk.attach();
            return new Controls(RECORDS, RECORDS - found(forced), RECORDS, RECORDS - found(unforced));
        }
    }

    private static void append(Path file, boolean force) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < RECORDS; i++) {
                channel.write(record(i), (long) i * RECORD_BYTES);
                if (force) {
                    channel.force(false);
                }
            }
        }
        if (force) {
            try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }

    private static ByteBuffer record(int number) {
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
        while (record.hasRemaining()) {
            record.putInt(number + 1);
        }
        return record.flip();
    }

    private static int found(Path file) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        int found = 0;
        for (int i = 0; i < RECORDS && all.remaining() >= RECORD_BYTES; i++) {
            ByteBuffer next = all.slice(all.position(), RECORD_BYTES);
            found += next.equals(record(i)) ? 1 : 0;
            all.position(all.position() + RECORD_BYTES);
        }
        return found;
    }
}
