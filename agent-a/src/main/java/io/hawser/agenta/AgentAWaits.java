package io.hawser.agenta;

import io.hawser.agenta.upload.ActiveUploads;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.why.HopWait;
import io.hawser.core.why.WaitStage;
import io.hawser.ops.node.WaitSampler;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodePages;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Says where the transfers of agent-a wait: for their client, for the spool's disk, or on the way to the broker.
 *
 * <p>Thread: the loop; {@link #find} the admin thread.
 */
final class AgentAWaits implements WaitSampler.Source, NodePages.WhySource {
    private final NodeThreads net;
    private final Spool spool;
    private final ActiveUploads uploads;
    private final HopSender sender;
    private final ConnectionState broker;
    private final WaitSampler sampler = new WaitSampler(this);

    AgentAWaits(NodeThreads net, Spool spool, ActiveUploads uploads, HopSender sender, ConnectionState broker) {
        this.net = net;
        this.spool = spool;
        this.uploads = uploads;
        this.sender = sender;
        this.broker = broker;
    }

    /** Begins to count. */
    void start() {
        sampler.start(net.loop());
    }

    @Override
    public Optional<NodePages.FoundWhy> find(TransferKey key) throws IOException {
        return net.onLoop(() -> spool.state(key)
                .map(state -> new NodePages.FoundWhy(
                        state.manifest().topic().name(), state.manifest().name(), sampler.why(key, of(state)))));
    }

    @Override
    public void visit(WaitSampler.Visitor visitor) {
        uploads.visit(
                WaitSampler.MAX_OF_EACH_HOP, (key, stage) -> visitor.waits(HopStatus.CLIENT_TO_AGENT, key, stage));
        sender.stages(
                WaitSampler.MAX_OF_EACH_HOP, (key, stage) -> visitor.waits(HopStatus.PUBLISHER_TO_BROKER, key, stage));
    }

    private List<HopWait> of(TransferSnapshot state) {
        return List.of(upload(state), toBroker(state));
    }

    private HopWait upload(TransferSnapshot state) {
        if (state.commit() != null || state.phase().isFinal()) {
            return new HopWait(HopStatus.CLIENT_TO_AGENT, WaitStage.NONE, "agent-a has all of it");
        }
        WaitStage stage = uploads.stage(state.key());
        return stage == null
                ? new HopWait(
                        HopStatus.CLIENT_TO_AGENT,
                        WaitStage.CLIENT,
                        "it is not connected; it has broken off and has not come back")
                : new HopWait(HopStatus.CLIENT_TO_AGENT, stage, "");
    }

    private HopWait toBroker(TransferSnapshot state) {
        Refusal refusal = state.refusal();
        if (state.phase() == SpoolPhase.BROKERED || state.phase() == SpoolPhase.FINISHED) {
            return new HopWait(HopStatus.PUBLISHER_TO_BROKER, WaitStage.NONE, "the broker has all of it");
        } else if (state.phase().isFinal()) {
            return new HopWait(
                    HopStatus.PUBLISHER_TO_BROKER,
                    WaitStage.NONE,
                    refusal == null ? "it is over" : "it is over: " + refusal.detail());
        }
        WaitStage stage = sender.stage(state.key()).orElse(WaitStage.NO_INPUT);
        if (!broker.isConnected() && stage != WaitStage.HELD) {
            boolean hasSome = state.commit() != null || state.durableBytes() > 0;
            return new HopWait(
                    HopStatus.PUBLISHER_TO_BROKER,
                    hasSome ? WaitStage.PEER_AWAY : stage,
                    "no session with the broker: " + broker.problem());
        }
        return new HopWait(HopStatus.PUBLISHER_TO_BROKER, stage, sender.stageDetail(state.key()));
    }
}
