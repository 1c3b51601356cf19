package io.hawser.ptcp.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Senders whose sum is held to what the link was seen to carry, on models of links, in virtual time. */
class BottleneckEstimateSimulationTest {
    private static final long TICK_NANOS = 100_000_000L;
    private static final int STREAMS = 8;

    /** Streams that keep their windows through pauses, perhaps held by a {@link BottleneckEstimate}. */
    private static final class Paced implements LinkModel.Steering {
        final LinkModel.Sender sender;
        private final LinkModel link;
        private final BottleneckEstimate rate = new BottleneckEstimate();
        private final StreamStatsAggregator aggregator;
        private final boolean held;
        private long tickNanos;

        Paced(LinkModel link, boolean held) {
            this.link = link;
            this.held = held;
            sender = link.sender(STREAMS);
            aggregator = new StreamStatsAggregator(link.nowNanos());
        }

        @Override
        public LinkModel.Sender sender() {
            return sender;
        }

        @Override
        public void afterStep() {
            if (link.nowNanos() - tickNanos < TICK_NANOS) {
                return;
            }
            tickNanos = link.nowNanos();
            for (LinkModel.Stream stream : sender.streams) {
                aggregator.add(System.identityHashCode(stream), link.measure(stream));
            }
            long limit = rate.onTick(aggregator.end(link.nowNanos(), sender.demand ? 0 : TICK_NANOS));
            sender.limitBytesPerSecond = limit == 0 || !held ? Double.MAX_VALUE : limit;
        }
    }

    /** Lets time pass; returns the goodput of each, as a part of the link's rate. */
    private static double[] run(LinkModel link, double seconds, Paced... all) {
        return Arrays.stream(link.run(seconds, all))
                .map(goodput -> goodput / link.capacity())
                .toArray();
    }

    private static void pause(LinkModel link, double seconds, Paced paced) {
        paced.sender.demand = false;
        run(link, seconds, paced);
        paced.sender.demand = true;
    }

    /** Each stream has grown to the whole link's window, as one does that is told by pauses that nothing holds it back. */
    private static double droppedBehindPauses(boolean held) {
        LinkModel link = new LinkModel(100, 600, 1);
        Paced paced = new Paced(link, held);
        run(link, 20, paced);
        double dropped = 0;
        for (int i = 0; i < 5; i++) {
            pause(link, 3, paced);
            paced.sender.streams.forEach(stream -> stream.window(link.capacity() * 0.6));
            double before = link.droppedBytes();
            run(link, 5, paced);
            dropped += link.droppedBytes() - before;
        }
        return dropped;
    }

    @Test
    void whatFollowsAPauseDoesNotFloodTheLink() {
        double free = droppedBehindPauses(false);
        double held = droppedBehindPauses(true);

        assertThat(free).isPositive();
        assertThat(held).isLessThan(free / 20);
    }

    @Test
    void aLongLinkIsFilled() {
        LinkModel link = new LinkModel(100, 600, 2);
        Paced paced = new Paced(link, true);
        run(link, 30, paced);

        assertThat(run(link, 30, paced)[0]).isGreaterThan(0.9);
    }

    @Test
    void aShortLinkIsFilledToo() {
        LinkModel link = new LinkModel(1000, 10, 3);
        Paced paced = new Paced(link, true);
        run(link, 10, paced);

        assertThat(run(link, 20, paced)[0]).isGreaterThan(0.9);
    }

    @Test
    void aLinkThatBecomesFasterIsFoundOut() {
        LinkModel link = new LinkModel(50, 100, 4);
        Paced paced = new Paced(link, true);
        run(link, 30, paced);
        link.becomes(200);
        run(link, 30, paced);

        assertThat(run(link, 20, paced)[0]).isGreaterThan(0.8);
    }

    @Test
    void aLinkThatBecomesSlowerIsFoundOut() {
        LinkModel link = new LinkModel(200, 100, 5);
        Paced paced = new Paced(link, true);
        run(link, 30, paced);
        link.becomes(20);
        run(link, 10, paced);
        double before = link.droppedBytes();

        assertThat(run(link, 30, paced)[0]).isGreaterThan(0.8);
        assertThat(link.droppedBytes() - before).isLessThan(30 * link.capacity() * 0.05);
    }

    @Test
    void twoSessionsShareALink() {
        LinkModel link = new LinkModel(100, 100, 6);
        Paced one = new Paced(link, true);
        run(link, 30, one);
        Paced other = new Paced(link, true);
        run(link, 60, one, other);
        double[] shares = run(link, 120, one, other);

        assertThat(shares[0] + shares[1]).isGreaterThan(0.85);
        assertThat(Math.min(shares[0], shares[1])).isGreaterThan(0.2);
    }

    /** A path of 100 MB/s whose packets always wait 50 ms behind those of others; this session was slow for a while. */
    @Test
    void aQueueOfOthersIsNoReasonToStaySlow() {
        BottleneckEstimate rate = new BottleneckEstimate();
        long limit = 0;
        double bytes = 0;
        for (int i = 1; i <= 1200; i++) {
            double able = i < 100 ? 2e6 : 100e6;
            long acked = (long) (Math.min(able, limit == 0 ? able : limit) / 10);
            bytes += i > 600 ? acked : 0;
            limit = rate.onTick(tick(i, acked, 70_000_000));
        }
        assertThat(bytes / 60).isGreaterThan(60e6);
    }

    /** Of four streams two can do next to nothing, so half of a limit that is shared out is not used. */
    @Test
    void aLimitThatIsNotUsedIsLifted() {
        BottleneckEstimate rate = new BottleneckEstimate();
        long limit = 0;
        double bytes = 0;
        for (int i = 1; i <= 1200; i++) {
            double able = 100e6;
            double shared = limit == 0 ? able : i < 50 ? limit : limit / 2.0;
            long acked = (long) (Math.min(able, shared) / 10);
            bytes += i > 600 ? acked : 0;
            limit = rate.onTick(tick(i, acked, i < 50 ? 70_000_000 : 20_000_000));
        }
        assertThat(bytes / 60).isGreaterThan(60e6);
    }

    private static IntervalSample tick(int number, long acked, long rttNanos) {
        return tick(number, acked, rttNanos, 20_000_000);
    }

    private static IntervalSample tick(int number, long acked, long rttNanos, long minRttNanos) {
        return new IntervalSample(
                number * TICK_NANOS,
                TICK_NANOS,
                acked,
                new IntervalSample.RoundTrips(rttNanos, rttNanos, minRttNanos),
                new IntervalSample.Load(0, 0, true, true));
    }

    /** All of it was given to the sockets before the first of it was acknowledged, so there was no demand any more. */
    @Test
    void aFileThatIsAllOnItsWayTellsTheLinksRateToo() {
        BottleneckEstimate rate = new BottleneckEstimate();
        long limit = 0;
        for (int i = 1; i <= 20; i++) {
            limit = rate.onTick(onItsWay(i, 1_250_000, 1_100_000_000L));
        }
        assertThat(limit).isBetween(9_000_000L, 13_000_000L);

        rate.onTick(new IntervalSample(
                28 * TICK_NANOS,
                8 * TICK_NANOS,
                0,
                new IntervalSample.RoundTrips(LONG_NANOS, LONG_NANOS, LONG_NANOS),
                new IntervalSample.Load(0, 0, false, false)));
        limit = rate.onTick(tick(29, 0, LONG_NANOS, LONG_NANOS));
        assertThat(limit).as("nothing is drained that has gone").isEqualTo(12_500_000L);
    }

    private static final long LONG_NANOS = 600_000_000L;

    private static IntervalSample onItsWay(int number, long delivered, long rttNanos) {
        return new IntervalSample(
                number * TICK_NANOS,
                TICK_NANOS,
                delivered,
                new IntervalSample.RoundTrips(rttNanos, rttNanos, LONG_NANOS),
                new IntervalSample.Load(0, 0, false, true));
    }

    @Test
    void whoIsNearIsNotLimited() {
        BottleneckEstimate rate = new BottleneckEstimate();
        long limit = 0;
        for (int i = 1; i < 100; i++) {
            limit += rate.onTick(new IntervalSample(
                    i * TICK_NANOS,
                    TICK_NANOS,
                    1 << 20,
                    new IntervalSample.RoundTrips(50_000_000, 50_000_000, 200_000),
                    new IntervalSample.Load(0, 0, true, true)));
        }
        assertThat(limit).isZero();
    }
}
