package io.hawser.it.sim;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;

/**
 * The disk of a machine, and the tasks that wait for it: each runs at a drawn time, in its lane in any order. A call of the disk may fail, and
 * the process or the machine may end between any two of them.
 */
final class SimDisk implements DiskExecutor {
    /** Free space that is left on a full disk, for journals. */
    static final long HEAD_ROOM_BYTES = 256 << 10;

    private static final int CALLS_OF_A_TASK = 6;
    private static final long LONGEST_OF_INDEX_NANOS = 200_000;

    private final SimNode node;
    private final SimChain chain;
    private final SimStorage door;
    private final Map<Lane, Integer> waiting = new EnumMap<>(Lane.class);
    private FaultyStorage disk = new FaultyStorage();

    SimDisk(SimNode node) {
        this.node = node;
        this.chain = node.chain;
        this.door = new SimStorage(this, chain.plan.bug);
        wipe();
    }

    /** What the stores see. */
    SimStorage door() {
        return door;
    }

    /** What is really there. */
    FaultyStorage raw() {
        return disk;
    }

    /** The machine is a new one. Only while its process is down. */
    void wipe() {
        boolean large = chain.random.nextBoolean();
        disk = new FaultyStorage(large ? FaultyStorage.LARGE_SECTOR_BYTES : FaultyStorage.SECTOR_BYTES);
        disk.directAllowed(chain.random.nextInt(4) > 0);
    }

    /** From now on nothing but journals has room, or all has again. */
    void full(boolean isFull) {
        disk.capacityBytes(isFull ? disk.usedBytes() + HEAD_ROOM_BYTES / 2 : Long.MAX_VALUE);
    }

    /** What is left when the process ends, or the machine. */
    void crash(boolean powerCut) {
        waiting.clear();
        if (powerCut) {
            long before = disk.tears();
            disk.powerCut(chain.random.nextLong());
            if (disk.tears() > before) {
                chain.count(Fault.WRITE_TORN);
            }
        } else {
            disk.kill();
        }
        disk.heal();
        door.crashed();
    }

    /** Blocking work of a start: false if the process died of it, or of the disk. */
    boolean boot(Boot work) {
        if (chain.strikes(Fault.DISK_FAILED_IN_RECOVERY, 12)) {
            disk.failCall(1 + chain.random.nextInt(CALLS_OF_A_TASK), FaultyStorage.Fault.EIO, true);
        } else if (chain.strikes(Fault.CRASH_IN_RECOVERY, 8)) {
            door.dieAfter(chain.random.nextInt(3 * CALLS_OF_A_TASK));
        }
        boolean opened = false;
        door.starts();
        try {
            work.open();
            opened = !door.isDead();
        } catch (StorageException e) {
            chain.trace(node, "cannot start:", e);
        } catch (SimStorage.Died e) {
            chain.trace(node, "died while it started", "");
        }
        disk.heal();
        door.started();
        return opened;
    }

    /** Opens a store. */
    interface Boot {
        void open() throws StorageException;
    }

    /** The machine loses its power before the next call that changes its disk. */
    void losePowerSoon() {
        door.losePowerSoon();
    }

    private void run(Runnable task) {
        if (chain.strikes(Fault.FORCE_FAILED, 150)) {
            FaultyStorage.Fault[] ways = FaultyStorage.Fault.values();
            FaultyStorage.Fault way = ways[chain.random.nextInt(ways.length)];
            if (way == FaultyStorage.Fault.ENOSPC
                    && node instanceof SimPublisher
                    && chain.plan.has(Fault.RECORD_DAMAGED)) {
                way = FaultyStorage.Fault.EIO; // a full disk would drop the copy that repairs the broker's
            }
            disk.failCall(1 + chain.random.nextInt(CALLS_OF_A_TASK), way, false);
        }
        try {
            task.run();
        } catch (SimStorage.Died e) {
            chain.trace(node, "died at its disk", "");
        }
        if (door.isDead()) {
            node.crash(door.losesPower(chain.random.nextBoolean()));
        }
    }

    /** Forces of journals take longest; in the index nothing waits for a disk. */
    private long delay(Lane lane, boolean isIndex) {
        if (isIndex) {
            return chain.random.nextLong(LONGEST_OF_INDEX_NANOS);
        }
        return lane == Lane.JOURNAL ? chain.slow() : chain.quick();
    }

    /** The chosen call was made. */
    void met(CallPoint.Way way) {
        chain.count(way.isEnd() ? Fault.DIED_AT_A_CALL : Fault.CALL_FAILED);
    }

    private void count(Lane lane, int more) {
        waiting.merge(lane, more, Integer::sum);
    }

    @Override
    public boolean execute(Lane lane, Runnable task) {
        count(lane, 1);
        node.post(delay(lane, false), () -> {
            count(lane, -1);
            run(task);
        });
        return true;
    }

    @Override
    public SerialQueue serial(Lane lane, String name) {
        return new Serial(lane, name.startsWith("hawser-index"));
    }

    @Override
    public void after(Duration delay, Runnable post) {
        node.post(delay.toNanos(), post);
    }

    @Override
    public boolean isConcurrent() {
        return false;
    }

    @Override
    public int threads(Lane lane) {
        return 2;
    }

    @Override
    public int waiting(Lane lane) {
        return waiting.getOrDefault(lane, 0);
    }

    @Override
    public int running(Lane lane) {
        return 0;
    }

    /** No store is closed in order here: its process ends. */
    @Override
    public void close() {}

    private final class Serial implements SerialQueue {
        private final Lane lane;
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private final boolean isIndex;
        private boolean scheduled;

        Serial(Lane lane, boolean isIndex) {
            this.lane = lane;
            this.isIndex = isIndex;
        }

        @Override
        public boolean execute(Runnable task) {
            tasks.add(task);
            schedule();
            return true;
        }

        private void schedule() {
            if (!scheduled && !tasks.isEmpty()) {
                scheduled = true;
                node.post(delay(lane, isIndex), () -> {
                    scheduled = false;
                    run(tasks.remove());
                    schedule();
                });
            }
        }

        @Override
        public void close() {}
    }
}
