package io.hawser.client;

import io.hawser.core.config.HostPort;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state directory of the Java API and {@code hawser send}: up to {@link #MAX_SLOTS} slots, so that several programs can share it. The
 * first slot is the directory itself, the others are below {@code slots/}.
 *
 * <p>A client locks its slot until it closes or its process ends. A slot has one destination, recorded before the first transfer is
 * accepted: transfers for one broker never go to another. A client takes the first free slot of its destination, so a program that is
 * alone keeps its node id, or makes a slot. When there are {@link #MAX_SLOTS}, it takes over a settled one of another destination.
 *
 * <p>Files of a slot, besides the spool's: {@code destination}: the line {@code brokers 1}, an address on each line, and their CRC32C; {@code
 * settled} exists if the broker has all that was accepted.
 *
 * <p>Any thread may call any method. All but {@link #at} block: they read the disk.
 */
public final class StateDirectory {
    /** The most clients that can share a state directory. */
    public static final int MAX_SLOTS = 32;

    private static final int VERSION = 1;
    private static final Pattern FIRST_LINE = Pattern.compile("brokers ([0-9]{1,9})");
    /** Begins the last line. Optional, so that an operator can write the file. */
    private static final String CHECKSUM = "crc32c ";

    private static final String SLOTS = "slots";
    private static final String DESTINATION_FILE = "destination";
    private static final String SETTLED_FILE = "settled";
    private static final String LOCK_FILE = "lock";

    private final Storage storage;
    private final Path root;

    StateDirectory(Storage storage, Path root) {
        this.storage = storage;
        this.root = root;
    }

    /** The state directory at {@code root}, which need not exist. */
    public static StateDirectory at(Path root) {
        return new StateDirectory(new DiskStorage(), root);
    }

    private Path directory(int index) {
        return index == 0 ? root : root.resolve(SLOTS).resolve(Integer.toString(index));
    }

    /**
     * The slots that exist, the first one first.
     *
     * @throws IOException if the directory cannot be read, or a slot's destination is damaged
     */
    public List<StateSlot> slots() throws IOException {
        List<StateSlot> found = new ArrayList<>();
        for (int index = 0; index < MAX_SLOTS; index++) {
            Path directory = directory(index);
            if (storage.facts(directory.resolve(LOCK_FILE)) != null) {
                found.add(read(directory));
            }
        }
        return found;
    }

    /**
     * Whether a client uses the slot now.
     *
     * @throws IOException if its lock file cannot be read
     */
    public boolean isInUse(StateSlot slot) throws IOException {
        try {
            storage.lockForReading(slot.directory().resolve(LOCK_FILE)).close();
            return false;
        } catch (DirectoryInUseException e) {
            return true;
        }
    }

    /**
     * The slots that a client for {@code brokers} may use: those of its destination and those that do not exist yet.
     *
     * @param first come before all others
     */
    List<Path> candidates(List<String> brokers, List<StateSlot> first) throws StorageException {
        Set<Path> candidates = new LinkedHashSet<>();
        first.forEach(slot -> candidates.add(slot.directory()));
        for (int index = 0; index < MAX_SLOTS; index++) {
            if (read(directory(index)).isFor(brokers)) {
                candidates.add(directory(index));
            }
        }
        return List.copyOf(candidates);
    }

    /** The settled slots of other destinations. */
    List<Path> settledOfOthers(List<String> brokers) throws IOException {
        return slots().stream()
                .filter(slot -> slot.isSettled() && !slot.isFor(brokers))
                .map(StateSlot::directory)
                .toList();
    }

    private StateSlot read(Path directory) throws StorageException {
        return new StateSlot(directory, destination(directory), storage.facts(directory.resolve(SETTLED_FILE)) != null);
    }

    private List<String> destination(Path directory) throws StorageException {
        Path file = directory.resolve(DESTINATION_FILE);
        if (storage.facts(file) == null) {
            return List.of();
        }
        String text = new String(storage.readAll(file), StandardCharsets.UTF_8);
        int last = text.lastIndexOf("\n" + CHECKSUM) + 1;
        String checked = last > 0 ? text.substring(0, last) : text;
        boolean isCut = !checked.endsWith("\n"); // what is left of a cut address may be the address of another broker
        if (isCut || (last > 0 && !text.equals(withChecksum(checked)))) {
            throw damaged(file, null);
        }
        List<String> lines = checked.lines().toList();
        Matcher first = FIRST_LINE.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (!first.matches() || lines.size() < 2) {
            throw damaged(file, null);
        }
        if (Integer.parseInt(first.group(1)) > VERSION) {
            throw new FormatTooNewException(
                    file + " is of version " + first.group(1) + ", where this version of Hawser knows " + VERSION
                            + ". Use the newer version. Nothing was changed.");
        }
        try {
            return lines.stream()
                    .skip(1)
                    .map(line -> HostPort.parse(line).toString())
                    .toList();
        } catch (IllegalArgumentException e) {
            throw damaged(file, e);
        }
    }

    private static String withChecksum(String lines) {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
        return lines + CHECKSUM + String.format("%08x", Crc32c.of(bytes)) + "\n";
    }

    private static CorruptRecordException damaged(Path file, @Nullable Exception cause) {
        String message = file + " should say which broker the transfers beside it are for, and does not. Write"
                + " two whole lines into it: 'brokers 1' and HOST:PORT. Nothing was changed.";
        return cause == null ? new CorruptRecordException(message) : new CorruptRecordException(message, cause);
    }

    /**
     * Binds a slot that the caller has locked to its destination, durably.
     *
     * @param hasUnsent whether the slot has transfers that no broker has yet
     * @return false if it has another destination
     * @throws CorruptRecordException if it has such transfers and no destination
     */
    boolean claim(Path directory, List<String> brokers, boolean hasUnsent) throws StorageException {
        StateSlot now = read(directory);
        if (!now.isFor(brokers)) {
            return false;
        }
        if (hasUnsent && now.brokers().isEmpty()) {
            throw damaged(directory.resolve(DESTINATION_FILE), null);
        }
        bind(directory, now.brokers(), brokers);
        return true;
    }

    /** Binds a settled slot that the caller has locked to {@code brokers} alone. */
    void rebind(Path directory, List<String> brokers) throws StorageException {
        bind(directory, List.of(), brokers);
    }

    private void bind(Path directory, List<String> known, List<String> brokers) throws StorageException {
        if (storage.delete(directory.resolve(SETTLED_FILE))) {
            storage.forceDirectory(directory); // before a transfer is accepted
        }
        Set<String> all = new LinkedHashSet<>(known);
        if (all.addAll(brokers)) {
            String lines = all.stream().map(broker -> broker + "\n").collect(Collectors.joining());
            storage.replaceAll(
                    directory.resolve(DESTINATION_FILE),
                    withChecksum("brokers " + VERSION + "\n" + lines).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Marks a slot that the caller has locked: the broker has all that was accepted. */
    void settle(Path directory) throws StorageException {
        storage.replaceAll(directory.resolve(SETTLED_FILE), "\n".getBytes(StandardCharsets.UTF_8));
    }
}
