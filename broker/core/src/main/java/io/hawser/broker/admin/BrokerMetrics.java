package io.hawser.broker.admin;

import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.session.BrokerSessions;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.QuotaUse;
import io.hawser.broker.store.StoreUsage;
import io.hawser.core.access.Quota;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.observe.DiskGauges;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.hawser.ops.observe.SampledMetrics;
import io.hawser.ops.observe.TransferCounters;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The metrics of a broker that serves: its store, its quotas, its traffic.
 *
 * <p>Thread: the admin thread; it asks the loop and the store.
 */
final class BrokerMetrics {
    private final BrokerStore store;

    private BrokerMetrics(BrokerStore store) {
        this.store = store;
    }

    /** What the loop counts. */
    private record Traffic(
            TransferCounters transfers,
            Map<Greeting.Role, Integer> sessions,
            long receivedBytes,
            long damagedFragments,
            long sentBytes,
            long resentBytes,
            long callsAnswered,
            long callsRefused,
            long callBytes) {}

    static void add(
            NodeMetrics metrics,
            NodeThreads net,
            BrokerStore store,
            Relay relay,
            CallRelay calls,
            BrokerSessions sessions,
            FragmentBufferPool pool) {
        BrokerMetrics broker = new BrokerMetrics(store);
        DiskGauges.add(metrics, store.disk());
        broker.addStore(metrics);
        broker.addQuotas(metrics);
        addTraffic(metrics.of(() -> net.onLoop(() -> traffic(relay, calls, sessions))));
        metrics.gauge(
                "hawser_loan_bytes",
                "Memory that keeps payload for subscriptions that lag slightly.",
                () -> (double) pool.aside() * pool.payloadCapacity());
    }

    private static Traffic traffic(Relay relay, CallRelay calls, BrokerSessions sessions) {
        return new Traffic(
                TransferCounters.of(relay.counts()),
                sessions.countByRole(),
                relay.meter().receivedBytes(),
                relay.meter().damagedFragments(),
                relay.sent().sentBytes(),
                relay.sent().resentBytes(),
                calls.counts().answered(),
                calls.counts().refusals(),
                calls.counts().bytes());
    }

    private static void addTraffic(SampledMetrics<Traffic> metrics) {
        TransferCounters.addAccepted(metrics, Traffic::transfers);
        metrics.gauges("hawser_sessions", "Agents and programs that are connected.", from -> byRole(from.sessions()))
                .counter(
                        "hawser_received_bytes_total",
                        "Payload bytes that publishers sent, repetitions included.",
                        Traffic::receivedBytes)
                .counter(
                        "hawser_damaged_fragments_total",
                        "Fragments and packets that came in damaged and were asked for again.",
                        Traffic::damagedFragments)
                .counter(
                        "hawser_sent_bytes_total",
                        "Payload bytes that subscriptions were sent, repetitions included.",
                        Traffic::sentBytes)
                .counter("hawser_resent_bytes_total", "Payload bytes that were sent again.", Traffic::resentBytes)
                .counters(
                        "hawser_calls_total",
                        "Questions about files by outcome.",
                        from -> List.of(
                                new Sample(Map.of("outcome", "answered"), from.callsAnswered()),
                                new Sample(Map.of("outcome", "refused"), from.callsRefused())))
                .counter(
                        "hawser_call_answer_bytes_total",
                        "Bytes of files and listings in answers to questions.",
                        Traffic::callBytes);
    }

    private static List<Sample> byRole(Map<Greeting.Role, Integer> counts) {
        Map<Greeting.Role, Integer> all = new EnumMap<>(Greeting.Role.class);
        for (Greeting.Role role : Greeting.Role.values()) {
            if (role != Greeting.Role.BROKER) {
                all.put(role, counts.getOrDefault(role, 0));
            }
        }
        return all.entrySet().stream()
                .map(each -> new Sample(Map.of("role", word(each.getKey())), each.getValue()))
                .toList();
    }

    private static String word(Greeting.Role role) {
        return role.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void addStore(NodeMetrics metrics) {
        metrics.of(store::sizes)
                .gauge("hawser_store_used_bytes", "Payload that is kept: what a quota counts.", StoreUsage::usedBytes)
                .gauge(
                        "hawser_store_reserved_bytes",
                        "What was promised to open transfers and is not written yet.",
                        StoreUsage::reservedBytes)
                .gauge(
                        "hawser_store_quota_bytes",
                        "The most that used and reserved bytes may come to; 0 for no limit.",
                        StoreUsage::quotaBytes)
                .gauge(
                        "hawser_store_disk_free_bytes",
                        "What the file system would still take.",
                        StoreUsage::diskFreeBytes)
                .gauge(
                        "hawser_store_head_room_bytes",
                        "Free disk space that payload may not take.",
                        StoreUsage::headRoomBytes)
                .gauge("hawser_log_bytes", "What the log takes on disk.", StoreUsage::logBytes)
                .gauge("hawser_log_segments", "Segments of the log.", StoreUsage::segments)
                .counter(
                        "hawser_log_damaged_places_total",
                        "Places of the log that could not be read since the start.",
                        StoreUsage::damagedPlaces)
                .gauge(
                        "hawser_log_lost_records",
                        "Records at the log's end that were durable once and were not there at the start.",
                        StoreUsage::lostRecords);
    }

    private void addQuotas(NodeMetrics metrics) {
        metrics.of(store::quotaUses)
                .gauges(
                        "hawser_tenant_quota_bytes",
                        "The most that a tenant's used and reserved bytes may come to.",
                        uses -> limits(uses, Quota::bytes))
                .gauges(
                        "hawser_tenant_quota_transfers",
                        "The most transfers of a tenant that are kept.",
                        uses -> limits(uses, Quota::transfers))
                .gauges(
                        "hawser_tenant_bytes",
                        "What is kept of a tenant's transfers and promised to them.",
                        uses -> samples(uses, use -> use.usedBytes() + use.reservedBytes()))
                .gauges(
                        "hawser_tenant_transfers",
                        "Transfers of a tenant that are open, or that a subscription is still owed.",
                        uses -> samples(uses, QuotaUse::transfers));
    }

    private static List<Sample> limits(List<QuotaUse> uses, ToLongFunction<Quota> limit) {
        return samples(
                uses.stream()
                        .filter(use -> limit.applyAsLong(use.quota()) != Quota.NO_LIMIT)
                        .toList(),
                use -> limit.applyAsLong(use.quota()));
    }

    private static List<Sample> samples(List<QuotaUse> uses, ToLongFunction<QuotaUse> value) {
        return uses.stream()
                .map(use -> new Sample(Map.of("quota", use.quota().name()), value.applyAsLong(use)))
                .toList();
    }
}
