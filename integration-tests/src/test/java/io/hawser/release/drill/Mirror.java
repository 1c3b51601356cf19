package io.hawser.release.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A far end that is not what it seems: a directory that shows what is in another one, each file as {@code change} makes it, or not at all
 * if that returns nothing.
 *
 * <p>Thread: its own.
 */
final class Mirror implements AutoCloseable {
    private static final long POLL_MILLIS = 10;

    private final Path original;
    private final Path shown;
    private final UnaryOperator<byte[]> change;
    private final Set<String> seen = new HashSet<>();
    private final Thread thread = new Thread(this::run, "mirror");
    private volatile boolean closed;

    Mirror(Path original, Path shown, UnaryOperator<byte[]> change) {
        this.original = original;
        this.shown = shown;
        this.change = change;
        thread.setDaemon(true);
        thread.start();
    }

    /** The directory that it makes. */
    Path shown() {
        return shown;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void run() {
        try {
            while (!closed) {
                for (Path file : list(original)) {
                    String name = String.valueOf(file.getFileName());
                    if (!name.startsWith(".") && seen.add(name)) {
                        show(file, name);
                    }
                }
                for (Path file : list(shown)) {
                    if (Files.notExists(original.resolve(file.getFileName()))) {
                        Files.deleteIfExists(file);
                    }
                }
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void show(Path file, String name) throws IOException {
        byte[] content;
        try {
            content = change.apply(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return; // it was taken away already
        }
        if (content.length > 0) {
            Path hidden = Files.write(shown.resolve(".hidden"), content);
            Files.move(hidden, shown.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static Iterable<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
