package io.hawser.watch;

import io.hawser.send.NameFilter;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks at a whole directory once: the regular files that the filter lets through, without symbolic links, and all directories.
 *
 * <p>Thread: main only.
 *
 * @param root the directory
 * @param filter what is looked at of it
 * @param apart directories below it that are passed over
 */
record FolderScan(Path root, NameFilter filter, List<Path> apart, DiskStorage storage) {
    /**
     * What was found.
     *
     * @param files fingerprints and sizes, by path below the root
     * @param directories all that were entered
     * @param problems what could not be read, as sentences
     */
    record Found(Map<Path, FileFacts> files, List<Path> directories, List<String> problems) {}

    /** @throws IOException if the directory itself is not there, or cannot be read */
    Found scan() throws IOException {
        Found found = new Found(new TreeMap<>(), new ArrayList<>(), new ArrayList<>());
        if (!Files.isDirectory(root)) {
            throw new NoSuchFileException(root.toString(), null, "the watched directory is not there");
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes facts) {
                boolean excluded = !directory.equals(root) && filter.excludes(root.relativize(directory));
                if (excluded || apart.contains(directory.toAbsolutePath().normalize())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                found.directories.add(directory);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path below = root.relativize(file);
                if (attributes.isRegularFile() && !Aftermath.isOwn(file) && filter.lets(below)) {
                    FileFacts facts = storage.facts(file);
                    if (facts != null && facts.isFile()) {
                        found.files.put(below, facts);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException cause) throws IOException {
                if (file.equals(root)) {
                    throw cause;
                } else if (!(cause instanceof NoSuchFileException)) { // one that has just gone is no problem
                    found.problems.add("cannot read " + file + ": " + cause.getMessage());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path directory, java.io.@org.jspecify.annotations.Nullable IOException cause) throws IOException {
                return cause == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, cause);
            }
        });
        return found;
    }
}
