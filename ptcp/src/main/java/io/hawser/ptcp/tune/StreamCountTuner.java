package io.hawser.ptcp.tune;

/**
 * Decides by trials how many streams one direction uses. More streams stay if they bring at least half of a proportional gain, fewer if they cost next to nothing.
 *
 * <pre>
 *   MEASURE ──► MORE ──► (kept) ──► MORE …
 *      ▲          └───► (not) ──► MORE by half as many … ──► FEWER ──► (kept) ──► FEWER …
 *      │                                                       └───► (not) ──┐
 *      └────────────────────────── REST ◄────────────────────────────────────┘
 * </pre>
 *
 * <p><b>Half</b> is what makes two sessions fair on a link that both fill: a session with n streams beside m others gains
 * more than half by taking a stream from the other only while it has fewer streams, so neither outbids the other. That is so
 * on average; since goodputs scatter, nothing more is tried at all while packets queue before the link, or while the
 * sum of the streams is held to what the link carries ({@link BottleneckEstimate}): there more streams could only share what
 * there is, and a new one begins by trying how much more there is, which costs the others.
 *
 * <p><b>What is compared</b> is what the peer's system acknowledged in whole epochs of several round trips, in which there
 * was always more to send. An epoch in which there was not is thrown away, and what was being tried with it: the count only
 * grows where there is demand. New streams are given time to grow before they are judged, and nothing is tried while the
 * goodput still grows by itself: that would be taken for what the trial brought.
 *
 * <p><b>Oscillation</b> is bounded: after a round of trials it rests, each time twice as long, up to {@value
 * #MOST_REST_SECONDS} s, unless the goodput shows that the link has changed.
 *
 * <p>Thread: the session's loop only.
 */
public final class StreamCountTuner {
    static final long MOST_REST_SECONDS = 160;

    /** The least gain of more streams, as a part of a proportional gain. */
    static final double WORTH_SHARE = 0.5;

    /** The most that fewer streams may cost, as a part of a proportional loss. */
    static final double COST_SHARE = 0.2;

    /** A goodput that rose this much since the last epoch still grows by itself. */
    static final double GROWING_SHARE = 0.15;

    /** A goodput that differs this much from the last one means another link. */
    static final double CHANGED_SHARE = 0.4;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long LEAST_EPOCH_NANOS = 2000 * NANOS_PER_MILLI;
    private static final long MOST_EPOCH_NANOS = 5 * NANOS_PER_SECOND;
    private static final int EPOCH_ROUND_TRIPS = 4;
    private static final long LEAST_SETTLING_NANOS = 200 * NANOS_PER_MILLI;
    private static final long MOST_SETTLING_NANOS = 5 * NANOS_PER_SECOND;
    private static final int SETTLING_ROUND_TRIPS = 8;
    private static final long FIRST_REST_NANOS = 10 * NANOS_PER_SECOND;
    private static final long LEAST_FULL_QUEUE_NANOS = 10 * NANOS_PER_MILLI;
    private static final double FIRST_STEP = 0.5;
    private static final double LEAST_STEP = 0.12;
    private static final double STEP_DOWN = 0.25;
    private static final double WINDOW_LIMITED_SHARE = 0.3;

    private enum Phase {
        MEASURE,
        MORE,
        FEWER,
        REST
    }

    private final int cap;
    private final boolean forgetful;
    private Phase phase = Phase.MEASURE;
    private int count;
    private int floor;
    /** The goodput before the trial. */
    private int knownCount;

    private double knownGoodput;
    private double step = FIRST_STEP;
    private long restNanos = FIRST_REST_NANOS;
    private long restsUntilNanos;
    private boolean improved;

    /** Whether packets queued before the trial: then a gain would only be taken from others. */
    private boolean knownFull;

    private long settledNanos = Long.MIN_VALUE;
    private long epochNanos;
    private long epochBytes;
    private double epochLimited;
    private double epochQueueNanos;
    private boolean epochHeld;
    private boolean full;

    /**
     * @param initial the first number, 1 to {@code cap}
     * @param cap the most
     * @param forgetful whether the congestion control forgets the path through a pause
     */
    public StreamCountTuner(int initial, int cap, boolean forgetful) {
        this.cap = cap;
        this.forgetful = forgetful;
        this.count = Math.max(1, Math.min(cap, initial));
        this.knownCount = count;
        this.floor = 1;
    }

    /** The number of streams that the direction uses. */
    public int count() {
        return count;
    }

    /**
     * Takes a tick's measurements; returns the number of streams from now on.
     *
     * @param held whether the sum of the streams is held to what the link carries
     */
    public int onTick(IntervalSample tick, boolean held) {
        long rtt = Math.max(tick.roundTrips().meanNanos(), 0);
        if (tick.roundTrips().minNanos() > 0) {
            floor = StartingStreams.floor(tick.roundTrips().minNanos(), forgetful, cap);
        }
        if (!tick.load().demand()) {
            forgetTrial();
        } else if (tick.nowNanos() - tick.lengthNanos() >= settledNanos) {
            epochNanos += tick.lengthNanos();
            epochBytes += tick.deliveredBytes();
            epochLimited += tick.load().windowLimitedShare() * tick.lengthNanos();
            epochQueueNanos += (double) tick.queueNanos() * tick.lengthNanos();
            epochHeld |= held;
            if (epochNanos >= bounded(EPOCH_ROUND_TRIPS * rtt, LEAST_EPOCH_NANOS, MOST_EPOCH_NANOS)) {
                double goodput = epochBytes * (double) NANOS_PER_SECOND / epochNanos;
                double limited = epochLimited / epochNanos;
                full = epochHeld
                        || epochQueueNanos / epochNanos
                                > fullQueueNanos(tick.roundTrips().minNanos());
                forgetEpoch();
                int before = count;
                onEpoch(tick.nowNanos(), goodput, limited);
                if (count != before) {
                    long settling = bounded(SETTLING_ROUND_TRIPS * rtt, LEAST_SETTLING_NANOS, MOST_SETTLING_NANOS);
                    settledNanos = tick.nowNanos() + settling;
                }
            }
        }
        return count;
    }

    private void forgetTrial() {
        forgetEpoch();
        if (phase == Phase.MORE || phase == Phase.FEWER) {
            count = knownCount;
            phase = Phase.MEASURE;
        }
    }

    private void forgetEpoch() {
        epochNanos = 0;
        epochBytes = 0;
        epochLimited = 0;
        epochQueueNanos = 0;
        epochHeld = false;
    }

    private void onEpoch(long now, double goodput, double limited) {
        switch (phase) {
            case MEASURE -> {
                boolean grows = goodput > knownGoodput * (1 + GROWING_SHARE);
                know(goodput);
                if (!grows) {
                    tryMore(now, limited);
                }
            }
            case MORE -> onMore(now, goodput, limited);
            case FEWER -> onFewer(now, goodput);
            case REST -> onRest(now, goodput, limited);
        }
    }

    private void know(double goodput) {
        knownCount = count;
        knownGoodput = goodput;
        knownFull = full;
    }

    private void tryMore(long now, double limited) {
        double factor = limited > WINDOW_LIMITED_SHARE ? 2 * step : step;
        int more = Math.min(cap, Math.max(floor, count + Math.max(1, (int) (count * factor))));
        if (more > count && (!knownFull || count < floor)) {
            count = more;
            phase = Phase.MORE;
        } else {
            tryFewer(now);
        }
    }

    private void onMore(long now, double goodput, double limited) {
        double gain = goodput / Math.max(1, knownGoodput) - 1;
        double added = (double) count / knownCount - 1;
        if (gain >= WORTH_SHARE * added || count <= floor) {
            improved = true;
            know(goodput);
            tryMore(now, limited);
            return;
        }
        boolean smallest = count - knownCount <= 1;
        count = knownCount;
        step /= 2;
        if (smallest || step < LEAST_STEP) {
            tryFewer(now);
        } else {
            tryMore(now, 0);
        }
    }

    private void tryFewer(long now) {
        step = FIRST_STEP;
        int fewer = Math.max(floor, count - Math.max(1, (int) (count * STEP_DOWN)));
        if (fewer < count && !improved) {
            count = fewer;
            phase = Phase.FEWER;
        } else {
            rest(now);
        }
    }

    private void onFewer(long now, double goodput) {
        double cost = 1 - goodput / Math.max(1, knownGoodput);
        double removed = 1 - (double) count / knownCount;
        if (cost <= COST_SHARE * removed) {
            // Compare with the first goodput: many small losses would add up.
            knownCount = count;
            tryFewer(now);
        } else {
            count = knownCount;
            rest(now);
        }
    }

    private void rest(long now) {
        phase = Phase.REST;
        restsUntilNanos = now + restNanos;
        restNanos = improved ? FIRST_REST_NANOS : Math.min(2 * restNanos, MOST_REST_SECONDS * NANOS_PER_SECOND);
        improved = false;
    }

    private void onRest(long now, double goodput, double limited) {
        double change = Math.abs(goodput / Math.max(1, knownGoodput) - 1);
        if (change > CHANGED_SHARE) {
            restNanos = FIRST_REST_NANOS;
        }
        if (now >= restsUntilNanos || change > CHANGED_SHARE) {
            know(goodput);
            tryMore(now, limited);
        }
    }

    /** A queue above this delay means a full link; without one the round trip scatters less. */
    private static long fullQueueNanos(long minRttNanos) {
        return Math.max(LEAST_FULL_QUEUE_NANOS, minRttNanos / 4);
    }

    private static long bounded(long value, long least, long most) {
        return Math.max(least, Math.min(most, value));
    }
}
