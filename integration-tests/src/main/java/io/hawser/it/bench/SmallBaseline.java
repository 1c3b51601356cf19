package io.hawser.it.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What the file system does with many small files that are to be durable under their names: several threads write and force, then the
 * batch is renamed and its directory forced. One copy, and nothing else. The files are left where they are: ext4 avoids inodes that
 * were deleted a moment ago, and what is measured next would pay for that.
 *
 * <p>Thread: one.
 */
final class SmallBaseline {
    private static final int THREADS = 16;
    private static final int BATCH = 256;
    private static final String UNFINISHED = ".part";

    private SmallBaseline() {}

    /** @param parent a directory for them is made in it */
    static double filesPerSecond(Path parent, int files, int fileBytes) throws IOException {
        Path directory = Files.createDirectories(parent.resolve("baseline"));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        long began = System.nanoTime();
        try {
            for (int first = 0; first < files; first += BATCH) {
                batch(directory, first, Math.min(first + BATCH, files), fileBytes, threads);
            }
            return files / ((System.nanoTime() - began) / 1e9);
        } finally {
            threads.shutdown();
        }
    }

    private static void batch(Path directory, int first, int end, int fileBytes, ExecutorService threads)
            throws IOException {
        List<CompletableFuture<Void>> writing = new ArrayList<>();
        for (int i = first; i < end; i++) {
            Path file = directory.resolve(i + UNFINISHED);
            writing.add(CompletableFuture.runAsync(() -> write(file, fileBytes), threads));
        }
        CompletableFuture.allOf(writing.toArray(CompletableFuture[]::new)).join();
        for (int i = first; i < end; i++) {
            Files.move(
                    directory.resolve(i + UNFINISHED),
                    directory.resolve(Integer.toString(i)),
                    StandardCopyOption.ATOMIC_MOVE);
        }
        try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }

    private static void write(Path file, int fileBytes) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer content = ByteBuffer.allocate(fileBytes);
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
