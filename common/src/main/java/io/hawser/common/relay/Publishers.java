package io.hawser.common.relay;

import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.model.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The publishers that are here, and the credit that each of them has: together they get three quarters of the pool, each of them two
 * fragments at least.
 *
 * <p>Thread: the relay's loop.
 */
final class Publishers {
    private final FragmentBufferPool pool;
    private final RelayLimits limits;
    private final Map<NodeId, PublisherEnd> byNode = new HashMap<>();

    Publishers(FragmentBufferPool pool, RelayLimits limits) {
        this.pool = pool;
        this.limits = limits;
    }

    void add(PublisherEnd end) {
        byNode.put(end.publisher(), end);
        shareCredit();
    }

    /** False if another session of it has begun since. */
    boolean remove(PublisherEnd end) {
        boolean removed = byNode.remove(end.publisher(), end);
        if (removed) {
            shareCredit();
        }
        return removed;
    }

    private void shareCredit() {
        all().forEach(end -> end.receiver().credit(creditBytes()));
    }

    @Nullable
    PublisherEnd find(NodeId node) {
        return byNode.get(node);
    }

    Collection<PublisherEnd> all() {
        return byNode.values();
    }

    /** The credit of each. */
    long creditBytes() {
        long bytes = (long) pool.payloadCapacity() * pool.capacity() * 3 / 4;
        long share = Math.max(2L * pool.payloadCapacity(), bytes / Math.max(1, byNode.size()));
        return Math.min(limits.publisherWindowBytes(), share);
    }
}
