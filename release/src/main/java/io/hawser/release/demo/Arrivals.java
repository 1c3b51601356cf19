package io.hawser.release.demo;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/**
 * Counts how often a name becomes visible in a directory, as its file system tells.
 *
 * <p>Thread: one.
 */
final class Arrivals implements AutoCloseable {
    private final WatchService watch = FileSystems.getDefault().newWatchService();
    private final Path name;
    private int count;

    Arrivals(Path directory, String name) throws IOException {
        this.name = Path.of(name);
        directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
    }

    int count() {
        for (WatchKey key = watch.poll(); key != null; key = watch.poll()) {
            for (WatchEvent<?> event : key.pollEvents()) {
                if (event.kind() == StandardWatchEventKinds.OVERFLOW) {
                    throw new DemoFailedException("the file system did not tell of every file");
                }
                count += name.equals(event.context()) ? 1 : 0;
            }
            key.reset();
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        watch.close();
    }
}
