package io.hawser.agenta;

import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.ForecastPage.ForecastLine;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What an operator sees of agent-a over HTTP. Thread: the admin thread; it asks the loop. */
final class AgentAPages {
    private static final Comparator<TransferSnapshot> NEWEST_FIRST =
            Comparator.comparing((TransferSnapshot state) -> state.key().id()).reversed();

    /** Lines of transfers that are made in one visit to the loop, so that they hold up no session. */
    private static final int LINES_AT_ONCE = 200;

    private final NodeThreads net;
    private final Spool spool;
    private final HopSender sender;
    private final ConnectionState broker;
    private final NodePages pages;

    AgentAPages(
            NodeThreads net,
            Spool spool,
            HopSender sender,
            ConnectionState broker,
            NodePages.WhySource why,
            Supplier<List<ForecastLine>> forecasts,
            Supplier<Health> health,
            NodeMetrics metrics) {
        this.net = net;
        this.spool = spool;
        this.sender = sender;
        this.broker = broker;
        this.pages = new NodePages(health, metrics)
                .transfers("agent-a", this::find)
                .why("agent-a", why)
                .forecasts("agent-a", forecasts);
    }

    Map<String, AdminPage> pages() {
        return pages.pages();
    }

    private List<TransferStatus> find(String text, int limit) throws IOException {
        return find(
                state -> state.key().toString().contains(text)
                        || state.manifest().name().contains(text),
                limit);
    }

    /** The newest of those that are {@code wanted}. */
    List<TransferStatus> find(Predicate<TransferSnapshot> wanted, int limit) throws IOException {
        List<TransferSnapshot> found = net.onLoop(spool::states).stream()
                .filter(wanted)
                .sorted(NEWEST_FIRST)
                .limit(limit)
                .toList();
        List<TransferStatus> lines = new ArrayList<>();
        for (int from = 0; from < found.size(); from += LINES_AT_ONCE) {
            List<TransferSnapshot> part = found.subList(from, Math.min(from + LINES_AT_ONCE, found.size()));
            // As they are now: the sender, which is asked in the same visit, may know more than the snapshot.
            lines.addAll(net.onLoop(() -> part.stream()
                    .flatMap(each -> spool.state(each.key()).stream())
                    .map(this::line)
                    .toList()));
        }
        return lines;
    }

    private TransferStatus line(TransferSnapshot state) {
        long now = System.currentTimeMillis();
        Optional<OutgoingTransferStatus> progress = sender.progress(state.key());
        HopStatus hop = new HopStatus(
                        HopStatus.PUBLISHER_TO_BROKER,
                        progress.map(OutgoingTransferStatus::state)
                                .orElse(state.phase().name())
                                .toLowerCase(Locale.ROOT),
                        new HopStatus.Bytes(
                                progress.map(OutgoingTransferStatus::ackedBytes).orElse(state.brokeredBytes()),
                                progress.map(OutgoingTransferStatus::sentBytes).orElse(0L),
                                progress.map(OutgoingTransferStatus::resentBytes)
                                        .orElse(0L),
                                sender.windowBytes(),
                                progress.map(OutgoingTransferStatus::resentAckedBytes)
                                        .orElse(0L)),
                        held(state, progress))
                .idle(idleMillis(state, progress), awaited(state, progress));
        return new TransferStatus(
                state.key().toString(),
                new TransferStatus.TransferredObject(
                        state.manifest().topic().name(),
                        state.manifest().name(),
                        word(state.manifest().kind()),
                        state.sizeBytes(),
                        state.manifest().fragmentSizeBytes()),
                word(state),
                now - state.key().id().epochMillis(),
                List.of(upload(state), hop),
                state.receipts().stream()
                        .map(receipt -> ReceiptLine.of(receipt, now))
                        .toList());
    }

    private String held(TransferSnapshot state, Optional<OutgoingTransferStatus> progress) {
        Refusal refusal = state.refusal();
        if (state.phase() == SpoolPhase.REFUSED && refusal != null) {
            return refusal.code() + ": " + refusal.detail();
        } else if (state.isNoLongerFollowed()) {
            return TransferSnapshot.NOT_FOLLOWED;
        } else if (state.phase().isFinal() || state.phase() == SpoolPhase.BROKERED) {
            return "";
        } else if (!broker.isConnected()) {
            return "no session with the broker: " + broker.problem();
        }
        return progress.map(OutgoingTransferStatus::held).orElse("");
    }

    private static long idleMillis(TransferSnapshot state, Optional<OutgoingTransferStatus> progress) {
        if (state.phase().isFinal()) {
            return 0;
        }
        return state.phase() == SpoolPhase.BROKERED
                ? state.idleMillis()
                : progress.map(OutgoingTransferStatus::idleMillis).orElse(state.idleMillis());
    }

    private static String awaited(TransferSnapshot state, Optional<OutgoingTransferStatus> progress) {
        if (state.repeats() && state.phase() == SpoolPhase.SPOOLED) {
            return "it has the bytes of the upload before it; the far ends are asked to publish those again";
        }
        if (state.phase() != SpoolPhase.BROKERED) {
            return progress.map(OutgoingTransferStatus::nextStep).orElse("it is not offered to the broker yet");
        }
        if (state.deliverySet().isEmpty()) {
            return "the broker has it; no subscription has come for it yet";
        }
        List<String> silent = new ArrayList<>(state.deliverySet());
        state.receipts().stream()
                .filter(receipt -> receipt.status().isFinal())
                .forEach(receipt -> silent.remove(receipt.subscription()));
        return "the broker has it; the final receipt has yet to come from " + String.join(", ", silent);
    }

    /** What of the client's upload is durable here. A client sends each byte once, and without credit. */
    private static HopStatus upload(TransferSnapshot state) {
        String word = state.commit() == null ? "receiving" : "committed";
        String reason = state.phase() == SpoolPhase.INCOMPLETE ? "the client broke off and has not come back" : "";
        HopStatus line = new HopStatus(
                HopStatus.CLIENT_TO_AGENT,
                word,
                new HopStatus.Bytes(state.durableBytes(), state.durableBytes(), 0, 0, 0),
                reason);
        boolean receives = state.commit() == null && !state.phase().isFinal();
        return receives ? line.idle(state.idleMillis(), awaitedOfClient(state)) : line;
    }

    private static String awaitedOfClient(TransferSnapshot state) {
        return state.waitsForSpace()
                ? "it waits for room in the spool"
                : "nothing of it has become durable here; STAT tells its client which end waits";
    }

    static String word(TransferKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    static String word(TransferSnapshot state) {
        for (ReceiptStatus bad :
                List.of(ReceiptStatus.FAILED, ReceiptStatus.EXPIRED, ReceiptStatus.CANCELLED, ReceiptStatus.DEAD)) {
            if (state.receipts().stream().anyMatch(receipt -> receipt.status() == bad)) {
                return bad.name().toLowerCase(Locale.ROOT);
            }
        }
        if (state.isBeingCancelled()) {
            return "cancelling";
        }
        if (state.held()) {
            return "held";
        }
        return state.isNoLongerFollowed() ? "not followed" : word(state.phase());
    }

    private static String word(SpoolPhase phase) {
        return switch (phase) {
            case RECEIVING -> "receiving";
            case INCOMPLETE -> "incomplete";
            case SPOOLED -> "spooled";
            case BROKERED -> "committed";
            case FINISHED -> "delivered";
            case CANCELLED -> "cancelled";
            case REFUSED -> "failed";
        };
    }
}
