package io.hawser.agenta;

import io.hawser.agenta.front.ClientTransfer;
import io.hawser.agenta.front.ClientTransfers;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.event.EventFacts;
import io.hawser.ops.event.EventLog;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What agent-a records of its clients: an event for each download, an xferlog line for both directions, and with each event of an upload the
 * client's address and what was sent again.
 *
 * <p>Thread: the loop.
 */
final class ClientRecords implements ClientTransfers {
    private static final int MAX_ADDRESSES = 8192;

    private final EventLog events;
    private final @Nullable XferLog xferLog;
    private final Namespace namespace;
    private final Map<TransferKey, String> addresses = new EvictingMap<>(MAX_ADDRESSES);

    /**
     * @param xferLog where lines go, or null
     * @param namespace what paths mean
     * @param sender of the hop to the broker; asked only after the node has begun
     */
    ClientRecords(EventLog events, @Nullable XferLog xferLog, Namespace namespace, Supplier<HopSender> sender) {
        this.events = events;
        this.xferLog = xferLog;
        this.namespace = namespace;
        events.details(event -> details(event, sender));
    }

    private EventFacts.Details details(TransferEvent event, Supplier<HopSender> sender) {
        if (event.type() == EventType.ACCEPTED) {
            String address = addresses.remove(event.key());
            return address == null ? EventFacts.Details.NONE : new EventFacts.Details("", address, -1);
        }
        if (!event.ends()) {
            return EventFacts.Details.NONE;
        }
        long resent = sender.get()
                .progress(event.key())
                .map(OutgoingTransferStatus::resentBytes)
                .orElse(-1L);
        return new EventFacts.Details("", "", resent);
    }

    @Override
    public void began(TransferKey key, InetSocketAddress from) {
        addresses.put(key, text(from));
    }

    @Override
    public void ended(ClientTransfer transfer) {
        if (xferLog != null) {
            xferLog.ended(transfer);
        }
        if (!transfer.upload()) {
            boolean isGood = transfer.result().equals(Audit.OK);
            Optional<Namespace.Place> place = namespace.place(transfer.path());
            events.note(
                    isGood ? EventType.DOWNLOADED : EventType.FAILED,
                    transfer.path().toString(),
                    true,
                    new EventFacts(
                            place.map(each -> each.topic().name()).orElse(""),
                            place.map(Namespace.Place::name)
                                    .orElse(transfer.path().toString()),
                            "download",
                            "",
                            transfer.account(),
                            text(transfer.from()),
                            isGood ? "" : transfer.result(),
                            transfer.bytes(),
                            -1,
                            System.currentTimeMillis() - transfer.duration().toMillis()));
        }
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress() == null
                ? address.getHostString() + ":" + address.getPort()
                : address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
