package io.hawser.common.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A directory tree that is shown to others, read-only. Nothing outside of it can be reached: symbolic links are followed as long
 * as what they lead to is inside. What Hawser itself keeps in it is not there, and neither are devices, pipes and sockets.
 *
 * <p>Errors are those of {@code java.nio.file}: {@link NoSuchFileException}, {@link AccessDeniedException} (also for what leads
 * out), {@link NotDirectoryException}, ….
 *
 * <p>Thread: any; all calls block.
 */
public final class ServedTree {
    private final Path root;
    private final String hiddenPrefix;

    /**
     * What stands at a name.
     *
     * @param facts what it is, links followed
     * @param mode the nine permission bits
     */
    public record Entry(FileFacts facts, int mode) {}

    /**
     * Shows a directory, which need not be there yet.
     *
     * @param hiddenPrefix entries whose names begin so are not there
     */
    public ServedTree(Path root, String hiddenPrefix) {
        this.root = root.toAbsolutePath().normalize();
        this.hiddenPrefix = hiddenPrefix;
    }

    /** What stands at these segments. */
    public Entry entry(List<String> segments) throws IOException {
        return facts(real(segments));
    }

    /** The first {@code max} names of a directory behind {@code after}, sorted. */
    public List<String> names(List<String> segments, String after, int max) throws IOException {
        Path directory = real(segments);
        PriorityQueue<String> first = new PriorityQueue<>(Comparator.reverseOrder());
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (name.compareTo(after) > 0 && !name.startsWith(hiddenPrefix)) {
                    first.add(name);
                    if (first.size() > max) {
                        first.remove();
                    }
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return first.stream().sorted().toList();
    }

    /** Opens a file for reading. It must be a regular one. */
    public SeekableByteChannel open(List<String> segments) throws IOException {
        return FileChannel.open(real(segments), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /** The path with all links resolved; it is inside. */
    private Path real(List<String> segments) throws IOException {
        Path realRoot = root.toRealPath();
        Path path = realRoot;
        for (String segment : segments) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.indexOf('/') >= 0) {
                throw new InvalidPathException(segment, "not a name");
            }
            if (segment.startsWith(hiddenPrefix)) {
                throw new NoSuchFileException(segment);
            }
            path = path.resolve(segment);
        }
        Path real = path.toRealPath();
        if (!real.startsWith(realRoot)) {
            throw new AccessDeniedException(path.toString());
        }
        for (Path segment : realRoot.relativize(real)) {
            if (segment.toString().startsWith(hiddenPrefix)) {
                throw new NoSuchFileException(path.toString());
            }
        }
        return real;
    }

    private static Entry facts(Path real) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(real, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        FileFacts.Kind kind = FileFacts.Kind.DIRECTORY;
        if (!attributes.isDirectory()) {
            if (!attributes.isRegularFile()) {
                throw new AccessDeniedException(real.toString());
            }
            kind = FileFacts.Kind.FILE;
        }
        FileFacts facts = new FileFacts(
                kind == FileFacts.Kind.FILE ? attributes.size() : 0,
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                String.valueOf(attributes.fileKey()),
                kind);
        return new Entry(facts, mode(attributes.permissions()));
    }

    private static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (PosixFilePermission permission :
                PosixFilePermission.values()) { // from the owner's read to the others' execute
            mode = mode << 1 | (permissions.contains(permission) ? 1 : 0);
        }
        return mode;
    }
}
