package io.hawser.store.storage;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory tree that is shown to others, read-only. Nothing outside of it can be reached: symbolic links are followed as long
 * as what they lead to is inside. What Hawser itself keeps in it is not there, and neither are devices, pipes and sockets.
 *
 * <p>A link to a directory that the path of a listing has come through already is not among its entries, so that whoever walks
 * through the tree comes to an end. It can be named all the same.
 *
 * <p>A name's links are resolved first; the result is then walked from the root, directory by directory ({@code openat} with
 * {@code O_NOFOLLOW}), so that a link that is put into the way meanwhile is an error and no way out. It follows that each
 * directory on the way must be readable.
 *
 * <p>Errors are those of {@code java.nio.file}: {@link NoSuchFileException}, {@link AccessDeniedException} (also for what leads
 * out), {@link NotDirectoryException}, ….
 *
 * <p>Thread: any; all calls block.
 */
public final class ServedTree {
    private static final Logger LOG = LoggerFactory.getLogger(ServedTree.class);

    private final Path root;
    private final String hiddenPrefix;

    /** A symbolic link leads to a place outside. */
    public static final class LeadsOutException extends AccessDeniedException {
        private static final long serialVersionUID = 1;

        LeadsOutException(String path) {
            super(path);
        }
    }

    /** Neither a file nor a directory. */
    static final class NoFileException extends AccessDeniedException {
        private static final long serialVersionUID = 1;

        NoFileException(String path) {
            super(path);
        }
    }

    /** Is shown the entries of a directory. */
    public interface Visitor {
        /** The next entry, null if it cannot be shown; returns whether it wants more. */
        boolean visit(String name, @Nullable ServedEntry entry);
    }

    /**
     * Shows a directory, which need not be there yet.
     *
     * @param hiddenPrefix entries whose names begin so are not there
     */
    public ServedTree(Path root, String hiddenPrefix) {
        this.root = root.toAbsolutePath().normalize();
        this.hiddenPrefix = hiddenPrefix;
    }

    /** The facts of the file at these segments. */
    public ServedEntry entry(List<String> segments) throws IOException {
        Path realRoot = root.toRealPath();
        Path real = real(realRoot, segments);
        if (real.equals(realRoot)) {
            return ServedEntry.of(
                            real, Files.readAttributes(real, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS))
                    .through(links(realRoot, segments, real));
        }
        try (SecureDirectoryStream<Path> directory = open(realRoot, parent(real))) {
            return ServedEntry.of(real, attributes(directory, real.getFileName()))
                    .through(links(realRoot, segments, real));
        }
    }

    private static ServedEntry.Links links(Path realRoot, List<String> segments, Path real) throws IOException {
        Path path = realRoot.resolve(String.join("/", segments));
        if (path.equals(real)) {
            return ServedEntry.Links.NONE;
        }
        return parent(path).toRealPath().equals(parent(path)) ? ServedEntry.Links.ITSELF : ServedEntry.Links.ABOVE;
    }

    /**
     * Shows the entries after {@code after}, sorted by name, but no more than {@code max}. Throws the error of an entry that is there
     * and cannot be looked at: a listing without it would be taken for whole.
     *
     * @return whether these were all
     */
    public boolean list(List<String> segments, String after, int max, Visitor visitor) throws IOException {
        Path realRoot = root.toRealPath();
        Path real = real(realRoot, segments);
        if (!entry(segments).facts().isDirectory()) { // opening a pipe would wait for its writer
            throw new NotDirectoryException(real.toString());
        }
        try (SecureDirectoryStream<Path> directory = open(realRoot, real)) {
            List<Path> names = names(directory, after, max);
            Set<Path> passed = passed(realRoot, segments);
            for (Path name : names) {
                if (!visit(directory, segments, passed, name, visitor)) {
                    return false;
                }
            }
            return names.size() < max;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private List<Path> names(DirectoryStream<Path> directory, String after, int max) {
        Comparator<Path> byName = Comparator.comparing(Path::toString);
        PriorityQueue<Path> first = new PriorityQueue<>(byName.reversed());
        for (Path entry : directory) {
            Path name = entry.getFileName();
            if (name.toString().compareTo(after) > 0 && !name.toString().startsWith(hiddenPrefix)) {
                first.add(name);
                if (first.size() > max) {
                    first.remove();
                }
            }
        }
        return first.stream().sorted(byName).toList();
    }

    /** The directories that a path comes through, their links resolved; its own among them. */
    private Set<Path> passed(Path realRoot, List<String> segments) throws IOException {
        Set<Path> passed = new HashSet<>(Set.of(realRoot));
        for (int depth = 1; depth <= segments.size(); depth++) {
            passed.add(real(realRoot, segments.subList(0, depth)));
        }
        return passed;
    }

    private boolean visit(
            SecureDirectoryStream<Path> directory, List<String> segments, Set<Path> passed, Path name, Visitor visitor)
            throws IOException {
        ServedEntry entry = null;
        try {
            PosixFileAttributes attributes = attributes(directory, name);
            if (attributes.isSymbolicLink()) {
                List<String> path = new ArrayList<>(segments);
                path.add(name.toString());
                entry = passed.contains(real(root.toRealPath(), path)) ? null : entry(path);
            } else {
                entry = ServedEntry.of(name, attributes);
            }
        } catch (IOException e) {
            if (!isNoEntry(e)) {
                LOG.atInfo()
                        .addKeyValue("directory", String.join("/", segments))
                        .addKeyValue("name", name)
                        .addKeyValue("reason", e.toString())
                        .log("a directory cannot be listed: one of its entries cannot be looked at");
                throw e;
            }
        } catch (InvalidPathException e) {
            LOG.atDebug().addKeyValue("name", name).log("not shown: its name cannot be");
        }
        return visitor.visit(name.toString(), entry);
    }

    /** Whether an entry that fails so is none: it has gone meanwhile, is no file, or is a link that leads out or nowhere. */
    static boolean isNoEntry(IOException failure) {
        if (failure instanceof FileSystemException file && file.getReason() != null) {
            String reason = file.getReason();
            return reason.contains("Too many levels of symbolic links") || reason.contains("Not a directory");
        }
        return failure instanceof NoSuchFileException
                || failure instanceof LeadsOutException
                || failure instanceof NoFileException;
    }

    /** Opens a file for reading. It must be a regular one. */
    public SeekableByteChannel open(List<String> segments) throws IOException {
        Path realRoot = root.toRealPath();
        Path real = real(realRoot, segments);
        try (SecureDirectoryStream<Path> directory = open(realRoot, parent(real))) {
            return directory.newByteChannel(
                    real.getFileName(), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        }
    }

    /** The path with all links resolved; it is inside, or was when it was looked at. */
    private Path real(Path realRoot, List<String> segments) throws IOException {
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
            throw new LeadsOutException(path.toString());
        }
        for (Path segment : realRoot.relativize(real)) {
            if (segment.toString().startsWith(hiddenPrefix)) {
                throw new NoSuchFileException(path.toString());
            }
        }
        return real;
    }

    private static Path parent(Path real) throws IOException {
        Path parent = real.getParent();
        if (parent == null) {
            throw new AccessDeniedException(real.toString());
        }
        return parent;
    }

    /** Opens a directory inside, link by link of its path. */
    @SuppressWarnings("StreamResourceLeak") // the opener of a directory closes it, each one after the next
    private static SecureDirectoryStream<Path> open(Path realRoot, Path real) throws IOException {
        if (!real.startsWith(realRoot)) {
            throw new AccessDeniedException(real.toString());
        }
        SecureDirectoryStream<Path> directory = secure(Files.newDirectoryStream(realRoot));
        if (real.equals(realRoot)) {
            return directory;
        }
        for (Path segment : realRoot.relativize(real)) {
            try (SecureDirectoryStream<Path> above = directory) {
                directory = secure(above.newDirectoryStream(segment, LinkOption.NOFOLLOW_LINKS));
            }
        }
        return directory;
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> directory) throws IOException {
        if (directory instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        directory.close();
        throw new IOException("this system cannot open files relative to a directory (openat)");
    }

    private static PosixFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        return directory
                .getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }
}
