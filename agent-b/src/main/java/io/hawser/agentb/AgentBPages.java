package io.hawser.agentb;

import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.ForecastPage.ForecastLine;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import io.hawser.store.runtime.DiskExecutor;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** agent-b's admin pages. Thread: the admin thread. */
final class AgentBPages {
    private final NodeThreads.Task<LandingStatus> landing;
    private final Landed landed;
    private final NodePages pages;

    /** What is in the landing area. */
    interface Landed {
        /** All transfers there whose key or name contains {@code text}. */
        List<LandingTransferStatus> find(String text) throws IOException;
    }

    AgentBPages(
            Supplier<Health> health,
            Supplier<StalledTransfers> stalled,
            NodeThreads.Task<LandingStatus> landing,
            Landed landed,
            NodePages.WhySource why,
            Supplier<List<ForecastLine>> forecasts,
            DeadLetterPages deadLetters) {
        this.landing = landing;
        this.landed = landed;
        this.pages = NodePages.of(health, stalled)
                .transfers("agent-b", this::find)
                .why("agent-b", why)
                .forecasts("agent-b", forecasts)
                .json("/dead", query -> deadLetters.letters().list());
        gauge("hawser_landing_delivered_transfers", "transfers delivered since the start", LandingStatus::delivered);
        gauge("hawser_landing_failed_transfers", "transfers failed for good since the start", LandingStatus::failed);
        gauge(
                "hawser_landing_damaged",
                "fragments and complete objects that were changed on the disk",
                LandingStatus::damaged);
        gauge("hawser_landing_dead_letters", "transfers on the dead-letter list", LandingStatus::parked);
        gauge(
                "hawser_landing_reserved_bytes",
                "space reserved for transfers that are arriving",
                LandingStatus::reservedBytes);
        gauge(
                "hawser_landing_usable_bytes",
                "free space of the landing area's file system, including --head-room",
                LandingStatus::usableBytes);
        gauge("hawser_landing_transfers", "transfers that are here and not delivered", LandingStatus::unfinished);
        gauge(
                "hawser_longest_idle_seconds",
                "longest time that a transfer here has made no progress",
                status -> status.longestIdleMillis() / 1000.0);
    }

    private void gauge(String name, String description, ToDoubleFunction<LandingStatus> value) {
        pages.gauge(name, description, () -> value.applyAsDouble(landing.run()));
    }

    /** Shows the landing area's disk threads, too. */
    void disk(DiskExecutor disk) {
        pages.disk(disk);
    }

    Map<String, AdminPage> pages() {
        return pages.pages();
    }

    private List<TransferStatus> find(String text, int limit) throws IOException {
        String subscription = landing.run().subscription();
        return landed.find(text).stream()
                .map(transfer -> line(subscription, transfer))
                .sorted(TransferStatus.NEWEST_FIRST)
                .limit(limit)
                .toList();
    }

    private static TransferStatus line(String subscription, LandingTransferStatus transfer) {
        boolean delivered = transfer.state() == LandingState.DELIVERED;
        String state =
                switch (transfer.state()) {
                    case OPEN, ABANDONED -> "receiving";
                    case VERIFIED -> "committed";
                    case PARKED -> "dead";
                    case DELIVERED -> "delivered";
                    case FAILED -> "failed";
                };
        HopStatus hop = new HopStatus(
                        HopStatus.toSubscription(subscription),
                        delivered ? "delivered" : transfer.state().name().toLowerCase(Locale.ROOT),
                        new HopStatus.Bytes(transfer.durableBytes(), transfer.durableBytes(), 0, 0, 0),
                        transfer.problem())
                .idle(delivered ? 0 : transfer.idleMillis(), transfer.awaited());
        return new TransferStatus(
                transfer.transfer(),
                new TransferredObject(transfer.topic(), transfer.name(), "file", transfer.sizeBytes(), 0),
                state,
                transfer.ageMillis(),
                List.of(hop),
                List.of());
    }
}
