package io.hawser.it.bench;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What the disk does with three concurrent writers that force: the three copies that a transfer makes, without anything
 * else. Direct I/O where the file system has it.
 *
 * <p>Thread: one.
 */
final class DiskBaseline {
    private static final int WRITERS = 3;
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int ALIGNMENT = 4096;

    /** A force for each of these, as a group commit of a busy node has. */
    private static final int FORCE_EVERY = 8;

    private DiskBaseline() {}

    /**
     * Writes three files of {@code sizeBytes} at once, and removes them. Returns bytes per second of one writer.
     *
     * @param directory on the disk that is measured
     */
    static double bytesPerSecond(Path directory, long sizeBytes) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Path> files = new ArrayList<>();
        long began = System.nanoTime();
        try {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Path file = directory.resolve("baseline-" + i);
                files.add(file);
                writers.add(CompletableFuture.runAsync(() -> write(file, sizeBytes), threads));
            }
            CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
            return sizeBytes / ((System.nanoTime() - began) / 1e9);
        } finally {
            threads.shutdown();
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void write(Path file, long sizeBytes) {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES + ALIGNMENT).alignedSlice(ALIGNMENT);
        block.limit(BLOCK_BYTES);
        byte[] content = new byte[BLOCK_BYTES];
        new SplittableRandom(file.hashCode()).nextBytes(content);
        block.put(content).flip();
        try (FileChannel channel = open(file)) {
            int sinceForce = 0;
            for (long position = 0; position < sizeBytes; position += BLOCK_BYTES) {
                block.rewind();
                while (block.hasRemaining()) {
                    channel.write(block, position + block.position());
                }
                if (++sinceForce == FORCE_EVERY) {
                    channel.force(false);
                    sinceForce = 0;
                }
            }
            channel.force(true);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
        } catch (UnsupportedOperationException | IOException e) {
            Files.deleteIfExists(file);
            return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
    }
}
