package io.hawser.ptcp.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * A sender on a {@link LinkModel} as a session tunes it: a {@link StreamCountTuner} counts its streams, a {@link BottleneckEstimate} holds them
 * to what the link carries, and perhaps a {@link BackgroundRateControl} limits them.
 */
final class TunedSender implements LinkModel.Steering {
    private static final long TICK_NANOS = 100_000_000L;

    final LinkModel.Sender sender;
    final StreamCountTuner count;
    final List<Integer> history = new ArrayList<>();
    private final LinkModel link;
    private final StreamStatsAggregator aggregator;
    private final BottleneckEstimate rate = new BottleneckEstimate();
    private final BackgroundRateControl courtesy = new BackgroundRateControl();
    private final boolean courteous;
    private long tickNanos;
    private int changes;

    TunedSender(LinkModel link, StreamCountTuner count, boolean courteous) {
        this.link = link;
        this.count = count;
        this.courteous = courteous;
        sender = link.sender(count.count());
        aggregator = new StreamStatsAggregator(link.nowNanos());
        tickNanos = link.nowNanos();
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
        boolean demand = sender.demand && sender.appBytesPerSecond == Double.MAX_VALUE;
        IntervalSample tick = aggregator.end(link.nowNanos(), demand ? 0 : TICK_NANOS);
        int before = count.count();
        long carried = rate.onTick(tick);
        int after = count.onTick(tick, carried > 0);
        changes += before == after ? 0 : 1;
        history.add(after);
        sender.use(after);
        long limit = courteous ? courtesy.onTick(tick) : 0;
        sender.limitBytesPerSecond = Math.min(unlimitedIfNone(carried), unlimitedIfNone(limit));
    }

    private static double unlimitedIfNone(long rate) {
        return rate == 0 ? Double.MAX_VALUE : rate;
    }

    int changes() {
        return changes;
    }
}
