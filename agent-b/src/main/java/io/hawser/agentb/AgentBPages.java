package io.hawser.agentb;

import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.ForecastPage.ForecastLine;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

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
            NodeMetrics metrics,
            NodeThreads.Task<LandingStatus> landing,
            Landed landed,
            NodePages.WhySource why,
            Supplier<List<ForecastLine>> forecasts,
            DeadLetterPages deadLetters) {
        this.landing = landing;
        this.landed = landed;
        this.pages = new NodePages(health, metrics)
                .transfers("agent-b", this::find)
                .why("agent-b", why)
                .forecasts("agent-b", forecasts)
                .json("/dead", query -> deadLetters.letters().list());
    }

    Map<String, AdminPage> pages() {
        return pages.pages();
    }

    private List<TransferStatus> find(String text, int limit) throws IOException {
        return find(text).stream().limit(limit).toList();
    }

    /** All that are here and whose key or name contains {@code text}, the newest first. */
    List<TransferStatus> find(String text) throws IOException {
        String subscription = landing.run().subscription();
        return landed.find(text).stream()
                .map(transfer -> line(subscription, transfer))
                .sorted(TransferStatus.NEWEST_FIRST)
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
