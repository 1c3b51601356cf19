package io.hawser.client.cli;

import io.hawser.common.cli.CommandException;
import io.hawser.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be sent: files under their own names, the trees of directories under the directory's name. Symbolic links inside
 * a tree are left out and named.
 *
 * @param entries files and directories in the order in which they are sent
 * @param skipped what was left out, and why
 */
record SendPlan(List<Entry> entries, List<String> skipped) {
    /**
     * One object.
     *
     * @param path where it is here
     * @param name its name at the far end, segments joined by {@code /}
     * @param isDirectory whether it is an (empty) directory
     * @param sizeBytes its size now
     */
    record Entry(Path path, String name, boolean isDirectory, long sizeBytes) {}

    static SendPlan of(List<Path> paths) throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                walk(path, entries, skipped);
            } else if (Files.isRegularFile(path)) {
                entries.add(new Entry(path, nameOf(path), false, Files.size(path)));
            } else {
                throw new CommandException(
                        ExitCode.FAILED,
                        Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                                ? path + " is neither a file nor a directory"
                                : "there is no file " + path);
            }
        }
        return new SendPlan(entries, skipped);
    }

    private static String nameOf(Path path) {
        Path name = path.toAbsolutePath().normalize().getFileName();
        if (name == null) {
            throw new CommandException(ExitCode.USAGE, "the root directory has no name to send it under");
        }
        return name.toString();
    }

    private static void walk(Path root, List<Entry> entries, List<String> skipped) throws IOException {
        String prefix = nameOf(root);
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes facts) throws IOException {
                try (var children = Files.newDirectoryStream(directory)) {
                    if (!children.iterator().hasNext()) {
                        entries.add(new Entry(directory, name(directory), true, 0));
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
                if (facts.isRegularFile()) {
                    entries.add(new Entry(file, name(file), false, facts.size()));
                } else {
                    skipped.add(file + ": not a regular file");
                }
                return FileVisitResult.CONTINUE;
            }

            private String name(Path path) {
                StringBuilder name = new StringBuilder(prefix);
                if (!path.equals(root)) {
                    root.relativize(path).forEach(segment -> name.append('/').append(segment));
                }
                return name.toString();
            }
        });
    }

    long sizeBytes() {
        return entries.stream().mapToLong(Entry::sizeBytes).sum();
    }
}
