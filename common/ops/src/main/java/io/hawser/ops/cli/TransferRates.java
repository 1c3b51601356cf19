package io.hawser.ops.cli;

import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How fast transfers move on their hops, from pages that were read one after the other.
 *
 * <p>Thread: main only.
 */
final class TransferRates {
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record Hop(String key, String name) {}

    private record Sample(long nanos, Map<Hop, Long> bytes) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** What a page said at that time. */
    void add(long nanos, List<TransferStatus> transfers) {
        Map<Hop, Long> bytes = new HashMap<>();
        transfers.forEach(transfer -> transfer.hops()
                .forEach(hop -> bytes.put(
                        new Hop(transfer.key(), hop.hop()), hop.bytes().durableBytes())));
        samples.addLast(new Sample(nanos, bytes));
        while (samples.size() > 2 && nanos - samples.getFirst().nanos > SPAN_NANOS) {
            samples.removeFirst();
        }
    }

    /** In bytes per second over the last five seconds, or as long as it is known; 0 if it does not move. */
    long bytesPerSecond(TransferStatus transfer, HopStatus hop) {
        Hop wanted = new Hop(transfer.key(), hop.hop());
        Sample last = samples.getLast();
        Long now = last.bytes.get(wanted);
        for (Sample first : samples) {
            Long before = first.bytes.get(wanted);
            double seconds = (last.nanos - first.nanos) / 1e9;
            if (now != null && before != null && seconds > 0) {
                return Math.max(0, Math.round((now - before) / seconds));
            }
        }
        return 0;
    }
}
