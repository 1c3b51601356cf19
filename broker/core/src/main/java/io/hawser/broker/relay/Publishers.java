package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connected publishers, and the credit of each: together they get three quarters of the pool, each at least two fragments.
 *
 * <p>Thread: the relay's loop.
 */
final class Publishers {
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

    @Nullable
    PublisherIntake find(NodeId node) {
        return byNode.get(node);
    }

    Collection<PublisherIntake> all() {
        return byNode.values();
    }

    long creditBytes() {
        long bytes = (long) pool.payloadCapacity() * pool.capacity() * 3 / 4;
        long share = Math.max(2L * pool.payloadCapacity(), bytes / Math.max(1, byNode.size()));
        return Math.min(limits.publisherWindowBytes(), share);
    }
}
