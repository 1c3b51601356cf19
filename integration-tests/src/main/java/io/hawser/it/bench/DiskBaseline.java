package io.hawser.it.bench;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
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
 * What the disk does with concurrent writers that force, one for each copy that a transfer makes, without anything
 * else. On request the last of them is read back behind its forces, as agent-b does to verify it. Direct I/O where the
 * file system has it.
 *
 * <p>Thread: one.
 */
final class DiskBaseline {
    /** agent-a, broker and one agent-b. */
    static final int CHAIN = 3;

    /** What each writer writes at most. */
    private static final long MOST_BYTES = 512L << 20;

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int ALIGNMENT = 4096;

    /** A force for each of these, as a group commit of a busy node has. */
    private static final int FORCE_EVERY = 8;

    private DiskBaseline() {}

    /**
     * Writes files at once, and removes them. Returns bytes per second of one writer, until
     * all is forced and, where asked for, read.
     *
     * @param directory on the disk that is measured
     * @param writers how many files
     * @param wantedBytes of each file; not more than 512 MiB are written
     * @param readBack whether one of the files is read behind its forces
     */
    static double bytesPerSecond(Path directory, int writers, long wantedBytes, boolean readBack) throws IOException {
        long sizeBytes = Math.min(wantedBytes, MOST_BYTES);
        ExecutorService writerThreads = Executors.newFixedThreadPool(writers);
        ExecutorService readerThread = Executors.newSingleThreadExecutor();
        List<Path> files = new ArrayList<>();
        long began = System.nanoTime();
        try {
            List<CompletableFuture<Void>> writing = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                Path file = directory.resolve("baseline-" + i);
                files.add(file);
                ForcedRange reader = readBack && i == writers - 1
                        ? (start, length) -> readerThread.execute(() -> read(file, start, length))
                        : (start, length) -> {};
                writing.add(CompletableFuture.runAsync(() -> write(file, sizeBytes, reader), writerThreads));
            }
            CompletableFuture.allOf(writing.toArray(CompletableFuture[]::new)).join();
            CompletableFuture.runAsync(() -> {}, readerThread).join(); // behind the last read
            return sizeBytes / ((System.nanoTime() - began) / 1e9);
        } finally {
            writerThreads.shutdown();
            readerThread.shutdown();
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Told of each range that is on stable storage. */
    private interface ForcedRange {
        void forced(long start, int length);
    }

    private static void write(Path file, long sizeBytes, ForcedRange listener) {
        ByteBuffer block = block();
        byte[] content = new byte[BLOCK_BYTES];
        new SplittableRandom(file.hashCode()).nextBytes(content);
        block.put(content).flip();
        try (FileChannel channel = open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long forced = 0;
            for (long position = 0; position < sizeBytes; position += BLOCK_BYTES) {
                block.rewind();
                while (block.hasRemaining()) {
                    channel.write(block, position + block.position());
                }
                long written = position + BLOCK_BYTES;
                if (written - forced == FORCE_EVERY * BLOCK_BYTES || written >= sizeBytes) {
                    channel.force(written >= sizeBytes);
                    listener.forced(forced, (int) (written - forced));
                    forced = written;
                }
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static void read(Path file, long start, int length) {
        ByteBuffer block = block();
        try (FileChannel channel = open(file, StandardOpenOption.READ)) {
            for (long position = start; position < start + length; position += BLOCK_BYTES) {
                block.rewind();
                while (block.hasRemaining()) {
                    if (channel.read(block, position + block.position()) < 0) {
                        throw new IOException(file + " ends before " + (start + length));
                    }
                }
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static ByteBuffer block() {
        return ByteBuffer.allocateDirect(BLOCK_BYTES + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .limit(BLOCK_BYTES);
    }

    private static FileChannel open(Path file, OpenOption... options) throws IOException {
        List<OpenOption> direct = new ArrayList<>(List.of(options));
        direct.add(ExtendedOpenOption.DIRECT);
        try {
            return FileChannel.open(file, direct.toArray(OpenOption[]::new));
        } catch (UnsupportedOperationException | IOException e) {
            if (direct.contains(StandardOpenOption.CREATE_NEW)) {
                Files.deleteIfExists(file); // where O_DIRECT was refused the file may have been made all the same
            }
            return FileChannel.open(file, options);
        }
    }
}
