package io.hawser.broker.admin;

import io.hawser.broker.relay.GroupMemberStatus;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import io.hawser.store.space.WaitingTransfers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Builds the lines of {@code /transfers} from the store's records and the hops' progress. Thread: the relay's loop. */
record TransferLines(Relay relay, Predicate<TransferKey> publishers, long nowMillis) {
    private static final String REFUSED = "refused";

    TransferStatus line(StoredTransferStatus status) {
        Manifest manifest = status.transfer().manifest();
        Commit commit = status.transfer().commit();
        List<HopStatus> hops = new ArrayList<>();
        hops.add(incoming(status));
        for (String subscription : subscriptions(status)) {
            hops.add(outgoing(status, subscription));
        }
        return new TransferStatus(
                manifest.key().toString(),
                object(manifest, commit == null ? manifest.sizeBytes() : commit.sizeBytes()),
                state(status, hops),
                nowMillis - manifest.key().id().epochMillis(),
                hops,
                status.receipts().values().stream()
                        .map(receipt -> ReceiptLine.of(receipt, nowMillis))
                        .toList());
    }

    private static TransferredObject object(Manifest manifest, long sizeBytes) {
        return new TransferredObject(
                manifest.topic().name(),
                manifest.name(),
                manifest.kind().name().toLowerCase(Locale.ROOT),
                sizeBytes,
                manifest.fragmentSizeBytes());
    }

    /** Those that it goes to, or would. */
    Set<String> subscriptions(StoredTransferStatus status) {
        Set<String> names = new TreeSet<>(status.transfer().deliverySet());
        names.remove(Receipt.NOBODY);
        names.addAll(status.transfer().owed());
        if (status.transfer().commit() == null) {
            names.addAll(
                    relay.subscriptions().names(status.transfer().manifest().topic()));
        }
        return names;
    }

    HopStatus incoming(StoredTransferStatus status) {
        TransferKey key = status.transfer().manifest().key();
        boolean committed = status.transfer().commit() != null;
        boolean here = publishers.test(key);
        String refusal = committed ? "" : refusal(key);
        String state = committed ? "committed" : !here ? "waiting" : refusal.isEmpty() ? "sending" : REFUSED;
        HopStatus line = new HopStatus(
                HopStatus.PUBLISHER_TO_BROKER,
                state,
                new HopStatus.Bytes(
                        committed ? size(status) : status.durableBytes(),
                        relay.meter().receivedBytes(key),
                        relay.meter().repeatedBytes(key),
                        relay.publishers().creditBytes(),
                        0),
                committed ? unclaimed(status) : here ? refusal : "its publisher is not connected");
        boolean settled = committed && !status.transfer().deliverySet().isEmpty();
        return settled ? line : line.idle(idleHere(status), "more of it has yet to come from its publisher");
    }

    /** Since anything of it came in, in this run of the broker. */
    private long idleHere(StoredTransferStatus status) {
        return Math.min(
                relay.meter().idleMillis(status.transfer().manifest().key()), ageMillis(status.openedEpochMillis()));
    }

    /** How long ago something was by the wall clock; without a bound if that clock has been set since, or another's is ahead. */
    private long ageMillis(long epochMillis) {
        return epochMillis > nowMillis ? Long.MAX_VALUE : nowMillis - epochMillis;
    }

    private static String unclaimed(StoredTransferStatus status) {
        return status.transfer().deliverySet().isEmpty() ? "no subscription has come for it yet" : "";
    }

    private String refusal(TransferKey key) {
        return relay.waitingForSpace().of(key).map(TransferLines::text).orElse("");
    }

    private static String text(Refusal refusal) {
        return refusal.code() + ": " + refusal.detail();
    }

    /** One that is not here, since it is refused for now. */
    TransferStatus line(WaitingTransfers.Waiting refused) {
        Manifest manifest = refused.manifest();
        HopStatus hop = new HopStatus(
                HopStatus.PUBLISHER_TO_BROKER,
                REFUSED,
                new HopStatus.Bytes(0, 0, 0, relay.publishers().creditBytes(), 0),
                text(refused.answer().refusal()));
        return new TransferStatus(
                manifest.key().toString(),
                object(manifest, manifest.sizeBytes()),
                REFUSED,
                nowMillis - manifest.key().id().epochMillis(),
                List.of(hop),
                List.of());
    }

    HopStatus outgoing(StoredTransferStatus status, String subscription) {
        TransferKey key = status.transfer().manifest().key();
        HopSender sender = relay.subscriptions().sender(subscription, key);
        Optional<OutgoingTransferStatus> progress = sender == null ? Optional.empty() : sender.progress(key);
        boolean committed = status.transfer().commit() != null;
        boolean settled = committed && !status.transfer().owed().contains(subscription);
        String state = word(status, subscription)
                .orElse(
                        settled
                                ? "committed"
                                : progress.isPresent() && relay.subscriptions().isConnected(subscription)
                                        ? "sending"
                                        : "waiting");
        String member = relay.subscriptions()
                .memberOf(subscription, key)
                .map(name -> "/" + name)
                .orElse("");
        HopStatus line = new HopStatus(
                HopStatus.toSubscription(subscription) + member,
                state,
                new HopStatus.Bytes(
                        state.equals("committed") || state.equals("delivered")
                                ? size(status)
                                : progress.map(OutgoingTransferStatus::ackedBytes)
                                        .orElse(0L),
                        progress.map(OutgoingTransferStatus::sentBytes).orElse(0L),
                        progress.map(OutgoingTransferStatus::resentBytes).orElse(0L),
                        sender == null ? 0 : sender.windowBytes(),
                        progress.map(OutgoingTransferStatus::resentAckedBytes).orElse(0L)),
                held(status, subscription, progress));
        if (word(status, subscription).isPresent()) {
            return line;
        }
        String next = settled
                ? "it is durable at the far end; its final receipt is outstanding"
                : progress.map(each -> ConsumerStallReason.nextStep(
                                each,
                                relay.subscriptions().spec(subscription).orElse(null),
                                status.transfer().commit()))
                        .orElse("what was committed earlier comes first");
        return line.idle(idleThere(status, subscription, progress), next);
    }

    /** Since it came forward on the hop to a subscription; while that has no consumer, at least not since it left. */
    private long idleThere(
            StoredTransferStatus status, String subscription, Optional<OutgoingTransferStatus> progress) {
        Receipt receipt = status.receipts().get(subscription);
        long idle = progress.map(OutgoingTransferStatus::idleMillis)
                .orElseGet(
                        () -> Math.max(idleHere(status), relay.subscriptions().idleMillis(subscription)));
        return Math.min(idle, ageMillis(receipt == null ? status.openedEpochMillis() : receipt.epochMillis()));
    }

    private String held(StoredTransferStatus status, String subscription, Optional<OutgoingTransferStatus> progress) {
        Receipt receipt = status.receipts().get(subscription);
        if (word(status, subscription).isPresent()) {
            return "";
        }
        String problem = ConsumerStallReason.problem(receipt);
        String away = away(status, subscription);
        if (!away.isEmpty()) {
            return problem.isEmpty() ? away : away + "; it last said: " + problem;
        }
        return problem.isEmpty() ? progress.map(OutgoingTransferStatus::held).orElse("") : problem;
    }

    /** The consumer that has to be connected and is not; empty if none is missing. */
    String away(StoredTransferStatus status, String subscription) {
        NodeId permitted = status.transfer().permits().get(subscription);
        for (GroupMemberStatus member : relay.subscriptions().members(subscription)) {
            if (member.node().equals(permitted) && !member.connected()) {
                return "only its member " + member.name() + " may deliver it, which is not connected";
            }
        }
        return relay.subscriptions().isConnected(subscription) ? "" : "its consumer is not connected";
    }

    /** The subscription's final word, if it has said one. */
    private static Optional<String> word(StoredTransferStatus status, String subscription) {
        Receipt receipt = status.receipts().get(subscription);
        if (receipt != null && receipt.status().isFinal()) {
            return Optional.of(receipt.status().name().toLowerCase(Locale.ROOT));
        }
        return status.acknowledged().contains(subscription) ? Optional.of("delivered") : Optional.empty();
    }

    private static long size(StoredTransferStatus status) {
        Commit commit = status.transfer().commit();
        return commit == null ? 0 : commit.sizeBytes();
    }

    private static String state(StoredTransferStatus status, List<HopStatus> hops) {
        if (status.transfer().commit() == null) {
            return "receiving";
        }
        for (ReceiptStatus word :
                List.of(ReceiptStatus.FAILED, ReceiptStatus.EXPIRED, ReceiptStatus.CANCELLED, ReceiptStatus.DEAD)) {
            if (status.receipts().values().stream().anyMatch(receipt -> receipt.status() == word)) {
                return word.name().toLowerCase(Locale.ROOT);
            }
        }
        boolean delivered = hops.size() > 1
                && hops.stream().skip(1).allMatch(hop -> hop.state().equals("delivered"));
        boolean isBeingCancelled = status.transfer().steering().isRecalled();
        return delivered
                ? "delivered"
                : isBeingCancelled ? "cancelling" : status.transfer().steering().held() ? "held" : "committed";
    }
}
