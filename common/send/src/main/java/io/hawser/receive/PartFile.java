package io.hawser.receive;

import io.hawser.client.FarFile;
import io.hawser.core.integrity.Sha256;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a download that are here so far, beside the file that they become. Its name says of which version of which file they are, so
 * the same command continues, and parts of other versions go. One process at a time has it.
 *
 * <p>What an earlier run wrote counts only after the whole was read back and has the digest of the far end.
 *
 * <p>Thread: main only.
 */
final class PartFile implements AutoCloseable {
    private static final int DIGITS = 16;
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path file;
    private final Path target;
    private final FileChannel channel;

    private PartFile(Path file, Path target, FileChannel channel) {
        this.file = file;
        this.target = target;
        this.channel = channel;
    }

    /**
     * Opens it, and deletes those of other versions.
     *
     * @throws CommandException if another process has it, or it cannot be written
     */
    static PartFile open(Path target, FarPath source, FarFile version) {
        String prefix = ".hawser-" + digest(String.valueOf(target.getFileName())) + "-";
        Path file = target.resolveSibling(prefix + digest(source + "\0" + version.version()) + ".part");
        try {
            deleteOthers(file, prefix);
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS));
            if (!isLocked(channel)) {
                channel.close();
                throw new CommandException(ExitCode.BUSY, "another hawser get writes " + target);
            }
            PartFile part = new PartFile(file, target, channel);
            if (channel.size() > version.sizeBytes()) {
                channel.truncate(0);
            }
            channel.position(channel.size());
            return part;
        } catch (IOException e) {
            throw failed("open", file, e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // held in this very process
        }
    }

    private static void deleteOthers(Path own, String prefix) throws IOException {
        Path directory = own.toAbsolutePath().getParent();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, prefix + "*.part")) {
            for (Path part : parts) {
                if (!part.getFileName().equals(own.getFileName())) {
                    Files.deleteIfExists(part);
                }
            }
        }
    }

    private static String digest(String text) {
        return HexFormat.of()
                .formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)))
                .substring(0, DIGITS);
    }

    private static CommandException failed(String what, Path file, IOException cause) {
        return new CommandException(
                ExitCode.STORAGE,
                "cannot " + what + " " + file + ": " + cause.getMessage() + ". The same command continues",
                cause);
    }

    long sizeBytes() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw failed("read", file, e);
        }
    }

    void append(byte[] bytes, int length) {
        ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length);
        try {
            while (rest.hasRemaining()) {
                int unused = channel.write(rest);
            }
        } catch (IOException e) {
            throw failed("write", file, e);
        }
    }

    /** Forces it, reads it back and returns its SHA-256, in lower-case hex. */
    String sha256() {
        try {
            channel.force(true);
            MessageDigest digest = Sha256.newDigest();
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
            long position = 0;
            int count = channel.read(chunk, position);
            while (count > 0) {
                position += count;
                digest.update(chunk.flip());
                chunk.clear();
                count = channel.read(chunk, position);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw failed("read", file, e);
        }
    }

    /** Makes it the target, durably, with the time of the far end. */
    void publish(FarFile version) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(version.modified()));
            channel.force(true);
            Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceDirectory();
        } catch (IOException e) {
            throw failed("publish", target, e);
        }
    }

    private void forceDirectory() throws IOException {
        @Nullable Path directory = target.toAbsolutePath().getParent();
        if (directory != null) {
            try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }

    /** What is in it is of no use. */
    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw failed("delete", file, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failed("close", file, e);
        }
    }
}
