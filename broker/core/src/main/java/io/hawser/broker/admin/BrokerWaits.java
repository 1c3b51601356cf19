package io.hawser.broker.admin;

import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.why.HopWait;
import io.hawser.core.why.WaitStage;
import io.hawser.ops.node.WaitSampler;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.WhyPage;
import io.hawser.store.space.WaitingTransfers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says where the broker's transfers wait: for their publisher, for the log, for space, or on the way to each subscription.
 *
 * <p>Thread: the relay's loop; {@link #find} the admin thread.
 */
final class BrokerWaits implements WaitSampler.Source, NodePages.WhySource {
    private final NodeThreads net;
    private final BrokerStore store;
    private final Relay relay;
    private final Predicate<TransferKey> publishers;
    private final WaitSampler sampler = new WaitSampler(this);

    /** @param publishers whether a transfer's publisher is connected */
    BrokerWaits(NodeThreads net, BrokerStore store, Relay relay, Predicate<TransferKey> publishers) {
        this.net = net;
        this.store = store;
        this.relay = relay;
        this.publishers = publishers;
    }

    /** Begins to count. */
    void start() {
        sampler.start(net.loop());
    }

    @Override
    public void visit(WaitSampler.Visitor visitor) {
        relay.publishers()
                .stages(
                        WaitSampler.MAX_OF_EACH_HOP,
                        (key, stage) -> visitor.waits(HopStatus.PUBLISHER_TO_BROKER, key, stage));
        relay.waitingForSpace().lately().stream()
                .limit(WaitSampler.MAX_OF_EACH_HOP)
                .forEach(each -> visitor.waits(HopStatus.PUBLISHER_TO_BROKER, each.key(), WaitStage.SPACE));
        relay.subscriptions()
                .stages(
                        WaitSampler.MAX_OF_EACH_HOP,
                        (subscription, key, stage) ->
                                visitor.waits(HopStatus.toSubscription(subscription), key, stage));
    }

    @Override
    public Optional<NodePages.FoundWhy> find(TransferKey key) throws IOException {
        // What comes in is known in memory: a disk that is slow must not keep the answer back.
        Optional<NodePages.FoundWhy> live = net.onLoop(() ->
                relay.publishers().manifest(key).map(manifest -> found(manifest, sampler.why(key, waits(manifest)))));
        return live.isPresent() ? live : findStored(key);
    }

    private Optional<NodePages.FoundWhy> findStored(TransferKey key) throws IOException {
        StoredTransferStatus stored = new LoopQueries(net)
                .outcome((Outcome.Callback<StoredTransferStatus> done) -> store.transfer(key, done))
                .value();
        return net.onLoop(() -> {
            if (stored != null) {
                return Optional.of(found(stored.transfer().manifest(), sampler.why(key, waits(stored))));
            }
            return refused(key)
                    .map(each -> found(
                            each.manifest(),
                            sampler.why(key, List.of(space(each.answer().refusal())))));
        });
    }

    private static NodePages.FoundWhy found(Manifest manifest, List<WhyPage.HopWhy> hops) {
        return new NodePages.FoundWhy(manifest.topic().name(), manifest.name(), hops);
    }

    /** One of which nothing is here, since it is refused for now. */
    private Optional<WaitingTransfers.Waiting> refused(TransferKey key) {
        return relay.waitingForSpace().lately().stream()
                .filter(each -> each.key().equals(key))
                .findFirst();
    }

    private static HopWait space(Refusal refusal) {
        return new HopWait(HopStatus.PUBLISHER_TO_BROKER, WaitStage.SPACE, refusal.detail());
    }

    /** Of one that is not complete here. */
    private List<HopWait> waits(Manifest manifest) {
        TransferKey key = manifest.key();
        List<HopWait> waits = new ArrayList<>();
        waits.add(stillComing(key));
        for (String subscription : relay.subscriptions().names(manifest.topic())) {
            HopSender sender = relay.subscriptions().sender(subscription, key);
            HopWait away = new HopWait(
                    HopStatus.toSubscription(subscription), WaitStage.PEER_AWAY, "its consumer is not connected");
            waits.add(relay.subscriptions().isConnected(subscription) ? sending(subscription, sender, key) : away);
        }
        return waits;
    }

    private HopWait stillComing(TransferKey key) {
        return relay.waitingForSpace()
                .of(key)
                .map(BrokerWaits::space)
                .orElseGet(() -> new HopWait(
                        HopStatus.PUBLISHER_TO_BROKER,
                        relay.publishers().stage(key).orElse(WaitStage.NO_INPUT),
                        ""));
    }

    private static HopWait sending(String subscription, @Nullable HopSender sender, TransferKey key) {
        WaitStage stage = sender == null ? WaitStage.QUEUE : sender.stage(key).orElse(WaitStage.QUEUE);
        return new HopWait(
                HopStatus.toSubscription(subscription), stage, sender == null ? "" : sender.stageDetail(key));
    }

    private List<HopWait> waits(StoredTransferStatus status) {
        List<HopWait> waits = new ArrayList<>();
        waits.add(incoming(status));
        TransferLines lines = new TransferLines(relay, publishers, System.currentTimeMillis());
        for (String subscription : lines.subscriptions(status)) {
            boolean away = !lines.away(status, subscription).isEmpty();
            waits.add(outgoing(status, subscription, lines.outgoing(status, subscription), away));
        }
        return waits;
    }

    private HopWait incoming(StoredTransferStatus status) {
        TransferKey key = status.transfer().manifest().key();
        String hop = HopStatus.PUBLISHER_TO_BROKER;
        if (status.transfer().commit() != null) {
            return status.transfer().deliverySet().isEmpty()
                    ? new HopWait(
                            hop,
                            WaitStage.UNCLAIMED,
                            "topic " + status.transfer().manifest().topic())
                    : new HopWait(hop, WaitStage.NONE, "the broker has all of it");
        }
        if (!publishers.test(key)) {
            return new HopWait(hop, WaitStage.PEER_AWAY, "its publisher is not connected");
        }
        return stillComing(key);
    }

    private HopWait outgoing(StoredTransferStatus status, String subscription, HopStatus line, boolean away) {
        String hop = HopStatus.toSubscription(subscription);
        TransferKey key = status.transfer().manifest().key();
        Receipt receipt = status.receipts().get(subscription);
        boolean isOver = (receipt != null && receipt.status().isFinal())
                || status.acknowledged().contains(subscription);
        if (isOver) {
            return new HopWait(hop, WaitStage.NONE, "its consumer has it");
        }
        boolean isThere =
                status.transfer().commit() != null && !status.transfer().owed().contains(subscription);
        if (isThere || (receipt != null && !receipt.problem().isEmpty())) {
            return new HopWait(hop, atFarEnd(receipt), line.reason());
        }
        if (status.transfer().steering().held()) {
            return new HopWait(hop, WaitStage.HELD, "");
        }
        if (away || !line.state().equals("sending")) {
            boolean nothingYet = status.transfer().commit() == null && status.durableBytes() == 0;
            WaitStage otherwise = nothingYet ? WaitStage.NO_INPUT : WaitStage.QUEUE;
            return new HopWait(hop, away ? WaitStage.PEER_AWAY : otherwise, line.reason());
        }
        return sending(subscription, relay.subscriptions().sender(subscription, key), key);
    }

    private static WaitStage atFarEnd(@Nullable Receipt receipt) {
        if (receipt == null || receipt.problem().isEmpty()) {
            return WaitStage.FAR_END;
        }
        return receipt.status() == ReceiptStatus.DEAD ? WaitStage.DEAD_LETTER : WaitStage.TARGET;
    }
}
