package io.hawser.it.chaos;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.store.landing.LandingOptions;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What becomes visible in one target directory, as the kernel tells it (inotify): each rename to a name and each new name counts,
 * whatever the nodes say of it. Every file is read soon and compared with what its publisher has written; a file of the kind
 * that is written once is then taken away, as a consumer would.
 *
 * <p>The kernel makes one of two equal events that follow each other (whatever their cookies), so of two renames to one name that
 * nobody has read yet one would be missing. The landing area's files are therefore watched as well: what leaves them stands between.
 *
 * <p>Threads: one of its own takes the events, and does nothing slow, since a {@link WatchKey} forgets what is beyond 512 of them;
 * another one looks at the files. The queries are for any thread.
 */
final class Publications implements AutoCloseable {
    /** Last part of the names of objects that are written once begin with it. */
    static final String ONCE = "u-";

    /** Where a landing area keeps what is about to be published. */
    private static final String FILES = "files";

    private static final long LONGEST_LOOKS_S = 60;

    private final String subscription;
    private final Path target;
    private final Ledger ledger;
    private final Violations violations;
    private final Pulse pulse;
    private final WatchService watch;
    private final ExecutorService looking;
    private final Map<WatchKey, Path> directories = new HashMap<>();
    /** Landing areas, in each of which the directory of its files appears. */
    private final Map<WatchKey, Path> areas = new HashMap<>();

    private final AtomicInteger watchesOfFiles = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, Integer> newest = new ConcurrentHashMap<>();

    /** @param names the directories of the publishers, which are made */
    Publications(
            String subscription, Path target, List<String> names, Ledger ledger, Violations violations, Pulse pulse)
            throws IOException {
        this.subscription = subscription;
        this.target = target;
        this.ledger = ledger;
        this.violations = violations;
        this.pulse = pulse;
        watch = target.getFileSystem().newWatchService();
        for (String name : names) {
            Path directory = Files.createDirectories(target.resolve(name));
            directories.put(directory.register(watch, ENTRY_CREATE), directory);
        }
        directories.put(target.register(watch, ENTRY_CREATE), target);
        looking = Executors.newSingleThreadExecutor(task -> thread("looks-", task));
        thread("publications-", this::run).start();
    }

    private Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name + subscription);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(violations::ended);
        return thread;
    }

    /** How often something became visible at that path. */
    int count(String path) {
        return counts.getOrDefault(path, 0);
    }

    /** The highest version that was seen at that path; 0 if none. */
    int newest(String path) {
        return newest.getOrDefault(path, 0);
    }

    /** How many publications were looked at. */
    int looks() {
        return looks.get();
    }

    /** How often a watch of a landing area's files was begun or renewed. */
    int watchesOfFiles() {
        return watchesOfFiles.get();
    }

    /** All of them. */
    long total() {
        return counts.values().stream().mapToLong(Integer::longValue).sum();
    }

    @Override
    public void close() throws IOException {
        watch.close();
        looking.shutdown(); // what was seen is still looked at
        try {
            if (!looking.awaitTermination(LONGEST_LOOKS_S, TimeUnit.SECONDS)) {
                violations.add("void", "files of " + subscription + " were not looked at in " + LONGEST_LOOKS_S + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (true) {
                WatchKey key = watch.take();
                Path directory = directories.get(key);
                Path area = areas.get(key);
                if (area != null) {
                    watchFiles(area);
                }
                for (WatchEvent<?> event : key.pollEvents()) {
                    if (directory != null || event.kind() == OVERFLOW) {
                        onEvent(directory == null ? target : directory, event);
                    }
                }
                key.reset();
            }
        } catch (ClosedWatchServiceException | RejectedExecutionException e) {
            return; // the run is over
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    private void failed(Exception cause) {
        violations.add("void", "the watcher of " + subscription + " failed: " + cause);
    }

    private void onEvent(Path directory, WatchEvent<?> event) throws IOException {
        if (event.kind() == OVERFLOW) {
            violations.add("void", "events of " + subscription + " were lost before they could be taken");
            return;
        }
        Path file = directory.resolve((Path) event.context());
        if (directory.equals(target)) {
            watchLandingArea(file);
            return;
        }
        String path = target.relativize(file).toString();
        counts.merge(path, event.count(), Integer::sum);
        pulse.publication("agent-" + subscription);
        looking.execute(() -> {
            try {
                look(file, path);
                looks.incrementAndGet();
            } catch (IOException | RuntimeException e) {
                failed(e);
            }
        });
    }

    /** Nothing is published before that has been done: the agent makes its landing area when it starts. */
    private void watchLandingArea(Path made) throws IOException {
        if (made.getFileName().toString().startsWith(LandingOptions.DIRECTORY_PREFIX)) {
            areas.put(made.register(watch, ENTRY_CREATE), made);
            watchFiles(made); // they may have been there before it was watched
        }
    }

    private void watchFiles(Path area) throws IOException {
        Path files = area.resolve(FILES);
        if (Files.isDirectory(files)) {
            files.register(watch, ENTRY_DELETE); // a key of no directory: its events are passed over
            watchesOfFiles.incrementAndGet();
        }
    }

    private void look(Path file, String path) throws IOException {
        byte[] content;
        try {
            content = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            if (count(path) == 1) {
                violations.add("lost", path + " was gone at " + subscription + " before anybody took it");
            }
            return; // of two publications in a row the first look took the second one's file
        }
        Ledger.Version version = ledger.find(path, Ledger.sha256(content)).orElse(null);
        if (version == null) {
            violations.add(
                    "corrupt",
                    path + " at " + subscription + " shows " + content.length + " bytes that nobody published");
            return;
        }
        int before = newest.getOrDefault(path, 0);
        if (version.number < before) {
            violations.add(
                    "order",
                    path + " at " + subscription + " went back from version " + before + " to " + version.number);
        }
        newest.merge(path, version.number, Math::max);
        if (file.getFileName().toString().startsWith(ONCE)) {
            Files.delete(file);
        }
    }
}
