package io.hawser.ops.observe;

import io.hawser.core.meter.TransferCounts;
import io.hawser.core.meter.TransferCounts.Count;
import io.hawser.ops.observe.NodeMetrics.Sample;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The counters by topic that each node has: completed transfers with their bytes, receipts, failures.
 *
 * @param completed transfers that the node accepted or delivered
 * @param completedBytes their bytes
 * @param receipts by status
 * @param failures by reason
 *
 * <p>Thread: immutable.
 */
public record TransferCounters(
        List<Count> completed, List<Count> completedBytes, List<Count> receipts, List<Count> failures) {
    /** Copies the counts. Thread: that of the counts. */
    public static TransferCounters of(TransferCounts counts) {
        return new TransferCounters(counts.completed(), counts.completedBytes(), counts.receipts(), counts.failures());
    }

    /**
     * Adds the counters of a node that accepts transfers.
     *
     * @param counters finds them in the snapshot
     */
    public static <S> void addAccepted(SampledMetrics<S> metrics, Function<S, TransferCounters> counters) {
        metrics.counters(
                        "hawser_accepted_transfers_total",
                        "Transfers that are whole and durable here.",
                        from -> byTopic(counters.apply(from).completed()))
                .counters(
                        "hawser_accepted_bytes_total",
                        "Bytes of transfers that are whole and durable here.",
                        from -> byTopic(counters.apply(from).completedBytes()));
        addOutcomes(metrics, counters);
    }

    /** The same of a node that delivers them. */
    public static <S> void addDelivered(SampledMetrics<S> metrics, Function<S, TransferCounters> counters) {
        metrics.counters(
                        "hawser_delivered_transfers_total",
                        "Transfers that were delivered.",
                        from -> byTopic(counters.apply(from).completed()))
                .counters(
                        "hawser_delivered_bytes_total",
                        "Bytes of transfers that were delivered.",
                        from -> byTopic(counters.apply(from).completedBytes()));
        addOutcomes(metrics, counters);
    }

    private static <S> void addOutcomes(SampledMetrics<S> metrics, Function<S, TransferCounters> counters) {
        metrics.counters(
                        "hawser_receipts_total",
                        "What subscriptions said of transfers.",
                        from -> byTopicAnd("status", counters.apply(from).receipts()))
                .counters(
                        "hawser_failed_transfers_total",
                        "Accepted transfers that were not delivered. An expired or dead-lettered one counts too.",
                        from -> byTopicAnd("reason", counters.apply(from).failures()));
    }

    private static List<Sample> byTopic(List<Count> counts) {
        return counts.stream()
                .map(each -> new Sample(Map.of("topic", each.topic()), each.value()))
                .toList();
    }

    private static List<Sample> byTopicAnd(String label, List<Count> counts) {
        return counts.stream()
                .map(each -> new Sample(Map.of("topic", each.topic(), label, each.what()), each.value()))
                .toList();
    }
}
