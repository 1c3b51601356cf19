package io.hawser.it.sim;

import io.hawser.broker.relay.RelayLimits;
import io.hawser.core.hop.HopSenderLimits;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** What a seed draws before its schedule begins: the shape of the chain, the bounds, and which faults there are. */
final class Plan {
    static final long MILLIS = 1_000_000L;
    private static final long MEMBER_PATIENCE_MILLIS = 2_000;
    /** So that some are away for longer. */
    private static final long SHORT_PATIENCE_MILLIS = 300;

    private static final long ONE_DAY_MILLIS = 86_400_000L;
    /** How often the relay looks for what nobody has come for. */
    private static final long UNCLAIMED_MILLIS = 100;

    /** The longest upload has as many fragments. */
    private static final int MOST_FRAGMENTS = 6;

    private static final List<Fault> OF_EDGES = List.of(
            Fault.WALL_CLOCK_JUMPED_FORWARD,
            Fault.WALL_CLOCK_JUMPED_BACK,
            Fault.READ_GIVEN_UP,
            Fault.ANSWER_DAMAGED,
            Fault.ANSWER_LOST_WITH_ITS_STREAM);

    private static final int[] FRAGMENT_SIZES = {4096, 8192};

    final long seed;
    final ScheduleKind kind;
    final PlantedBug bug;
    final int fragmentSizeBytes;
    final int publishers;
    final int consumers;
    final int topics;
    final int streams;
    final int uploads;
    final int brokerBuffers;
    /** Fragments that the broker keeps in memory for consumers that are a little behind. */
    final int brokerLoans;

    final int consumerBuffers;
    final HopSenderLimits hop;
    final RelayLimits relay;
    final Set<Fault> faults = EnumSet.noneOf(Fault.class);
    final long faultPhaseNanos;
    final long meanFaultGapNanos;
    /** Whether publishers keep their copy until all receipts are there, so that a damaged record can be repaired. */
    final boolean originKeepsCopies;
    /** Whether writes are slow enough to make acks late. */
    final long slowestForceNanos;
    /** What uploads may take at the broker together before they are committed; the longest fits alone. */
    final long quotaBytes;
    /** Whether an operator removes subscriptions. A range of seeds of its own, so that the others stay what they are. */
    final boolean removals;

    Plan(long seed, PlantedBug bug, SplittableRandom random) {
        this.seed = seed;
        kind = ScheduleKind.of(seed);
        this.bug = bug;
        boolean small = !kind.isRandom();
        fragmentSizeBytes = FRAGMENT_SIZES[random.nextInt(small ? 1 : FRAGMENT_SIZES.length)];
        publishers = small ? 1 : 1 + random.nextInt(2);
        consumers = small ? 1 : groups() ? 2 + random.nextInt(2) : 1 + random.nextInt(3);
        topics = small || groups() ? 1 : 1 + random.nextInt(2);
        streams = 1 + random.nextInt(3);
        uploads = 2 + random.nextInt(6);
        brokerBuffers = 4 + random.nextInt(6);
        brokerLoans = brokerBuffers % 4; // not drawn, so that the seeds stay what they are
        consumerBuffers = 2 + random.nextInt(5);
        int smallLimitBytes = isWhole()
                ? fragmentSizeBytes
                : small || random.nextBoolean() ? -1 : 8 + random.nextInt(fragmentSizeBytes - 8 + 1);
        hop = new HopSenderLimits(
                1 + random.nextInt(4),
                2 + random.nextInt(6),
                1 + random.nextInt(4),
                smallLimitBytes,
                2 * fragmentSizeBytes,
                8,
                (long) fragmentSizeBytes * (2 + random.nextInt(5)));
        relay = new RelayLimits(
                hop,
                2 + random.nextInt(5),
                1 + random.nextInt(4),
                (long) fragmentSizeBytes * (2 + random.nextInt(5)),
                ONE_DAY_MILLIS,
                UNCLAIMED_MILLIS,
                true,
                groups() ? SHORT_PATIENCE_MILLIS : MEMBER_PATIENCE_MILLIS);
        for (Fault fault : Fault.values()) {
            if (!small && fault.injected() && random.nextInt(100) < 40) {
                faults.add(fault);
            }
        }
        if (kind == ScheduleKind.FORGETTING) {
            faults.add(Fault.INCOMPLETE_FORGOTTEN);
        }
        faultPhaseNanos = (small ? 100 : 500 + random.nextInt(3500)) * MILLIS;
        meanFaultGapNanos = (60 + random.nextInt(600)) * MILLIS;
        originKeepsCopies = faults.contains(Fault.RECORD_DAMAGED) || random.nextBoolean();
        slowestForceNanos = (!small && random.nextInt(4) == 0 ? 400 : 20) * MILLIS;
        removals = kind == ScheduleKind.REMOVALS || (kind == ScheduleKind.EDGES && random.nextInt(3) == 0);
        boolean narrow = kind == ScheduleKind.EDGES && random.nextInt(2) == 0;
        quotaBytes = narrow ? MOST_FRAGMENTS * (long) fragmentSizeBytes : Long.MAX_VALUE;
        if (kind == ScheduleKind.STOPS) {
            faults.add(Fault.NODE_STOPPED);
        }
        if (kind == ScheduleKind.HOSTILE) {
            // Damage in the spool and at the broker together may leave no copy, which is not what these look for.
            faults.remove(Fault.RECORD_DAMAGED);
            faults.add(Fault.SPOOL_DAMAGED_WHILE_DOWN);
            faults.add(Fault.LANDING_DAMAGED_WHILE_DOWN);
        }
        if (kind == ScheduleKind.EDGES) {
            faults.remove(Fault.FILE_TAKEN_AWAY); // what stands at the names in the end is compared
            for (Fault fault : OF_EDGES) {
                if (random.nextInt(100) < 40) {
                    faults.add(fault);
                }
            }
        }
    }

    /** Whether the one transfer travels whole. */
    boolean isWhole() {
        return kind == ScheduleKind.EVERY_CALL && !CallPoint.ofSeed(seed).large();
    }

    /** Whether names change, files are read and removed consumers come back. */
    boolean edges() {
        return kind == ScheduleKind.EDGES;
    }

    /** Whether a node without rights is there, and damage. */
    boolean hostile() {
        return kind == ScheduleKind.HOSTILE;
    }

    /** Whether consumers set terms. */
    boolean terms() {
        return kind == ScheduleKind.TERMS;
    }

    /** Whether the consumers are members of a group. */
    boolean groups() {
        return kind == ScheduleKind.GROUPS || (cancels() && seed % 4 == 1);
    }

    /** Whether files come again. */
    boolean repeats() {
        return kind == ScheduleKind.REPEATS || (cancels() && seed % 4 == 2);
    }

    /** Whether transfers are cancelled. */
    boolean cancels() {
        return kind == ScheduleKind.CANCELS;
    }

    /** Whether some are held for a while. */
    boolean holds() {
        return cancels() && seed % 2 == 1;
    }

    /** Whether wall clocks do: after a start at another time what has ended may be too old to be remembered. */
    boolean clockJumps() {
        return has(Fault.WALL_CLOCK_JUMPED_FORWARD) || has(Fault.WALL_CLOCK_JUMPED_BACK);
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** Bytes per buffer: a fragment, or a packet of small transfers. */
    int bufferBytes() {
        return Math.max(fragmentSizeBytes, hop.smallPacketBytes());
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + publishers + " publishers, " + consumers + " consumers, " + topics + " topics, "
                + streams + " streams, " + uploads + " uploads, fragments of " + fragmentSizeBytes + ", " + hop + ", "
                + relay + ", faults " + faults
                + (removals ? ", removals" : "");
    }
}
