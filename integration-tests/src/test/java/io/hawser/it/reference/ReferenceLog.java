package io.hawser.it.reference;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * All records of a log directory, in their order, as a recovery must find them: without the torn tail and without what is damaged. It
 * changes nothing, and refuses what a start would refuse. Thread: its owner's.
 */
final class ReferenceLog {
    private static final String SEGMENT = "[0-9]{20}\\.log";
    private static final long LIST_MAGIC = 0x485753524C495354L; // "HWSRLIST"

    private final List<ReferenceRecord> records = new ArrayList<>();
    private final Storage storage;
    private final Path directory;
    private final byte[] logId;
    private int segments;
    private int damages;
    private long lastSequence;
    private String cut = "";

    private ReferenceLog(Storage storage, Path directory, byte[] logId) {
        this.storage = storage;
        this.directory = directory;
        this.logId = logId;
    }

    /** What the file {@code segments} says. */
    private record Listed(long generation, long first, long last, long durable) {}

    /** Reads the log in {@code directory}; without a segment it is empty. */
    static ReferenceLog read(Storage storage, Path directory) throws StorageException {
        List<String> names = storage.list(directory);
        List<Long> numbers = names.stream()
                .filter(name -> name.matches(SEGMENT))
                .map(name -> Long.parseLong(name.substring(0, 20)))
                .toList();
        byte[] id = names.contains("log.id")
                ? HexFormat.of()
                        .parseHex(text(storage, directory.resolve("log.id")).strip())
                : new byte[16];
        ReferenceLog log = new ReferenceLog(storage, directory, id);
        Listed listed = names.contains("segments") ? log.list() : null;
        log.read(listed == null ? numbers : log.wanted(numbers, listed));
        if (listed != null && log.lastSequence < listed.durable) {
            throw new StorageException(directory + ": record " + listed.durable + " was durable, and the log ends with "
                    + log.lastSequence);
        }
        return log;
    }

    private static String text(Storage storage, Path path) throws StorageException {
        return new String(storage.readAll(path), StandardCharsets.US_ASCII);
    }

    List<ReferenceRecord> records() {
        return records;
    }

    int segments() {
        return segments;
    }

    /** Places that cannot be read although what follows them counts. */
    int damages() {
        return damages;
    }

    /** Where a recovery cuts off a torn tail, as {@code SEGMENT-POSITION}, or an empty string. */
    String cut() {
        return cut;
    }

    /** The payload of one of the records. */
    byte[] payload(ReferenceRecord record) throws StorageException {
        byte[] bytes = pastTheCache(path(record.segment()));
        int from = Math.toIntExact(record.payloadPosition());
        return Arrays.copyOfRange(bytes, from, from + record.payloadLength());
    }

    /** The page cache may show what a failed force has lost. */
    private byte[] pastTheCache(Path path) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.READ, FileIoMode.DIRECT)) {
            int size = Math.toIntExact(file.sizeBytes());
            int block = Math.max(ReferenceSegment.BLOCK_BYTES, storage.blockSizeBytes(directory));
            ByteBuffer bytes = ByteBuffer.allocate((size + block - 1) / block * block);
            file.read(bytes, 0);
            return size == bytes.capacity() ? bytes.array() : Arrays.copyOf(bytes.array(), size);
        }
    }

    private Path path(long segment) {
        return directory.resolve(String.format("%020d.log", segment));
    }

    private void read(List<Long> numbers) throws StorageException {
        segments = numbers.size();
        for (int i = 0; i < segments; i++) {
            long number = numbers.get(i);
            byte[] bytes = pastTheCache(path(number));
            byte[] id = ReferenceSegment.logIdOf(path(number), number, bytes);
            if (id != null && !Arrays.equals(id, logId)) {
                throw new StorageException(
                        path(number) + ": it is of log " + HexFormat.of().formatHex(id));
            }
            ReferenceSegment segment = new ReferenceSegment(path(number), number, logId, bytes);
            segment.read(records, lastSequence, i == segments - 1);
            lastSequence = segment.lastSequence();
            damages += segment.damages();
            cut = segment.cutAt() < 0 ? "" : number + "-" + segment.cutAt();
        }
    }

    /** The segments that count: one before the first of the list was about to be deleted. */
    private List<Long> wanted(List<Long> numbers, Listed listed) throws StorageException {
        for (long number = listed.first; number <= listed.last; number++) {
            if (!numbers.contains(number)) {
                throw new StorageException(path(number) + ": lost; the list of segments names it");
            }
        }
        return numbers.stream().filter(number -> number >= listed.first).toList();
    }

    private @Nullable Listed list() throws StorageException {
        byte[] bytes = storage.readAll(directory.resolve("segments"));
        Listed newest = null;
        for (int at = 0; at + 68 <= bytes.length; at += ReferenceSegment.BLOCK_BYTES) {
            Listed entry = entry(bytes, at);
            if (entry != null && (newest == null || entry.generation > newest.generation)) {
                newest = entry;
            }
        }
        return newest;
    }

    private @Nullable Listed entry(byte[] bytes, int at) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes, at, 64);
        boolean good = in.getLong(at) == LIST_MAGIC
                && in.getShort(at + 8) == ReferenceSegment.VERSION
                && Arrays.equals(logId, Arrays.copyOfRange(bytes, at + 16, at + 32))
                && (int) crc.getValue() == in.getInt(at + 64);
        return good
                ? new Listed(in.getLong(at + 32), in.getLong(at + 40), in.getLong(at + 48), in.getLong(at + 56))
                : null;
    }
}
