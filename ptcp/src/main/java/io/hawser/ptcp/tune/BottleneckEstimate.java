package io.hawser.ptcp.tune;

/**
 * Estimates the rate of the bottleneck link from what a session's streams have delivered together, and limits how fast they send
 * together. Each stream's own congestion control sees its own part only: after a pause all of them try at once whether there is more
 * (BBR, which is told by the pauses that it was never the link that held it back, with 2.9 times what it knows), and what is too
 * much is lost and sent again. The idea is BBR's (Cardwell and others, ACM Queue 14(5), 2016), applied to the sum: the highest rate
 * of late is the link's, a queue shows that it is full, and now and then a little more is tried.
 *
 * <pre>
 *            a queue            it is gone, or for long          for long
 *   SEARCH ──────────► DRAIN ─────────────────────────► CRUISE ───────────► PROBE
 *   (no limit)           ▲                              │ │  ▲                │ │
 *      ▲                 └──────── a queue ─────────────┼─┘  └─ not faster ───┘ │
 *      │                 └──────────────────────────────┼───── a queue ─────────┘
 *      └─ the limit is not used, or drains do not help ─┘
 * </pre>
 *
 * <p>A direction without demand says nothing about the link, unless what it has sent still waits before it: a file that is no
 * longer than the link and its queue is on its way before the first of it is acknowledged. So what is known is kept through
 * pauses.
 *
 * <p>Thread: the session's loop only.
 */
public final class BottleneckEstimate {
    /** Peers that are nearer are not limited: a queue shows in no round trip there. */
    static final long NEAR_NANOS = 5_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long EPOCH_NANOS = 200 * NANOS_PER_MILLI;
    private static final long LEAST_QUEUE_NANOS = 10 * NANOS_PER_MILLI;
    private static final long MOST_QUEUE_NANOS = 60 * NANOS_PER_MILLI;
    private static final int REMEMBERED_ROUNDS = 10;
    private static final int DRAIN_ROUNDS = 2;
    private static final int CRUISE_ROUNDS = 6;
    private static final double FIRST_DRAIN_GAIN = 0.75;
    private static final double DRAIN_GAIN = 0.9;
    private static final double PROBE_GAIN = 1.25;
    private static final double GROWTH = 1.1;

    /** Who sends nearly all that he may, and sees no queue, is perhaps held back. */
    private static final double WANTING = 0.9;

    private static final int WANTING_ROUNDS = 2;

    /** A limit of which no more is used is none: perhaps some streams cannot use their shares of it. */
    private static final double USED = 0.8;

    /** A queue that outlasts so many drains is not this session's, or the way is a longer one now. */
    private static final int VAIN_DRAINS = 3;

    /** So long it then takes its share as the streams' own congestion control finds it, each time twice as long. */
    private static final int FIRST_PATIENCE_ROUNDS = 16;

    private static final int MOST_PATIENCE_ROUNDS = 256;

    private enum Phase {
        SEARCH,
        DRAIN,
        CRUISE,
        PROBE
    }

    private Phase phase = Phase.SEARCH;
    private double gain;
    private long phaseNanos;
    private long minRttNanos;

    private double phaseBest;
    private int vainDrains;
    private int patienceRounds;

    private long filledNanos;
    private long pausedNanos;
    private long epochNanos;
    private long epochBytes;
    private long epochQueueNanos = Long.MAX_VALUE;
    private boolean fullBefore;

    /** The highest rate of this part of the time that is remembered, and of the one before. */
    private double best;

    private double bestBefore;
    private long bestNanos;
    private double probedFrom;

    /**
     * A tick is over.
     *
     * @return bytes per second for all streams together, or 0 for no limit
     */
    public long onTick(Tick tick) {
        minRttNanos = tick.minRttNanos();
        if (minRttNanos < NEAR_NANOS) {
            return 0;
        }
        boolean filled = tick.demand() || (tick.busy() && tick.leastQueueNanos() > fullQueueNanos(minRttNanos));
        if (!filled) {
            pausedNanos += tick.lengthNanos();
        } else if (pausedNanos > 0) {
            onPauseOver();
        }
        filledNanos = filled ? filledNanos + tick.lengthNanos() : 0;
        if (filledNanos <= minRttNanos) {
            forgetEpoch(); // what was sent in the first round trip is not acknowledged yet
        } else {
            epochNanos += tick.lengthNanos();
            epochBytes += tick.deliveredBytes();
            epochQueueNanos = Math.min(epochQueueNanos, tick.leastQueueNanos());
            if (epochNanos >= EPOCH_NANOS) {
                onEpoch(epochBytes * NANOS_PER_SECOND / epochNanos, epochQueueNanos);
                forgetEpoch();
            }
        }
        return phase == Phase.SEARCH ? 0 : (long) (gain * known());
    }

    /** Longer than a round trip: nothing that this session sent is on its way any more, neither to drain nor as a probe. */
    private void onPauseOver() {
        boolean quiet = pausedNanos > minRttNanos;
        pausedNanos = 0;
        if (quiet && (phase == Phase.DRAIN || phase == Phase.PROBE)) {
            begin(Phase.CRUISE, 1);
        }
    }

    private void forgetEpoch() {
        epochNanos = 0;
        epochBytes = 0;
        epochQueueNanos = Long.MAX_VALUE;
    }

    private double known() {
        return Math.max(best, bestBefore);
    }

    private void remember(double rate) {
        bestNanos += epochNanos;
        if (bestNanos > REMEMBERED_ROUNDS * roundNanos()) {
            bestBefore = best;
            best = 0;
            bestNanos = 0;
        }
        best = Math.max(best, rate);
    }

    private long roundNanos() {
        return Math.max(minRttNanos, EPOCH_NANOS);
    }

    private void onEpoch(double rate, long queueNanos) {
        remember(rate);
        phaseNanos += epochNanos;
        phaseBest = Math.max(phaseBest, rate);
        boolean full = queueNanos > fullQueueNanos(minRttNanos);
        boolean free = queueNanos < fullQueueNanos(minRttNanos) / 2;
        switch (phase) {
            case SEARCH -> {
                if (full && fullBefore && phaseNanos >= patienceRounds * roundNanos()) {
                    begin(Phase.DRAIN, FIRST_DRAIN_GAIN);
                }
            }
            case DRAIN -> {
                if (free || phaseNanos >= DRAIN_ROUNDS * roundNanos()) {
                    vainDrains = free ? 0 : vainDrains + 1;
                    patienceRounds = free ? 0 : patienceRounds;
                    begin(Phase.CRUISE, 1);
                }
            }
            case CRUISE -> {
                boolean wantsMore = free && rate > WANTING * known();
                if (phaseNanos >= (wantsMore ? WANTING_ROUNDS : CRUISE_ROUNDS) * roundNanos()) {
                    onCruised(full);
                }
            }
            case PROBE -> onProbe(full);
        }
        fullBefore = full;
    }

    private void onCruised(boolean full) {
        boolean queueOfOthers = full && vainDrains >= VAIN_DRAINS;
        if (queueOfOthers) {
            patienceRounds = Math.min(MOST_PATIENCE_ROUNDS, Math.max(FIRST_PATIENCE_ROUNDS, 2 * patienceRounds));
        }
        if (queueOfOthers || (!full && phaseBest < USED * known())) {
            vainDrains = 0;
            best = 0;
            bestBefore = 0;
            begin(Phase.SEARCH, 0);
        } else {
            probedFrom = known();
            begin(full ? Phase.DRAIN : Phase.PROBE, full ? DRAIN_GAIN : PROBE_GAIN);
        }
    }

    private void onProbe(boolean full) {
        if (full && fullBefore) {
            begin(Phase.DRAIN, DRAIN_GAIN);
        } else if (phaseNanos >= 2 * roundNanos()) { // what was sent in the first is acknowledged in the second
            boolean faster = known() > GROWTH * probedFrom;
            probedFrom = known();
            begin(faster ? Phase.PROBE : Phase.CRUISE, faster ? PROBE_GAIN : 1);
        }
    }

    private void begin(Phase next, double nextGain) {
        phase = next;
        gain = nextGain;
        phaseNanos = 0;
        phaseBest = 0;
    }

    /** A queue that stays so long belongs to a link that is full. */
    private static long fullQueueNanos(long minRttNanos) {
        return Math.min(MOST_QUEUE_NANOS, Math.max(LEAST_QUEUE_NANOS, minRttNanos / 8));
    }
}
