package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The connected publishers, and the credit of each: together they get three quarters of the pool, each at least two fragments.
 *
 * <p>Thread: the relay's loop.
 */
public final class Publishers {
    private final FragmentBufferPool pool;
    private final RelayLimits limits;
    private final Map<NodeId, PublisherIntake> byNode = new HashMap<>();

    Publishers(FragmentBufferPool pool, RelayLimits limits) {
        this.pool = pool;
        this.limits = limits;
    }

    void add(PublisherIntake intake) {
        byNode.put(intake.publisher(), intake);
        shareCredit();
    }

    /** False if another session of it has begun since. */
    boolean remove(PublisherIntake intake) {
        boolean removed = byNode.remove(intake.publisher(), intake);
        if (removed) {
            shareCredit();
        }
        return removed;
    }

    private void shareCredit() {
        all().forEach(intake -> intake.receiver().credit(creditBytes()));
    }

    /** Where each of at most {@code most} transfers that come in from each waits now. */
    public void stages(int most, BiConsumer<TransferKey, WaitStage> visitor) {
        all().forEach(intake -> intake.receiver().stages(most, visitor));
    }

    /** What a transfer that comes in is; empty if its publisher has not announced it in this session, or it is complete. */
    public Optional<Manifest> manifest(TransferKey key) {
        return Optional.ofNullable(find(key.publisher()))
                .flatMap(intake -> intake.receiver().manifest(key));
    }

    /** Where a transfer that comes in waits now; empty if its publisher is not connected, or has not announced it in this session. */
    public Optional<WaitStage> stage(TransferKey key) {
        return Optional.ofNullable(find(key.publisher()))
                .flatMap(intake -> intake.receiver().stage(key));
    }

    @Nullable
    PublisherIntake find(NodeId node) {
        return byNode.get(node);
    }

    Collection<PublisherIntake> all() {
        return byNode.values();
    }

    /** What each may have on its way here. */
    public long creditBytes() {
        long bytes = (long) pool.payloadCapacity() * pool.capacity() * 3 / 4;
        long share = Math.max(2L * pool.payloadCapacity(), bytes / Math.max(1, byNode.size()));
        return Math.min(limits.publisherWindowBytes(), share);
    }
}
