package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.tune.StreamMeasure;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SessionTunerTest {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MIN_RTT_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final int STREAM_BYTES_A_TICK = 500_000;

    /** A stream that sends all the time as fast as its window lets it, over a link with or without a queue. */
    private static final class Stream implements TunedStream {
        final List<Long> paces = new ArrayList<>();
        private final int stream;
        private final boolean canPace;
        private long rttNanos = MIN_RTT_NANOS;
        private long ticks;
        private long windowBytes = 1 << 20;

        Stream(int stream, boolean canPace) {
            this.stream = stream;
            this.canPace = canPace;
        }

        @Override
        public int stream() {
            return stream;
        }

        @Override
        public StreamMeasure measure(long heartbeatRttNanos) {
            return new StreamMeasure(
                    new StreamMeasure.RoundTrip(rttNanos, MIN_RTT_NANOS),
                    new StreamMeasure.Window(windowBytes, 0, 0),
                    new StreamMeasure.Segments(ticks * STREAM_BYTES_A_TICK, 1, ticks * 400, 0),
                    new StreamMeasure.SendTime(ticks * TICK_NANOS, 0));
        }

        @Override
        public void adapt(StreamMeasure measure) {}

        @Override
        public boolean canPace() {
            return canPace;
        }

        @Override
        public void pace(long bytesPerSecond) {
            paces.add(bytesPerSecond);
        }
    }

    /** A session of four streams that stays where it is, and notes what is wanted of it. */
    private static final class Bench implements SessionTuner.Session {
        final List<Stream> streams = new ArrayList<>();
        final List<Integer> counts = new ArrayList<>();
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final SessionTuner tuner;
        private long nowNanos;

        Bench(boolean canPace) {
            channel.freezeTime();
            for (int i = 0; i < 4; i++) {
                streams.add(new Stream(i, canPace));
            }
            tuner = new SessionTuner(this, PtcpTuning.AUTO, () -> nowNanos);
            tuner.begin(MIN_RTT_NANOS, false, 64);
        }

        void run(int ticks, long queueNanos) {
            for (int i = 0; i < ticks; i++) {
                tuner.onPacket(1000);
                nowNanos += TICK_NANOS;
                channel.advanceTimeBy(TICK_NANOS, TimeUnit.NANOSECONDS);
                streams.forEach(stream -> {
                    stream.ticks++;
                    stream.rttNanos = MIN_RTT_NANOS + queueNanos;
                });
                channel.runScheduledPendingTasks();
            }
        }

        @Override
        public EventLoop loop() {
            return channel.eventLoop();
        }

        @Override
        public List<Stream> sendingStreams() {
            return streams;
        }

        @Override
        public long heartbeatRttNanos() {
            return -1;
        }

        @Override
        public void onStreamCount(int count) {
            counts.add(count);
        }

        @Override
        public void wakeStreams() {}
    }

    @Test
    void pacedStreamsAreHeldToTheLinksRateAndNoMoreAreTried() {
        Bench bench = new Bench(true);
        bench.run(15, TimeUnit.MILLISECONDS.toNanos(40));
        bench.run(150, 0);
        assertThat(bench.counts).isEmpty();
        bench.streams.forEach(stream -> assertThat(stream.paces).isNotEmpty().allMatch(rate -> rate > 0));
    }

    @Test
    void whileAStreamsWindowHoldsItBackTheOthersHaveItsShare() {
        Bench bench = new Bench(true);
        bench.tuner.limitRate(960_000);
        bench.run(1, 0);
        assertThat(bench.streams).allSatisfy(stream -> assertThat(stream.paces).containsExactly(300_000L));

        Stream held = bench.streams.get(0);
        held.windowBytes = 0; // not known: as if it were not
        bench.run(1, 0);
        assertThat(bench.streams.get(1).paces).containsExactly(300_000L);

        held.windowBytes = 1200; // in 40 ms: 30,000 a second
        bench.run(1, 0);
        assertThat(held.paces).containsExactly(300_000L);
        assertThat(bench.streams.subList(1, 4))
                .allSatisfy(stream -> assertThat(stream.paces).containsExactly(300_000L, 390_000L));

        held.windowBytes = 1 << 20;
        bench.run(1, 0);
        assertThat(held.paces).containsExactly(300_000L);
        assertThat(bench.streams.subList(1, 4))
                .allSatisfy(stream -> assertThat(stream.paces).containsExactly(300_000L, 390_000L, 300_000L));
    }

    @Test
    void aSessionIsHeldToTheRateThatItsPeerAskedForUntilThatIsTakenBack() {
        Bench bench = new Bench(true);
        assertThat(bench.tuner.mayLeave()).isTrue();

        bench.tuner.limitRate(1_000_000);
        assertThat(bench.streams).allSatisfy(stream -> assertThat(stream.paces).containsExactly(312_500L));
        bench.tuner.onPacket(120_000);
        assertThat(bench.tuner.mayLeave()).isFalse();
        bench.nowNanos += TimeUnit.MILLISECONDS.toNanos(99);
        assertThat(bench.tuner.mayLeave()).isFalse();
        bench.nowNanos += TimeUnit.MILLISECONDS.toNanos(5); // the first 16 KiB were free
        assertThat(bench.tuner.mayLeave()).isTrue();

        bench.tuner.onPacket(120_000);
        bench.tuner.limitRate(0);
        assertThat(bench.tuner.mayLeave()).isTrue();
    }

    @Test
    void whereNothingCanBePacedTheLinksRateDoesNotKeepMoreFromBeingTried() {
        Bench bench = new Bench(false);
        bench.run(15, TimeUnit.MILLISECONDS.toNanos(40));
        bench.run(150, 0);
        assertThat(bench.counts).isNotEmpty().first().isEqualTo(6);
        bench.streams.forEach(stream -> assertThat(stream.paces).isEmpty());
    }
}
