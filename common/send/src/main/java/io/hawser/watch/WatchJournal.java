package io.hawser.watch;

import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.store.storage.FormatTooNewException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What was done with each version of each watched file: a file of lines, of which the last one about a path counts. A line is forced before
 * {@link #put} returns, so what follows may rely on it. The file is rewritten when most of it is old.
 *
 * <p>Thread: main only.
 */
final class WatchJournal implements AutoCloseable {
    static final String FILE = "watched";

    private static final String LOCK_FILE = "watched.lock";
    private static final int MIN_OLD_LINES = 1000;
    private static final FileAttribute<?> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path file;
    private final FileChannel lock;
    private final Map<String, WatchedFile> latest = new HashMap<>();
    private FileChannel channel;
    private long lines;

    private WatchJournal(Path file, FileChannel lock) throws IOException {
        this.file = file;
        this.lock = lock;
        read();
        this.channel = append(file);
    }

    /**
     * Opens the journal in a directory, which is made if it is not there.
     *
     * @throws CommandException if another process has it, or a later version has written it
     */
    static WatchJournal open(Path directory) throws IOException {
        Files.createDirectories(directory, PRIVATE_DIRECTORY);
        FileChannel lock = FileChannel.open(
                directory.resolve(LOCK_FILE),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PRIVATE_FILE);
        if (!isLocked(lock)) {
            lock.close();
            throw new CommandException(
                    ExitCode.BUSY,
                    "another hawser watch sends this directory to the same destination (" + directory + ")");
        }
        try {
            return new WatchJournal(directory.resolve(FILE), lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock taken = channel.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException e) {
            return false; // held in this very process
        }
    }

    private static FileChannel append(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                PRIVATE_FILE);
    }

    private void read() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        // Not as lines of text: a character that a full disk has cut in two is no reason to refuse all others.
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
            lines++;
            try {
                WatchedFile known = WatchedFile.parse(line);
                if (known != null) {
                    remember(known);
                }
            } catch (FormatTooNewException e) {
                throw new CommandException(
                        ExitCode.FAILED,
                        file + " has " + e.getMessage() + ". Use the newer version. Nothing was changed",
                        e);
            }
        }
    }

    private void remember(WatchedFile known) {
        if (known.step() == WatchedFile.Step.FORGOTTEN) {
            latest.remove(known.path());
        } else {
            latest.put(known.path(), known);
        }
    }

    Optional<WatchedFile> find(String path) {
        return Optional.ofNullable(latest.get(path));
    }

    Collection<WatchedFile> all() {
        return List.copyOf(latest.values());
    }

    /** Writes down what was done, durably. */
    void put(WatchedFile now) {
        putAll(List.of(now));
    }

    /** The same of several, with one force. */
    void putAll(List<WatchedFile> now) {
        if (now.isEmpty()) {
            return;
        }
        String text = now.stream().map(each -> '\n' + each.line()).collect(Collectors.joining());
        try {
            write(channel, text); // the last line may have been cut off, so each begins with the end of one
            channel.force(false);
        } catch (IOException e) {
            throw failed(e);
        }
        lines += now.size();
        now.forEach(this::remember);
        if (lines > MIN_OLD_LINES + 2L * latest.size()) {
            rewrite();
        }
    }

    private void rewrite() {
        Path fresh = file.resolveSibling(FILE + ".new");
        String text = latest.values().stream().map(each -> each.line() + '\n').collect(Collectors.joining());
        try {
            Files.deleteIfExists(fresh);
            try (FileChannel out = append(fresh)) {
                write(out, text);
                out.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            channel.close();
            channel = append(file);
            forceDirectory();
        } catch (IOException e) {
            throw failed(e);
        }
        lines = latest.size();
    }

    private static void write(FileChannel out, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            int unused = out.write(bytes);
        }
    }

    private void forceDirectory() throws IOException {
        try (FileChannel directory = FileChannel.open(file.resolveSibling(""), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private CommandException failed(IOException cause) {
        return new CommandException(
                ExitCode.STORAGE,
                "cannot write " + file + ": " + cause.getMessage()
                        + ". Nothing more is sent; the same command continues",
                cause);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        lock.close();
    }
}
