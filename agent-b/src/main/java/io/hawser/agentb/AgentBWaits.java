package io.hawser.agentb;

import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.why.HopWait;
import io.hawser.core.why.WaitStage;
import io.hawser.ops.node.WaitSampler;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.NodePages;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingTransferStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Says where the transfers of agent-b wait: for the broker, for the disk, for verification, for others of their path, or for the target.
 *
 * <p>Thread: the loop; {@link #find} the admin thread.
 */
final class AgentBWaits implements WaitSampler.Source, NodePages.WhySource {
    private final NodeThreads net;
    private final LandingArea landing;
    private final String hop;
    private final WaitStage target;
    private final WaitSampler sampler = new WaitSampler(this);

    /** @param target the stage of a transfer that its target takes: the far disk or the far server */
    AgentBWaits(NodeThreads net, LandingArea landing, String subscription, WaitStage target) {
        this.net = net;
        this.landing = landing;
        this.hop = HopStatus.toSubscription(subscription);
        this.target = target;
    }

    /** Begins to count. */
    void start() {
        sampler.start(net.loop());
    }

    @Override
    public void visit(WaitSampler.Visitor visitor) {
        landing.stages(WaitSampler.MAX_OF_EACH_HOP, target, (key, stage) -> visitor.waits(hop, key, stage));
    }

    @Override
    public Optional<NodePages.FoundWhy> find(TransferKey key) throws IOException {
        return net.onLoop(() -> landing.transfers(key.toString()).stream()
                .findFirst()
                .map(status -> new NodePages.FoundWhy(
                        status.topic(), status.name(), sampler.why(key, List.of(wait(key, status))))));
    }

    private HopWait wait(TransferKey key, LandingTransferStatus status) {
        return new HopWait(hop, landing.stage(key, target).orElse(WaitStage.NONE), status.problem());
    }
}
