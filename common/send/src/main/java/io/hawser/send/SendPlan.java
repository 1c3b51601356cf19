package io.hawser.send;

import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent: files under their own names, the trees of directories under the directory's name, standard input under a name of its
 * own, all in one directory of the far end. Symbolic links inside a tree are left out and named, as is what the filter excludes. No two
 * objects have one name, and no file is called as a directory of another object.
 *
 * @param entries files and directories in the order in which they are sent
 * @param skipped what was left out, and why
 */
record SendPlan(List<Entry> entries, List<Skipped> skipped) {
    /** Stands for standard input, on the command line. */
    static final Path STANDARD_INPUT = Path.of("-");

    static final String EXCLUDED = "excluded";
    private static final String LINK = "a symbolic link";

    /** Stands in a path's text for bytes that are not UTF-8. */
    private static final char NOT_TEXT = '\uFFFD';

    private static final int FILE_TYPE_MASK = 0170000;
    private static final int FIFO = 0010000;
    private static final int CHARACTER_DEVICE = 0020000;
    private static final int BLOCK_DEVICE = 0060000;
    private static final int SOCKET = 0140000;

    /**
     * @param path where it is here
     * @param name its name at the far end, segments joined by {@code /}
     * @param isDirectory whether it is an (empty) directory
     * @param sizeBytes its size now; 0 if it is not known
     */
    record Entry(Path path, String name, boolean isDirectory, long sizeBytes) {
        /** Whether it is what this process reads from its standard input. */
        boolean isStandardInput() {
            return path.equals(STANDARD_INPUT);
        }
    }

    /**
     * What is left out.
     *
     * @param name the name that it would have at the far end
     */
    record Skipped(Path path, String name, String reason) {
        /** Whether the user has asked for that. */
        boolean isWanted() {
            return reason.equals(EXCLUDED);
        }
    }

    /**
     * What is chosen of the paths of a command line, and how it is called.
     *
     * @param directory at the far end; empty for the top
     * @param filter what is sent of it
     * @param inputName the name of what comes from standard input; null if that is not sent
     */
    record Choice(
            String directory, NameFilter filter, @Nullable String inputName) {
        private String placed(String name) {
            return directory.isEmpty() ? name : directory + "/" + name;
        }
    }

    static SendPlan of(List<Path> paths, Choice choice) throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<Skipped> skipped = new ArrayList<>();
        for (Path path : paths) {
            if (path.equals(STANDARD_INPUT) && choice.inputName != null) {
                entries.add(new Entry(path, choice.placed(choice.inputName), false, 0));
            } else if (Files.isDirectory(path)) {
                walk(path, choice, entries, skipped);
            } else if (Files.isRegularFile(path)) {
                String name = choice.placed(nameOf(path));
                if (choice.filter.lets(Path.of(nameOf(path)))) {
                    entries.add(new Entry(path, name, false, Files.size(path)));
                } else {
                    skipped.add(new Skipped(path, name, EXCLUDED));
                }
            } else {
                throw new CommandException(ExitCode.FAILED, whyNot(path));
            }
        }
        entries.forEach(entry -> checkText(entry.path(), entry.name()));
        return new SendPlan(withoutCollisions(entries), skipped);
    }

    private static String whyNot(Path path) throws IOException {
        try {
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return path.toString().indexOf(NOT_TEXT) < 0
                    ? "there is no file " + path
                    : "there is no file " + path + ", or its name is not UTF-8: such names cannot be sent; rename it";
        }
        if (!Files.exists(path)) {
            return path + " is a symbolic link to a file that is not there, or that you may not see";
        }
        return path + " is " + kind(path)
                + ", which hawser send does not read. Copy what comes out of it to a file first";
    }

    private static String kind(Path path) throws IOException {
        return switch ((int) Files.getAttribute(path, "unix:mode") & FILE_TYPE_MASK) {
            case FIFO -> "a pipe (FIFO)";
            case CHARACTER_DEVICE, BLOCK_DEVICE -> "a device";
            case SOCKET -> "a socket";
            default -> "neither a file nor a directory";
        };
    }

    /** A name that is not UTF-8 reads as another name that may also be there. */
    private static void checkText(Path path, String name) {
        if (name.indexOf(NOT_TEXT) >= 0 && !Path.of(path.toString()).equals(path)) {
            throw new CommandException(
                    ExitCode.FAILED,
                    path + ": its name is not UTF-8, and such names cannot be sent. Rename it. Nothing was sent");
        }
    }

    private static List<Entry> withoutCollisions(List<Entry> entries) {
        Map<String, Entry> byName = new LinkedHashMap<>();
        for (Entry entry : entries) {
            Entry other = byName.putIfAbsent(entry.name(), entry);
            if (other != null && !(other.isDirectory() && entry.isDirectory())) {
                throw collision(other, entry, "'" + entry.name() + "'");
            }
        }
        for (Entry entry : byName.values()) {
            String name = entry.name();
            for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
                Entry above = byName.get(name.substring(0, slash));
                if (above != null && !above.isDirectory()) {
                    throw collision(above, entry, "'" + above.name() + "', as a file and as a directory");
                }
            }
        }
        return List.copyOf(byName.values());
    }

    private static CommandException collision(Entry one, Entry other, String names) {
        boolean same = one.path()
                .toAbsolutePath()
                .normalize()
                .equals(other.path().toAbsolutePath().normalize());
        return new CommandException(
                ExitCode.USAGE,
                same
                        ? other.path() + " is named twice. Nothing was sent"
                        : one.path() + " and " + other.path() + " would both arrive as " + names
                                + ", and one would replace the other. Send them one after the other, or rename one. Nothing was"
                                + " sent");
    }

    private static String nameOf(Path path) {
        Path name = path.toAbsolutePath().normalize().getFileName();
        if (name == null) {
            throw new CommandException(ExitCode.USAGE, "the root directory has no name to send it under");
        }
        return name.toString();
    }

    private static void walk(Path root, Choice choice, List<Entry> entries, List<Skipped> skipped) throws IOException {
        String prefix = choice.placed(nameOf(root));
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes facts) throws IOException {
                if (!directory.equals(root) && choice.filter.excludes(root.relativize(directory))) {
                    skipped.add(new Skipped(directory, name(directory), EXCLUDED));
                    return FileVisitResult.SKIP_SUBTREE;
                }
                try (var children = Files.newDirectoryStream(directory)) {
                    if (!children.iterator().hasNext() && (directory.equals(root) || lets(directory))) {
                        entries.add(new Entry(directory, name(directory), true, 0));
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes facts) throws IOException {
                if (!lets(file)) {
                    skipped.add(new Skipped(file, name(file), EXCLUDED));
                } else if (facts.isRegularFile()) {
                    entries.add(new Entry(file, name(file), false, facts.size()));
                } else {
                    skipped.add(new Skipped(file, name(file), facts.isSymbolicLink() ? LINK : kind(file)));
                }
                return FileVisitResult.CONTINUE;
            }

            private boolean lets(Path path) {
                return choice.filter.lets(root.relativize(path));
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

    /** Whether the size of something is known only when it has been read. */
    boolean hasUnknownSize() {
        return entries.stream().anyMatch(Entry::isStandardInput);
    }

    /** How much is left out, and why, such as {@code 3 (2 excluded, 1 a symbolic link)}. */
    String skippedText() {
        Map<String, Long> reasons =
                skipped.stream().collect(Collectors.groupingBy(Skipped::reason, TreeMap::new, Collectors.counting()));
        return skipped.size()
                + reasons.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    long sizeBytes() {
        return entries.stream().mapToLong(Entry::sizeBytes).sum();
    }
}
