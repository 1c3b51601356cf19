package io.hawser.send;

import io.hawser.core.integrity.Sha256;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The names of the files that a command sends, locked against other commands with the same state directory. Each of these publishes with a
 * node id of its own, and nothing orders the transfers of two nodes: the file of the earlier command could replace the later one's.
 *
 * <p>A name is one byte of an empty file, at a position from its hash. The names below one directory are one range of positions; of a
 * directory with many the whole range is locked, because the time for locks grows with the square of their number. The operating system
 * releases them when the process ends, however it ends.
 *
 * <p>Thread: main only.
 */
final class NameLocks implements AutoCloseable {
    static final String FILE = "names";
    static final int MAX_LOCKS_OF_DIRECTORY = 1000;

    private static final int RANGE_BITS = 32;
    /** With {@link #RANGE_BITS} a position stays below the largest long. */
    private static final int DIRECTORY_BITS = 30;

    private final FileChannel channel;

    private NameLocks(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the names of {@code plan}.
     *
     * @param state the state directory, which exists
     * @throws CommandException if another command sends one of them
     */
    static NameLocks take(Path state, Topic topic, SendPlan plan) throws IOException {
        FileChannel channel = FileChannel.open(
                state.resolve(FILE),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        NameLocks locks = new NameLocks(channel);
        try {
            for (Map.Entry<Long, Map<Long, String>> directory :
                    positions(topic, plan).entrySet()) {
                locks.lock(directory.getKey(), directory.getValue());
            }
            return locks;
        } catch (IOException | CommandException e) {
            channel.close();
            throw e;
        }
    }

    /** By the start of a directory's range, the positions of the names below it. */
    private static Map<Long, Map<Long, String>> positions(Topic topic, SendPlan plan) {
        Map<Long, Map<Long, String>> positions = new TreeMap<>();
        for (SendPlan.Entry entry : plan.entries()) {
            if (!entry.isDirectory()) { // making a directory twice is making it once
                long start = hash(topic.name() + '\0' + first(entry.name()), DIRECTORY_BITS) << RANGE_BITS;
                positions
                        .computeIfAbsent(start, unused -> new TreeMap<>())
                        .put(start + hash(entry.name(), RANGE_BITS), entry.name());
            }
        }
        return positions;
    }

    private static String first(String name) {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }

    private static long hash(String text, int bits) {
        byte[] digest = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(digest).getLong() >>> (Long.SIZE - bits);
    }

    private void lock(long start, Map<Long, String> names) throws IOException {
        if (names.size() > MAX_LOCKS_OF_DIRECTORY) {
            lock(start, 1L << RANGE_BITS, first(names.values().iterator().next()));
            return;
        }
        for (Map.Entry<Long, String> name : names.entrySet()) {
            lock(name.getKey(), 1, name.getValue());
        }
    }

    private void lock(long position, long length, String name) throws IOException {
        if (!isFree(position, length)) {
            throw new CommandException(
                    ExitCode.BUSY,
                    "another hawser send with this state directory is sending '" + name
                            + "' to the same topic, and it is not certain which of the two would replace the other. Run this"
                            + " again when that one has ended. Nothing was sent");
        }
    }

    private boolean isFree(long position, long length) throws IOException {
        try {
            FileLock lock = channel.tryLock(position, length, false);
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // held in this very process
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
