package io.hawser.ptcp.tune;

import java.util.ArrayList;
import java.util.List;

/** A sender on a {@link LinkModel} whose streams a {@link StreamCount} counts, and perhaps a {@link CourtesyRate} limits. */
final class TunedSender implements LinkModel.Steering {
    private static final long TICK_NANOS = 100_000_000L;

    final LinkModel.Sender sender;
    final StreamCount count;
    final List<Integer> history = new ArrayList<>();
    private final LinkModel link;
    private final DirectionMeter meter;
    private final CourtesyRate courtesy = new CourtesyRate();
    private final boolean courteous;
    private long tickNanos;
    private int changes;

    TunedSender(LinkModel link, StreamCount count, boolean courteous) {
        this.link = link;
        this.count = count;
        this.courteous = courteous;
        sender = link.sender(count.count());
        meter = new DirectionMeter(link.nowNanos());
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
            meter.add(System.identityHashCode(stream), link.measure(stream));
        }
        boolean demand = sender.demand && sender.appBytesPerSecond == Double.MAX_VALUE;
        Tick tick = meter.end(link.nowNanos(), demand ? 0 : TICK_NANOS);
        int before = count.count();
        int after = count.onTick(tick);
        changes += before == after ? 0 : 1;
        history.add(after);
        sender.use(after);
        if (courteous) {
            long rate = courtesy.onTick(tick);
            sender.limitBytesPerSecond = rate == 0 ? Double.MAX_VALUE : rate;
        }
    }

    int changes() {
        return changes;
    }
}
