package io.hawser.ptcp.tune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamRulesTest {
    private static final long MILLIS = 1_000_000L;

    private static StreamMeasure measure(long rttMillis, long windowBytes, long busyMillis, long limitedMillis) {
        return new StreamMeasure(
                new StreamMeasure.RoundTrip(rttMillis * MILLIS, rttMillis * MILLIS),
                new StreamMeasure.Window(windowBytes, 0, 0),
                new StreamMeasure.Segments(0, 1, 0, 0),
                new StreamMeasure.SendTime(busyMillis * MILLIS, limitedMillis * MILLIS));
    }

    private static StreamMeasure unsent(long rttMillis, long windowBytes, int unsentBytes) {
        return new StreamMeasure(
                new StreamMeasure.RoundTrip(rttMillis * MILLIS, rttMillis * MILLIS),
                new StreamMeasure.Window(windowBytes, 0, unsentBytes),
                new StreamMeasure.Segments(0, 1, 0, 0),
                new StreamMeasure.SendTime(0, 0));
    }

    /** With a shortest round trip of 10 ms. */
    private static StreamMeasure counted(
            long rttMillis, StreamMeasure.Segments segments, long busyNanos, long windowLimitedNanos) {
        return new StreamMeasure(
                new StreamMeasure.RoundTrip(rttMillis * MILLIS, 10 * MILLIS),
                new StreamMeasure.Window(1, 0, 0),
                segments,
                new StreamMeasure.SendTime(busyNanos, windowLimitedNanos));
    }

    @Test
    void theLongerTheLinkTheMoreStreamsItBeginsWith() {
        int before = 0;
        for (long rttMillis : new long[] {0, 1, 10, 80, 600}) {
            int streams = StartingStreams.initial(rttMillis * MILLIS, true, 64);
            assertThat(streams).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(64);
            assertThat(StartingStreams.floor(rttMillis * MILLIS, true, 64)).isBetween(1, streams);
            assertThat(StartingStreams.initial(rttMillis * MILLIS, false, 64)).isLessThanOrEqualTo(streams);
            before = streams;
        }
        assertThat(StartingStreams.initial(600 * MILLIS, true, 3)).isEqualTo(3);
        assertThat(StartingStreams.floor(MILLIS, false, 64)).isEqualTo(1);
    }

    @Test
    void whatAWindowKeepsAStreamFromUsingIsTheOthers() {
        assertThat(StreamShares.of(1000, new double[] {0, 5000, 350})).containsExactly(333, 333, 333);
        assertThat(StreamShares.of(1000, new double[] {500, 500, 10, 500})).containsExactly(330, 330, 250, 330);
        assertThat(StreamShares.of(1000, new double[] {260, 900, 10, 900}))
                .as("the share of the others grows past what the first can use")
                .containsExactly(250, 365, 250, 365);
        assertThat(StreamShares.of(1000, new double[] {10, 20})).containsExactly(500, 500);
        assertThat(StreamShares.of(0, new double[] {10, 20})).containsExactly(0, 0);
    }

    @Test
    void whatWaitsForAWindowThatIsNearlyClosedIsStuck() {
        assertThat(unsent(600, 5_800, 89_000).stuckBytes()).isEqualTo(89_000);
        assertThat(unsent(600, 1_800_000, 89_000).stuckBytes()).isZero();
        assertThat(unsent(1, 5_800, 89_000).stuckBytes())
                .as("over a link so short")
                .isZero();
        assertThat(unsent(600, 0, 89_000).stuckBytes())
                .as("without a window that is known")
                .isZero();
    }

    @Test
    void aSlowStreamIsGivenLittleAtATimeAndANearOneAll() {
        assertThat(StreamQuantum.bytes(measure(600, 14_480, 0, 0))).isEqualTo(StreamQuantum.LEAST_BYTES);
        assertThat(StreamQuantum.bytes(measure(10, 2_000_000, 0, 0))).isBetween(3_900_000, 4_100_000);
        assertThat(StreamQuantum.bytes(measure(1, 14_480, 0, 0))).isEqualTo(Integer.MAX_VALUE);
        assertThat(StreamQuantum.bytes(measure(0, 0, 0, 0))).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aSendBufferIsSetOnlyWhereItHoldsTheStreamBack() {
        SendBufferSizer sizer = new SendBufferSizer();
        assertThat(sizer.onMeasure(measure(600, 100_000, 100, 0))).isZero();
        assertThat(sizer.onMeasure(measure(600, 2_000_000, 200, 50))).isEqualTo(8_000_000);
        assertThat(sizer.onMeasure(measure(600, 2_100_000, 300, 100))).isZero();
        assertThat(sizer.onMeasure(measure(600, 4_000_000, 400, 190))).isEqualTo(16_000_000);
        assertThat(sizer.onMeasure(measure(600, 40_000_000, 500, 290))).isZero();
    }

    @Test
    void theMeterCountsFromWhenAStreamWasFirstSeen() {
        StreamStatsAggregator aggregator = new StreamStatsAggregator(0);
        aggregator.add(1, counted(20, new StreamMeasure.Segments(1000, 1, 10, 1), 100, 10));
        aggregator.add(1, counted(40, new StreamMeasure.Segments(3000, 1, 20, 2), 200, 60));
        aggregator.add(2, StreamMeasure.ofBytes(-1, 500));
        IntervalSample tick = aggregator.end(100 * MILLIS, 10 * MILLIS);
        assertThat(tick)
                .isEqualTo(new IntervalSample(
                        100 * MILLIS,
                        100 * MILLIS,
                        2000,
                        new IntervalSample.RoundTrips(30 * MILLIS, 20 * MILLIS, 10 * MILLIS),
                        new IntervalSample.Load(0.1, 0.5, true, false)));
        assertThat(aggregator.end(200 * MILLIS, 30 * MILLIS).load().demand()).isFalse();
    }

    @Test
    void theShortestRoundTripIsForgottenBehindTwoWindows() {
        long window = StreamStatsAggregator.MIN_RTT_WINDOW_NANOS;
        StreamStatsAggregator aggregator = new StreamStatsAggregator(0);
        aggregator.add(1, measure(20, 1, 0, 0));
        assertThat(aggregator.end(1, 0).roundTrips().minNanos()).isEqualTo(20 * MILLIS);
        aggregator.add(1, measure(80, 1, 0, 0));
        assertThat(aggregator.end(window - 1, 0).roundTrips().minNanos()).isEqualTo(20 * MILLIS);
        aggregator.add(1, measure(80, 1, 0, 0));
        assertThat(aggregator.end(window, 0).roundTrips().minNanos()).isEqualTo(20 * MILLIS);
        aggregator.add(1, measure(90, 1, 0, 0));
        assertThat(aggregator.end(2 * window, 0).roundTrips().minNanos()).isEqualTo(80 * MILLIS);
        assertThat(aggregator.end(4 * window, 0).roundTrips().minNanos()).isEqualTo(-1);
    }
}
