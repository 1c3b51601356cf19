package io.hawser.store.spool;

import io.hawser.core.config.HostPort;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code destination} in the spool of a program: for which broker its transfers are. The line {@code brokers 1}, the addresses of
 * one broker, or of several over one store, a line each, and their CRC32C.
 *
 * <p>Thread: one at a time.
 */
public final class BrokerAddressFile {
    private static final int VERSION = 1;
    private static final Pattern FIRST_LINE = Pattern.compile("brokers ([0-9]{1,9})");
    /** Begins the last line. Optional, so that an operator can write the file. */
    private static final String CHECKSUM = "crc32c ";

    private final Storage storage;
    private final Path path;

    /** The file in {@code spool}, which need not exist. */
    public BrokerAddressFile(Storage storage, Path spool) {
        this.storage = storage;
        this.path = spool.resolve("destination");
    }

    Path path() {
        return path;
    }

    /**
     * The addresses; none if there is no file.
     *
     * @throws CorruptRecordException if it is damaged
     * @throws FormatTooNewException if a later version of Hawser has written it
     */
    public List<String> read() throws StorageException {
        if (storage.facts(path) == null) {
            return List.of();
        }
        String text = new String(storage.readAll(path), StandardCharsets.UTF_8);
        int last = text.lastIndexOf("\n" + CHECKSUM) + 1;
        String checked = last > 0 ? text.substring(0, last) : text;
        boolean isCut = !checked.endsWith("\n"); // what is left of a cut address may be the address of another broker
        List<String> lines = checked.lines().toList();
        Matcher first = FIRST_LINE.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (isCut || (last > 0 && !text.equals(withChecksum(checked))) || !first.matches() || lines.size() < 2) {
            throw damaged(null);
        }
        if (Integer.parseInt(first.group(1)) > VERSION) {
            throw new FormatTooNewException(
                    path + " is of version " + first.group(1) + ", where this version of Hawser knows " + VERSION
                            + ". Use the newer version. Nothing was changed.");
        }
        try {
            return lines.stream()
                    .skip(1)
                    .map(line -> HostPort.parse(line).toString())
                    .toList();
        } catch (IllegalArgumentException e) {
            throw damaged(e);
        }
    }

    /** Adds {@code brokers} to the {@code known} ones, durably. */
    public void bind(List<String> known, List<String> brokers) throws StorageException {
        Set<String> all = new LinkedHashSet<>(known);
        if (all.addAll(brokers)) {
            String lines = all.stream().map(broker -> broker + "\n").collect(Collectors.joining());
            storage.replaceAll(
                    path, withChecksum("brokers " + VERSION + "\n" + lines).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What is thrown if the spool has something to send and this file does not say where. */
    public CorruptRecordException missing() {
        return damaged(null);
    }

    private static String withChecksum(String lines) {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
        return lines + CHECKSUM + String.format("%08x", Crc32c.of(bytes)) + "\n";
    }

    private CorruptRecordException damaged(@Nullable Exception cause) {
        String message = path + " should say which broker the transfers beside it are for, and does not. Write"
                + " two whole lines into it: 'brokers 1' and HOST:PORT. Nothing was changed.";
        return cause == null ? new CorruptRecordException(message) : new CorruptRecordException(message, cause);
    }
}
