package io.hawser.it.chaos;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Fills the nodes' file systems and turns their clocks, whether they run or not. Brokers over Kafka are left alone: they keep nothing that
 * could not be made again, and Kafka's clients take the wall clock for their timeouts.
 */
final class MachineFaults extends FaultLane {
    private static final int USUAL_MILLIS = 4000;
    private static final int LONG_MILLIS = 12_000;
    private static final long MIB = 1 << 20;
    /** What others leave free: from nothing to what a node keeps for itself. */
    private static final List<Long> LEFT = List.of(0L, 8 * MIB, 40 * MIB, 120 * MIB);

    private static final int DAY_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);
    private static final int HOUR_SECONDS = (int) TimeUnit.HOURS.toSeconds(1);

    MachineFaults(RunParts run, long seed) {
        super("machine-faults", seed, run.settings().faultsOf(Fault.Realm.MACHINE), run);
    }

    @Override
    void inject(Fault fault) throws Exception {
        Member victim = oneOf(deployment.singles());
        counts.add(fault, victim.name(), 1);
        if (fault == Fault.CLOCK) {
            int seconds = random.nextBoolean() ? random.nextInt(DAY_SECONDS) : -random.nextInt(HOUR_SECONDS);
            deployment.clock(victim).jump(seconds);
            Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
            deployment.clock(victim).jump(0);
            return;
        }
        SmallDisk disk = deployment.disk(victim);
        try {
            disk.fillTo(oneOf(LEFT));
            Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
        } finally {
            disk.empty();
        }
    }
}
