package io.hawser.ptcp.tune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the number of streams goes on links of several kinds. */
class StreamCountSimulationTest {
    private static final int CAP = 64;

    private static TunedSender on(LinkModel link, int initial) {
        return new TunedSender(link, new StreamCountTuner(initial, CAP, false), false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aShortCleanLinkNeedsOneOrTwo(long seed) {
        LinkModel link = new LinkModel(1000, 1, seed);
        TunedSender tuned = on(link, 2);
        double goodput = link.run(60, tuned)[0];
        assertThat(tuned.count.count()).isLessThanOrEqualTo(2);
        assertThat(goodput).isGreaterThan(0.9 * link.capacity());
    }

    @Test
    void manyStreamsOnAShortCleanLinkBecomeFew() {
        LinkModel link = new LinkModel(1000, 1, 4);
        TunedSender tuned = on(link, 16);
        link.run(300, tuned);
        assertThat(tuned.count.count()).isLessThanOrEqualTo(6);
    }

    /** A gigabit over 80 ms is 10 MB, and a stream may have half a megabyte on its way. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whereTheWindowBindsItGrowsUntilTheLinkIsFull(long seed) {
        LinkModel link = new LinkModel(1000, 80, seed).window(500_000);
        TunedSender tuned = on(link, 8);
        link.run(60, tuned);
        double goodput = link.run(60, tuned)[0];
        assertThat(tuned.count.count()).isBetween(18, CAP);
        assertThat(goodput).isGreaterThan(0.85 * link.capacity());
    }

    /** Windows that were enough for the shorter way are not for the longer one, whose length is no queue. */
    @Test
    void whereTheWayHasBecomeLongerItGrows() {
        LinkModel link = new LinkModel(1000, 20, 9).window(500_000);
        TunedSender tuned = on(link, 8);
        link.run(60, tuned);
        link.becomesLonger(80);
        link.run(1200, tuned);
        double goodput = link.run(60, tuned)[0];
        assertThat(tuned.count.count()).isGreaterThan(16);
        assertThat(goodput).isGreaterThan(0.8 * link.capacity());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whereRandomLossBindsItGrows(long seed) {
        LinkModel link = new LinkModel(100, 80, seed).loss(0.002);
        double one = link.run(60, fixed(link, 4))[0];
        LinkModel again = new LinkModel(100, 80, seed).loss(0.002);
        TunedSender tuned = on(again, 4);
        again.run(120, tuned);
        double goodput = again.run(60, tuned)[0];
        assertThat(tuned.count.count()).isGreaterThan(8);
        assertThat(goodput).isGreaterThan(Math.min(0.8 * again.capacity(), 1.5 * one));
    }

    private static TunedSender fixed(LinkModel link, int streams) {
        return new TunedSender(link, new StreamCountTuner(streams, streams, false), false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aPolicerIsNotOutbid(long seed) {
        LinkModel link = new LinkModel(50, 40, seed).policer(200_000);
        TunedSender tuned = on(link, 8);
        link.run(180, tuned);
        double goodput = link.run(60, tuned)[0];
        assertThat(tuned.count.count()).isLessThanOrEqualTo(24);
        assertThat(goodput).isGreaterThan(0.6 * link.capacity());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aDeepQueueIsNoReasonToGrow(long seed) {
        LinkModel link = new LinkModel(20, 30, seed).queue(20 * 125_000 * 2.0);
        TunedSender tuned = on(link, 8);
        double goodput = link.run(240, tuned)[0];
        assertThat(tuned.count.count()).isLessThanOrEqualTo(8);
        assertThat(goodput).isGreaterThan(0.9 * link.capacity());
    }

    /** A last mile of 10 Mbit/s with a hundred streams of others, as far as the cap lets one come: none may stall. */
    @Test
    void onALastMileWithAHundredStreamsOfOthersItGetsItsShareAndNoMore() {
        LinkModel link = new LinkModel(10, 40, 5);
        link.sender(100);
        TunedSender tuned = on(link, 8);
        link.run(150, tuned);
        double goodput = link.run(100, tuned)[0];
        double share = tuned.count.count() / (100.0 + tuned.count.count());
        assertThat(tuned.count.count()).isLessThanOrEqualTo(CAP);
        assertThat(goodput).isBetween(0.5 * share * link.capacity(), 2 * share * link.capacity());
        assertThat(link.slowestShare(100, tuned)).isGreaterThan(0.25);
    }

    /** Four streams fill it, and are held to what it carries: there is nothing to be had by more. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whereTheStreamsFillALongLinkNothingIsTried(long seed) {
        LinkModel link = new LinkModel(100, 600, seed);
        TunedSender tuned = on(link, 4);
        link.run(20, tuned);
        double goodput = link.run(120, tuned)[0];
        assertThat(tuned.history).containsOnly(4);
        assertThat(goodput).isGreaterThan(0.85 * link.capacity());
    }

    @Test
    void nothingIsTriedWhileTheGoodputGrowsByItself() {
        StreamCountTuner count = new StreamCountTuner(8, CAP, false);
        long seconds = 0;
        for (double goodput = 1e6; goodput < 1e8; goodput *= 1.5) {
            assertThat(second(count, ++seconds, goodput)).isEqualTo(8);
            assertThat(second(count, ++seconds, goodput)).isEqualTo(8);
        }
        while (count.count() == 8) {
            second(count, ++seconds, 1e8);
        }
        assertThat(count.count()).isEqualTo(12);
    }

    private static int second(StreamCountTuner count, long seconds, double goodput) {
        long nanos = 1_000_000_000L;
        long rtt = 80_000_000L;
        return count.onTick(
                new IntervalSample(
                        seconds * nanos,
                        nanos,
                        (long) goodput,
                        new IntervalSample.RoundTrips(rtt, rtt, rtt),
                        new IntervalSample.Load(0, 0, true, true)),
                false);
    }

    @Test
    void whoHasLittleToSendDoesNotGrow() {
        LinkModel link = new LinkModel(1000, 80, 6).window(200_000);
        TunedSender tuned = on(link, 8);
        tuned.sender.appBytesPerSecond = 1_000_000;
        link.run(300, tuned);
        assertThat(tuned.history).containsOnly(8);
    }

    /** What was being tried when the demand ended is not kept without proof. */
    @Test
    void aTrialThatDemandDoesNotOutlastIsTakenBack() {
        LinkModel link = new LinkModel(1000, 80, 7).window(200_000);
        TunedSender tuned = on(link, 8);
        while (tuned.count.count() == 8) {
            link.run(0.1, tuned);
        }
        tuned.sender.demand = false;
        link.run(1, tuned);
        assertThat(tuned.count.count()).isEqualTo(8);
    }

    /**
     * A wide way out and a narrow way back, as two links that have nothing to do with each other: each direction is its own
     * controller, and finds the number for its own link. That acknowledgements of the one have to share the other is not
     * modelled.
     */
    @Test
    void eachDirectionFindsItsOwnNumber() {
        LinkModel out = new LinkModel(1000, 80, 8).window(500_000);
        LinkModel back = new LinkModel(10, 80, 8).window(500_000);
        TunedSender wide = on(out, 8);
        TunedSender narrow = on(back, 8);
        out.run(90, wide);
        back.run(90, narrow);
        assertThat(wide.count.count()).isGreaterThan(16);
        assertThat(narrow.count.count()).isLessThanOrEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void twoSessionsOnOneLinkShareIt(long seed) {
        LinkModel link = new LinkModel(100, 60, seed);
        TunedSender first = on(link, 8);
        link.run(60, first);
        TunedSender second = on(link, 8);
        link.run(180, first, second);
        double[] goodput = link.run(120, first, second);
        assertThat(goodput[0] + goodput[1]).isGreaterThan(0.85 * link.capacity());
        assertThat(goodput[0] / goodput[1]).isBetween(0.4, 2.5);
        assertThat(first.count.count() + second.count.count()).isLessThan(2 * CAP - 40);
        assertThat(link.slowestShare(120, first, second)).isGreaterThan(0.25);
    }

    /** The first trials, then one round of trials after each rest, which doubles. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void oscillationIsBounded(long seed) {
        LinkModel link = new LinkModel(100, 20, seed);
        TunedSender tuned = on(link, 4);
        link.run(120, tuned);
        int settled = tuned.changes();
        link.run(400, tuned);
        assertThat(tuned.changes() - settled).isLessThan(50);
    }
}
