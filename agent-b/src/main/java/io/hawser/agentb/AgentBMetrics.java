package io.hawser.agentb;

import io.hawser.core.meter.CallCounts;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.SubscriptionHop;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.hawser.ops.observe.SampledMetrics;
import io.hawser.ops.observe.TransferCounters;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the loop of agent-b knows for its metrics: of its landing area, its hop from the broker, its answers to questions about files.
 *
 * @param transfers what was delivered
 * @param landing the landing area
 * @param receivedBytes that the broker sent
 * @param damagedFragments that came from the broker
 * @param calls the answers; empty if this node serves no files
 *
 * <p>Thread: immutable; made on the loop.
 */
record AgentBMetrics(
        TransferCounters transfers,
        LandingStatus landing,
        long receivedBytes,
        long damagedFragments,
        Optional<Calls> calls) {
    /** A copy of {@link CallCounts}. */
    record Calls(long answered, long refused, long bytes) {
        static Calls of(CallCounts counts) {
            return new Calls(counts.answered(), counts.refusals(), counts.bytes());
        }
    }

    static AgentBMetrics of(LandingArea landing, SubscriptionHop hop, Optional<CallCounts> calls) {
        return new AgentBMetrics(
                TransferCounters.of(landing.counts()),
                landing.status(),
                hop.meter().receivedBytes(),
                hop.meter().damagedFragments(),
                calls.map(Calls::of));
    }

    /** Adds the metrics, of what {@code source} makes on the loop. Thread: that of {@link NodeMetrics}. */
    static void add(NodeMetrics metrics, NodeMetrics.Source<AgentBMetrics> source, ConnectionState broker) {
        SampledMetrics<AgentBMetrics> now = metrics.of(source);
        TransferCounters.addDelivered(now, AgentBMetrics::transfers);
        addLanding(now);
        now.counter(
                        "hawser_received_bytes_total",
                        "Payload bytes that the broker sent, repetitions included.",
                        AgentBMetrics::receivedBytes)
                .counter(
                        "hawser_damaged_fragments_total",
                        "Fragments and packets that came in damaged and were asked for again.",
                        AgentBMetrics::damagedFragments);
        addCalls(now);
        metrics.gauge(
                "hawser_broker_connected",
                "1 while there is a session with the broker, else 0.",
                () -> broker.isConnected() ? 1 : 0);
    }

    private static void addLanding(SampledMetrics<AgentBMetrics> now) {
        now.counter(
                        "hawser_landing_damages_total",
                        "Fragments and complete objects that were changed on the disk.",
                        from -> from.landing().damaged())
                .gauge("hawser_landing_dead_letters", "Transfers on the dead-letter list.", from -> from.landing()
                        .parked())
                .gauge(
                        "hawser_landing_reserved_bytes",
                        "Space reserved for transfers that are arriving.",
                        from -> from.landing().reservedBytes())
                .gauge(
                        "hawser_landing_usable_bytes",
                        "Free space of the landing area's file system, including --head-room.",
                        from -> from.landing().usableBytes())
                .gauge("hawser_landing_transfers", "Transfers that are here and not delivered.", from -> from.landing()
                        .unfinished())
                .gauges(
                        "hawser_longest_idle_seconds",
                        "The longest that a transfer here has made no progress.",
                        from -> List.of(new Sample(
                                Map.of("hop", "in"),
                                from.landing().longestIdleMillis() / (double) TimeUnit.SECONDS.toMillis(1))));
    }

    private static void addCalls(SampledMetrics<AgentBMetrics> now) {
        now.counters("hawser_calls_total", "Questions about files by outcome.", from -> from.calls().stream()
                        .flatMap(calls -> Stream.of(
                                new Sample(Map.of("outcome", "answered"), calls.answered()),
                                new Sample(Map.of("outcome", "refused"), calls.refused())))
                        .toList())
                .counters(
                        "hawser_call_answer_bytes_total",
                        "Bytes of files and listings in answers to questions.",
                        from -> from.calls().stream()
                                .map(calls -> new Sample(Map.of(), calls.bytes()))
                                .toList());
    }
}
