package io.hawser.ptcp.tune;

/**
 * Estimates the rate of the bottleneck link from what a session's streams have delivered together, and limits how fast they send
 * together. Each stream's congestion control sees only its own part: after a pause all probe for more at once (BBR with 2.9 times the rate that it knows), and the excess is lost and sent again. The idea is BBR's (Cardwell and others, ACM Queue 14(5), 2016), applied to the sum: the highest recent rate is the link's, a queue shows that it is full, and a probe tries a little more now and then.
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
 * <p>A direction without demand says nothing about the link, unless its packets still queue: a file that fits into the link and its queue is in flight before its first ack. So the estimate survives pauses.
 *
 * <p>Thread: the session's loop only.
 */
public final class BottleneckEstimate {
    /** Peers with a shorter round trip are not limited, because a queue does not show in it. */
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

    /** A session that uses this part of the limit without a queue may be held back by it. */
    private static final double WANTING = 0.9;

    private static final int WANTING_ROUNDS = 2;

    /** A limit that is used less is removed: some streams may be unable to use their shares. */
    private static final double USED = 0.8;

    /** A queue that outlasts this many drains belongs to other traffic, or the route became longer. */
    private static final int VAIN_DRAINS = 3;

    /** For this long the streams' own congestion control then sets the rate; doubled each time. */
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
     * @return bytes per second for all streams together, or 0 for no limit
     */
    public long onTick(IntervalSample tick) {
        minRttNanos = tick.roundTrips().minNanos();
        if (minRttNanos < NEAR_NANOS) {
            return 0;
        }
        boolean filled =
                tick.load().demand() || (tick.load().busy() && tick.leastQueueNanos() > fullQueueNanos(minRttNanos));
        if (!filled) {
            pausedNanos += tick.lengthNanos();
        } else if (pausedNanos > 0) {
            onPauseOver();
        }
        filledNanos = filled ? filledNanos + tick.lengthNanos() : 0;
        if (filledNanos <= minRttNanos) {
            forgetEpoch(); // packets of the first round trip are not acknowledged yet
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

    /** Longer than a round trip: no packet of this session is in flight, so there is nothing to drain or probe. */
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
        } else if (phaseNanos >= 2 * roundNanos()) { // packets of the first are acknowledged in the second
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

    /** A queue above this delay means a full link. */
    static long fullQueueNanos(long minRttNanos) {
        return Math.min(MOST_QUEUE_NANOS, Math.max(LEAST_QUEUE_NANOS, minRttNanos / 8));
    }
}
