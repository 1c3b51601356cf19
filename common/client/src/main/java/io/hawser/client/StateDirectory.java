package io.hawser.client;

import io.hawser.store.spool.BrokerAddressFile;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The state directory of the Java API and {@code hawser send}: up to {@link #MAX_SLOTS} slots, so that several programs can share it. The
 * first slot is the directory itself, the others are below {@code slots/}.
 *
 * <p>A client locks its slot until it closes or its process ends. A slot has one destination, recorded before the first transfer is
 * accepted: transfers for one broker never go to another. A client takes the first free slot of its destination, so a program that is
 * alone keeps its node id, or makes a slot. When there are {@link #MAX_SLOTS}, it takes over a settled one of another destination.
 *
 * <p>Files of a slot, besides the spool's: {@link BrokerAddressFile}; {@code settled} exists if the broker has all that was
 * accepted.
 *
 * <p>Any thread may call any method. All but {@link #at} block: they read the disk.
 */
public final class StateDirectory {
    /** The most clients that can share a state directory. */
    public static final int MAX_SLOTS = 32;

    /** What interrupted runs of {@code hawser send} remember of what they have sent to the slot's destination. */
    public static final String SENDS = "sends";

    private static final String SLOTS = "slots";
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

    Path root() {
        return root;
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
        return new StateSlot(
                directory, destination(directory).read(), storage.facts(directory.resolve(SETTLED_FILE)) != null);
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
            throw destination(directory).missing();
        }
        bind(directory, now.brokers(), brokers);
        return true;
    }

    /** Binds a settled slot that the caller has locked to {@code brokers} alone: what is remembered of others is forgotten. Returns true. */
    boolean rebind(Path directory, List<String> brokers) throws StorageException {
        Path sends = directory.resolve(SENDS);
        if (storage.facts(sends) != null) {
            for (String name : storage.list(sends)) {
                storage.delete(sends.resolve(name));
            }
            storage.forceDirectory(sends);
        }
        bind(directory, List.of(), brokers);
        return true;
    }

    private void bind(Path directory, List<String> known, List<String> brokers) throws StorageException {
        if (storage.delete(directory.resolve(SETTLED_FILE))) {
            storage.forceDirectory(directory); // before a transfer is accepted
        }
        destination(directory).bind(known, brokers);
    }

    private BrokerAddressFile destination(Path directory) {
        return new BrokerAddressFile(storage, directory);
    }

    /** Marks a slot that the caller has locked: the broker has all that was accepted. */
    void settle(Path directory) throws StorageException {
        storage.replaceAll(directory.resolve(SETTLED_FILE), "\n".getBytes(StandardCharsets.UTF_8));
    }
}
