package io.hawser.ptcp;

import io.hawser.ptcp.tune.BackgroundRateControl;
import io.hawser.ptcp.tune.BottleneckEstimate;
import io.hawser.ptcp.tune.IntervalSample;
import io.hawser.ptcp.tune.LimitEstimate;
import io.hawser.ptcp.tune.SendLimit;
import io.hawser.ptcp.tune.StartingStreams;
import io.hawser.ptcp.tune.StreamCountTuner;
import io.hawser.ptcp.tune.StreamMeasure;
import io.hawser.ptcp.tune.StreamShares;
import io.hawser.ptcp.tune.StreamStatsAggregator;
import io.hawser.ptcp.tune.TokenBucket;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tunes the sending direction of a session: measures while it sends, and applies the decisions of the controllers in {@code tune}. An idle session costs nothing. The limit to the link's rate needs pacing and round trips of sockets, so it is off on NIO.
 *
 * <p>Thread: the session's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks check whether they are still needed
final class SessionTuner {
    private static final Logger LOG = LoggerFactory.getLogger(SessionTuner.class);
    private static final long TICK_MILLIS = 100;
    private static final int IDLE_TICKS = 20;
    private static final int PACING_HEAD_ROOM_PERCENT = 125;
    private static final double INSIGNIFICANT = 0.02;

    /** What a tuner does to its session. */
    interface Session {
        /** The session's loop. */
        EventLoop loop();

        /** Streams that can send, in the order of use. */
        List<? extends TunedStream> sendingStreams();

        /** The last round trip of the heartbeat, or -1; for sockets that report none. */
        long heartbeatRttNanos();

        /** This direction uses another number of streams. */
        void onStreamCount(int count);

        /** Packets that the rate delayed may leave. */
        void wakeStreams();
    }

    private final Session session;
    private final PtcpTuning tuning;
    private final LongSupplier clock;
    private final StreamStatsAggregator aggregator;
    private final TokenBucket bucket;
    private final @Nullable BackgroundRateControl courtesy;
    private final BottleneckEstimate link = new BottleneckEstimate();
    private final LimitEstimate limits = new LimitEstimate();
    /** The pacing limit of each stream, in bytes per second; empty before the first one. */
    private final Map<Integer, Long> paces = new HashMap<>();

    private @Nullable StreamCountTuner count;
    private @Nullable ScheduledFuture<?> ticks;
    private long idleNanos;
    private long idleSinceNanos = -1;
    private boolean sent;
    private int quietTicks;
    private boolean wakeScheduled;
    /** When the rate began to hold packets back; counts while {@link #wakeScheduled}. */
    private long rateWaitBeganNanos;

    private long rateWaitedNanos;
    private long courtesyRate;
    private long askedRate;
    private long linkRate;

    SessionTuner(Session session, PtcpTuning tuning, LongSupplier clock) {
        this.session = session;
        this.tuning = tuning;
        this.clock = clock;
        long now = clock.getAsLong();
        aggregator = new StreamStatsAggregator(now);
        bucket = new TokenBucket(tuning.rateBytesPerSecond(), now);
        courtesy = tuning.courtesy() ? new BackgroundRateControl() : null;
    }

    /** Starts to find the number of streams by measurement. */
    void begin(long rttNanos, boolean forgetful, int cap) {
        count = new StreamCountTuner(StartingStreams.initial(rttNanos, forgetful, cap), cap, forgetful);
    }

    /** The number of streams that this direction uses. */
    int streams() {
        return count == null ? Integer.MAX_VALUE : count.count();
    }

    /** Whether the next packet may leave. If not, the streams wake up when it may. */
    boolean mayLeave() {
        if (bucket.bytesPerSecond() == 0) {
            return true;
        }
        long now = clock.getAsLong();
        long waitNanos = bucket.waitNanos(now);
        if (waitNanos > 0) {
            onNothingToSend();
            if (!wakeScheduled) {
                wakeScheduled = true;
                rateWaitBeganNanos = now;
                session.loop().schedule(this::wake, waitNanos, TimeUnit.NANOSECONDS);
            }
        }
        return waitNanos == 0;
    }

    private void wake() {
        countRateWait(clock.getAsLong());
        wakeScheduled = false;
        session.wakeStreams();
    }

    private void countRateWait(long now) {
        if (wakeScheduled) {
            rateWaitedNanos += now - rateWaitBeganNanos;
            rateWaitBeganNanos = now;
        }
    }

    /** What limits this direction now. */
    SendLimit sendLimit() {
        return limits.now();
    }

    /** The largest packet: what the rate allows in 20 ms. */
    int packetBytes() {
        long rate = bucket.bytesPerSecond();
        return rate == 0
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, Math.max(DataChannel.LEAST_QUANTUM_BYTES, rate / 50));
    }

    /** A stream took a packet. */
    void onPacket(int bytes) {
        bucket.take(bytes);
        sent = true;
        if (idleSinceNanos >= 0) {
            idleNanos += clock.getAsLong() - idleSinceNanos;
            idleSinceNanos = -1;
        }
        if (ticks == null) {
            startTicks();
        }
    }

    /** A stream could take a packet, and there was none, or the rate delayed it. */
    void onNothingToSend() {
        if (idleSinceNanos < 0) {
            idleSinceNanos = clock.getAsLong();
        }
    }

    /** A stream was added: its measurements count from now on. */
    void onAdded(TunedStream stream) {
        measure(stream);
    }

    /** A stream was removed. */
    void onGone(int stream) {
        aggregator.remove(stream);
        paces.remove(stream);
    }

    /** The session ended. */
    void end() {
        if (ticks != null) {
            ticks.cancel(false);
        }
    }

    private void startTicks() {
        quietTicks = 0;
        session.sendingStreams().forEach(this::measure);
        aggregator.end(clock.getAsLong(), 0); // drop the pause
        idleNanos = 0;
        ticks = session.loop().scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        quietTicks = sent ? 0 : quietTicks + 1;
        sent = false;
        List<? extends TunedStream> streams = session.sendingStreams();
        streams.forEach(this::measure);
        long now = clock.getAsLong();
        if (idleSinceNanos >= 0) {
            idleNanos += now - idleSinceNanos;
            idleSinceNanos = now;
        }
        IntervalSample tick = aggregator.end(now, idleNanos);
        idleNanos = 0;
        long linkBefore = linkRate;
        linkRate = streams.stream().allMatch(TunedStream::canPace) ? link.onTick(tick) : 0;
        if (courtesy != null) {
            courtesyRate = courtesy.onTick(tick);
        }
        countRateWait(now);
        boolean yields = courtesyRate > 0 && bucket.bytesPerSecond() == courtesyRate;
        limits.onTick(tick, yields ? 0 : rateWaitedNanos, linkRate > 0 || yields);
        rateWaitedNanos = 0;
        limit(now);
        if (isSignificant(linkRate, linkBefore)) {
            LOG.atDebug()
                    .addKeyValue("bytesPerSecond", linkRate)
                    .addKeyValue("tick", tick)
                    .log("Limited to the link's rate");
        }
        paceAll();
        StreamCountTuner controller = count;
        if (controller != null) {
            int before = controller.count();
            int after = controller.onTick(tick, linkRate > 0);
            if (after != before) {
                session.onStreamCount(after);
            }
        }
        if (quietTicks >= IDLE_TICKS && ticks != null) {
            ticks.cancel(false);
            ticks = null;
        }
    }

    private void measure(TunedStream stream) {
        StreamMeasure measure = stream.measure(session.heartbeatRttNanos());
        aggregator.add(stream.stream(), measure);
        stream.adapt(measure);
    }

    /** Limits the session to a rate, besides that of its tuning and of courtesy; 0 for no limit. */
    void limitRate(long bytesPerSecond) {
        askedRate = bytesPerSecond;
        limit(clock.getAsLong());
        paceAll();
    }

    private void limit(long now) {
        long rate = lower(lower(tuning.rateBytesPerSecond(), askedRate), courtesyRate);
        if (rate != bucket.bytesPerSecond()) {
            bucket.rate(rate, now);
            if (rate == 0) {
                session.wakeStreams();
            }
        }
    }

    /** The lower of two rates, of which 0 is none. */
    private static long lower(long one, long other) {
        return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
    }

    /**
     * Gives each used stream its share of the rate; called when other streams are used. Against the bucket's rate pacing only smooths, so a stream may send a quarter more than its share. The link's rate is limited by pacing alone.
     */
    void paceAll() {
        long rate = lower(bucket.bytesPerSecond() * PACING_HEAD_ROOM_PERCENT / 100, linkRate);
        if (rate == 0 && paces.isEmpty()) {
            return;
        }
        List<? extends TunedStream> streams = session.sendingStreams();
        List<? extends TunedStream> used = streams.subList(0, Math.min(streams(), streams.size()));
        long[] shares = StreamShares.of(
                rate,
                used.stream()
                        .mapToDouble(stream -> aggregator.windowBytesPerSecond(stream.stream()))
                        .toArray());
        for (int i = 0; i < streams.size(); i++) {
            pace(streams.get(i), i < shares.length ? shares[i] : rate / shares.length);
        }
    }

    private void pace(TunedStream stream, long share) {
        long pace = share == 0 ? 0 : Math.max(DataChannel.LEAST_QUANTUM_BYTES, share);
        Long before = paces.get(stream.stream());
        if (before == null || isSignificant(pace, before)) {
            paces.put(stream.stream(), pace);
            stream.pace(pace);
        }
    }

    private static boolean isSignificant(long rate, long before) {
        return Math.abs(rate - before) > before * INSIGNIFICANT;
    }
}
