package io.hawser.client;

import io.hawser.core.config.HostPort;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
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
 * The state directory of the Java API and {@code hawser send}: up to {@link #MAX_SLOTS} slots, so that several programs can use it at
 * once. The first slot is the directory itself, the others are below {@code slots/}.
 *
 * <p>A slot belongs to the client that has locked it, until the client's process ends, and to one destination, which is written down
 * before the first transfer is accepted: what was meant for one broker never goes to another. A client takes the first free slot of its
 * destination, so that a program that is alone keeps its identity, or makes one. When there are {@link #MAX_SLOTS}, it takes over a
 * settled one of another destination.
 *
 * <p>Files of a slot, besides the spool's: {@code destination}: the line {@code brokers 1}, an address on each line, and their CRC32C; {@code
 * settled}, there if nothing that was accepted has still to get to the broker.
 *
 * <p>Thread: any; calls block.
 */
public final class StateDirectory {
    /** As many clients can use a state directory at once. */
    public static final int MAX_SLOTS = 32;

    private static final int VERSION = 1;
    private static final Pattern FIRST_LINE = Pattern.compile("brokers ([0-9]{1,9})");
    /** The last line of what Hawser wrote; a person may leave it out. */
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

    /** The state directory at {@code root}, which need not be there. */
    public static StateDirectory at(Path root) {
        return new StateDirectory(new DiskStorage(), root);
    }

    private Path directory(int index) {
        return index == 0 ? root : root.resolve(SLOTS).resolve(Integer.toString(index));
    }

    /** The slots that there are, the first one first. */
    public List<StateSlot> slots() throws StorageException {
        List<StateSlot> found = new ArrayList<>();
        for (int index = 0; index < MAX_SLOTS; index++) {
            Path directory = directory(index);
            if (storage.facts(directory.resolve(LOCK_FILE)) != null) {
                found.add(look(directory));
            }
        }
        return found;
    }

    /** Whether a client has it now. */
    public boolean isInUse(StateSlot slot) throws StorageException {
        try {
            storage.lockForReading(slot.directory().resolve(LOCK_FILE)).close();
            return false;
        } catch (DirectoryInUseException e) {
            return true;
        }
    }

    /**
     * The directories in which a client for {@code brokers} may look for its slot: those of its destination and such as are not there yet.
     *
     * @param first tried before all others
     */
    List<Path> candidates(List<HostPort> brokers, List<StateSlot> first) throws StorageException {
        Set<Path> candidates = new LinkedHashSet<>();
        first.forEach(slot -> candidates.add(slot.directory()));
        for (int index = 0; index < MAX_SLOTS; index++) {
            if (look(directory(index)).isFor(brokers)) {
                candidates.add(directory(index));
            }
        }
        return List.copyOf(candidates);
    }

    /** The slots of other destinations that have nothing left to send. */
    List<Path> settledOfOthers(List<HostPort> brokers) throws StorageException {
        return slots().stream()
                .filter(slot -> slot.isSettled() && !slot.isFor(brokers))
                .map(StateSlot::directory)
                .toList();
    }

    private StateSlot look(Path directory) throws StorageException {
        return new StateSlot(directory, destination(directory), storage.facts(directory.resolve(SETTLED_FILE)) != null);
    }

    private List<HostPort> destination(Path directory) throws StorageException {
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
            return lines.stream().skip(1).map(HostPort::parse).toList();
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
     * Binds a slot that the caller holds to its destination, durably.
     *
     * @param hasUnsent whether the slot has transfers that have still to get to a broker
     * @return false if it has another destination
     * @throws CorruptRecordException if it has such transfers and nothing says which broker they are for
     */
    boolean claim(Path directory, List<HostPort> brokers, boolean hasUnsent) throws StorageException {
        StateSlot now = look(directory);
        if (!now.isFor(brokers)) {
            return false;
        }
        if (hasUnsent && now.brokers().isEmpty()) {
            throw damaged(directory.resolve(DESTINATION_FILE), null);
        }
        bind(directory, now.brokers(), brokers);
        return true;
    }

    /** Binds a slot that the caller holds to {@code brokers} alone: it has nothing left for those that it was bound to. */
    void rebind(Path directory, List<HostPort> brokers) throws StorageException {
        bind(directory, List.of(), brokers);
    }

    private void bind(Path directory, List<HostPort> known, List<HostPort> brokers) throws StorageException {
        if (storage.delete(directory.resolve(SETTLED_FILE))) {
            storage.forceDirectory(directory); // before anything is accepted
        }
        Set<HostPort> all = new LinkedHashSet<>(known);
        if (all.addAll(brokers)) {
            String lines = all.stream().map(broker -> broker + "\n").collect(Collectors.joining());
            storage.replaceAll(
                    directory.resolve(DESTINATION_FILE),
                    withChecksum("brokers " + VERSION + "\n" + lines).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** All that was accepted in a slot that the caller holds is at the broker. */
    void settle(Path directory) throws StorageException {
        storage.replaceAll(directory.resolve(SETTLED_FILE), "\n".getBytes(StandardCharsets.UTF_8));
    }
}
