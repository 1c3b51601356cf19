package io.hawser.core.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects changes of small files by their modification time, size and inode. A program that writes a file anew truncates it first, and a
 * truncated list of rules or of revoked certificates is a valid one. So a change counts once the files have stood still for 50 ms.
 *
 * <p>Thread: one at a time.
 */
public final class FileChangeDetector {
    private static final long PAUSE_NANOS = 50_000_000;
    /** A file that is written all the time is read nevertheless. */
    private static final int MAX_PAUSES = 20;

    private final List<Path> files;
    private final Runnable pause;
    private List<String> seen;

    public FileChangeDetector(List<Path> files) {
        this(files, () -> LockSupport.parkNanos(PAUSE_NANOS));
    }

    FileChangeDetector(List<Path> files, Runnable pause) {
        this.files = List.copyOf(files);
        this.pause = pause;
        this.seen = look();
    }

    /** Whether any file has changed since the last call. Blocks while a changed file is still being written, for 1 s at most. */
    public boolean hasChanged() {
        List<String> now = look();
        if (now.equals(seen)) {
            return false;
        }
        List<String> before = List.of();
        for (int i = 0; i < MAX_PAUSES && !now.equals(before); i++) {
            pause.run();
            before = now;
            now = look();
        }
        seen = now;
        return true;
    }

    private List<String> look() {
        return files.stream().map(FileChangeDetector::facts).toList();
    }

    private static String facts(Path file) {
        try {
            BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
            return facts.lastModifiedTime().toInstant() + " " + facts.size() + " " + facts.fileKey();
        } catch (IOException e) {
            return "absent";
        }
    }
}
