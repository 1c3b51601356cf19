package io.hawser.core.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Detects changes of small files by their modification time, size and inode.
 *
 * <p>Thread: one at a time.
 */
public final class FileChangeDetector {
    private final List<Path> files;
    private List<String> seen;

    public FileChangeDetector(List<Path> files) {
        this.files = List.copyOf(files);
        this.seen = look();
    }

    /** Whether any file has changed since the last call. */
    public boolean hasChanged() {
        List<String> now = look();
        boolean changed = !now.equals(seen);
        seen = now;
        return changed;
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
