package io.hawser.store.storage;

import io.hawser.core.integrity.Crc32c;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A text file (UTF-8) that lines are added to, each durable when {@link #append} returns. A line ends with a space and the CRC32C of what
 * is before it, eight hex digits. What a crash left of a last line is cut off; any other line that is not as it was written is damage.
 *
 * <p>Thread: one.
 */
public final class LineFile {
    private static final byte END = '\n';
    /** A space and eight digits. */
    private static final int CHECKSUM_LENGTH = 9;

    private static final long NONE = Long.MAX_VALUE;

    private final Storage storage;
    private final Path path;
    /** Where what a failed append may have left begins. */
    private long leftoverStart = NONE;

    /** The file was made here, and its name may not survive a power cut yet. */
    private boolean isNameUnforced;

    /** Names the file; it is made with its first line. */
    public LineFile(Storage storage, Path path) {
        this.storage = storage;
        this.path = path;
    }

    /** The lines, and where the last whole one ends. */
    private record Whole(List<String> lines, int end, int size) {}

    /**
     * All whole lines; none if there is no file. Cuts off what a crash left of a last line.
     *
     * @throws CorruptRecordException if a line is not as it was written
     */
    public List<String> read() throws StorageException {
        Whole whole = readWhole();
        if (whole.end < whole.size) {
            try (StorageFile file = storage.open(path, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
                file.truncate(whole.end);
                file.force(true);
            }
        }
        return whole.lines;
    }

    /** The same without a change. */
    public List<String> look() throws StorageException {
        return readWhole().lines;
    }

    private Whole readWhole() throws StorageException {
        if (storage.facts(path) == null) {
            return new Whole(List.of(), 0, 0);
        }
        byte[] bytes = storage.readAll(path);
        List<String> lines = new ArrayList<>();
        int whole = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == END) {
                lines.add(content(ByteBuffer.wrap(bytes, whole, i - whole), lines.size() + 1));
                whole = i + 1;
            }
        }
        return new Whole(lines, whole, bytes.length);
    }

    private String content(ByteBuffer line, int number) throws CorruptRecordException {
        int length = line.remaining() - CHECKSUM_LENGTH;
        ByteBuffer content = line.slice().limit(Math.max(0, length));
        String checksum = StandardCharsets.ISO_8859_1
                .decode(line.position(line.position() + content.remaining()))
                .toString();
        if (!checksum.equals(checksum(content.duplicate()))) {
            throw new CorruptRecordException(path + " is damaged: line " + number
                    + " is not a text and its checksum. Restore the file from a backup, or delete that line");
        }
        return StandardCharsets.UTF_8.decode(content).toString();
    }

    private static String checksum(ByteBuffer content) {
        return String.format(" %08x", Crc32c.of(content));
    }

    /** Adds a line and forces it. What an append that failed has left is cut off first. */
    public void append(String line) throws StorageException {
        isNameUnforced |= storage.facts(path) == null;
        String checked = line + checksum(StandardCharsets.UTF_8.encode(line)) + "\n";
        try (StorageFile file = storage.open(path, OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
            long end = Math.min(leftoverStart, file.sizeBytes());
            if (leftoverStart != NONE) {
                file.truncate(end);
            }
            leftoverStart = end;
            file.write(StandardCharsets.UTF_8.encode(checked), end);
            file.force(true);
            leftoverStart = NONE;
        }
        Path directory = path.toAbsolutePath().normalize().getParent();
        if (isNameUnforced && directory != null) {
            storage.forceDirectory(directory);
        }
        isNameUnforced = false;
    }
}
