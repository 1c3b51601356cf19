package io.hawser.it.sim;

import io.hawser.core.testkit.InvariantName;
import io.hawser.store.log.SteppedLog;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A journal's file in the format that ships, written and recovered by the code that ships, on a disk of sectors: which of them survive a power
 * cut, whole or torn, is drawn; names pend separately; after a failed force the cache shows what the disk has lost.
 */
final class FormatFile {
    private static final Path DIRECTORY = Path.of("/node/log");
    /** Some records are long enough to span some sectors, also of a disk whose sectors are large. */
    private static final int ONE_IN_LARGE = 2;

    private static final int MOST_MORE_BYTES = 8 * FaultyStorage.LARGE_SECTOR_BYTES;

    private final SimNode node;
    private FaultyStorage disk = new FaultyStorage();
    private Fault tornFault = Fault.WRITE_TORN;
    /** What each record of the journal looks like, in their order. */
    private final List<byte[]> bodies = new ArrayList<>();

    private @Nullable SteppedLog log;
    private long made;
    private int recovered;

    FormatFile(SimNode node) {
        this.node = node;
        wipe();
    }

    void wipe() {
        boolean large = node.chain.random.nextBoolean();
        disk = new FaultyStorage(large ? FaultyStorage.LARGE_SECTOR_BYTES : FaultyStorage.SECTOR_BYTES);
        tornFault = large ? Fault.WRITE_TORN_IN_LARGE_SECTORS : Fault.WRITE_TORN;
        disk.directAllowed(node.chain.random.nextInt(4) > 0);
        bodies.clear();
    }

    private SteppedLog log() {
        SteppedLog current = log;
        if (current == null) {
            throw new IllegalStateException(node + "'s log is not open");
        }
        return current;
    }

    /** Writes what the journal has got since, without a force. */
    void write(List<? extends SimJournal.Entry> records) {
        List<byte[]> fresh = new ArrayList<>();
        for (SimJournal.Entry record : records) {
            byte[] content = record instanceof StoredFragment fragment ? fragment.bytes() : new byte[0];
            int more = node.chain.random.nextInt(ONE_IN_LARGE) == 0 ? node.chain.random.nextInt(MOST_MORE_BYTES) : 0;
            fresh.add(ByteBuffer.allocate(Long.BYTES + content.length + more)
                    .putLong(++made)
                    .put(content)
                    .array());
        }
        bodies.addAll(fresh);
        if (node.chain.strikes(Fault.LOG_WRITE_FAILED, 100)) {
            FaultyStorage.Fault[] ways = FaultyStorage.Fault.values();
            disk.failCall(1, ways[node.chain.random.nextInt(ways.length)], false);
        }
        log().write(fresh);
    }

    /** Lets the force happen, or fail. */
    void force() {
        if (node.chain.strikes(Fault.FORCE_FAILED, 60)) {
            disk.failCall(1, FaultyStorage.Fault.EIO, false);
        }
        if (log().awaitsForce()) {
            log().force();
        }
    }

    boolean awaitsForce() {
        return log().awaitsForce();
    }

    boolean hasFailed() {
        return log().hasFailed();
    }

    /** How many records of the journal are durable. */
    int durableCount() {
        return recovered + log().durableCount();
    }

    void crash(boolean powerCut) {
        if (powerCut) {
            long before = disk.tears();
            disk.powerCut(node.chain.random.nextLong());
            if (disk.tears() > before) {
                node.chain.count(tornFault);
            }
        } else {
            disk.kill();
        }
        disk.heal();
        log = null;
    }

    /**
     * Opens it again.
     *
     * @param durable how many records were durable before
     * @return how many there are; -1 if the disk failed again meanwhile
     */
    int recover(int durable) {
        if (node.chain.strikes(Fault.DISK_FAILED_IN_RECOVERY, 8)) {
            disk.failCall(1 + node.chain.random.nextInt(6), FaultyStorage.Fault.EIO, true);
        }
        SteppedLog opened;
        try {
            opened = SteppedLog.open(CarelessStorage.of(disk, node.chain.plan.bug), DIRECTORY, node.life);
        } catch (StorageException e) {
            return -1;
        }
        disk.heal();
        log = opened;
        recovered = opened.found().size();
        check(opened, durable);
        if (recovered < bodies.size()) {
            node.chain.count(Fault.UNFORCED_WRITES_LOST);
            bodies.subList(recovered, bodies.size()).clear();
        }
        return recovered;
    }

    /** What is there is a prefix of what was written, with all that was durable, and nothing is called damaged. */
    private void check(SteppedLog opened, int durable) {
        Invariants.check(
                !opened.isDamaged(), InvariantName.DURABLE_ACK, "the log is called damaged where it is not", node);
        Invariants.check(
                recovered >= durable,
                InvariantName.DURABLE_ACK,
                "the log has lost what was durable",
                node + ": " + recovered + " of " + durable);
        boolean prefix = recovered <= bodies.size();
        for (int i = 0; prefix && i < recovered; i++) {
            prefix = Arrays.equals(opened.found().get(i), bodies.get(i));
        }
        Invariants.check(prefix, InvariantName.REFUSE_DONT_CORRUPT, "the log holds what was not written to it", node);
    }

    /** At the end of a schedule nothing is left running. */
    void close() {
        disk.kill();
        log = null;
    }
}
