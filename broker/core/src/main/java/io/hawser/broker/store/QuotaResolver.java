package io.hawser.broker.store;

import io.hawser.core.access.Identity;
import io.hawser.core.access.Quota;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Finds the quotas that a transfer is charged to, by its topic and by the identity that its publishing node has shown. A node that
 * has not connected yet has no identity; when it connects, its kept transfers are charged again.
 *
 * <p>Thread: immutable, but for what is known of nodes.
 */
public final class QuotaResolver {
    /** Where nothing is bounded by tenant. */
    public static final QuotaResolver NONE = new QuotaResolver(List.of(), node -> Identity.UNKNOWN);

    private static final int[] NOTHING = {};

    private final List<Quota> quotas;
    private final Function<NodeId, Identity> nodes;

    /** @param nodes the identity of each node; any thread asks */
    public QuotaResolver(List<Quota> quotas, Function<NodeId, Identity> nodes) {
        this.quotas = List.copyOf(quotas);
        this.nodes = nodes;
    }

    /** All quotas; charges refer to their indexes. */
    public List<Quota> quotas() {
        return quotas;
    }

    /** The places of the quotas that a transfer is charged to. */
    public int[] of(NodeId publisher, Topic topic) {
        if (quotas.isEmpty()) {
            return NOTHING;
        }
        Identity who = nodes.apply(publisher);
        return IntStream.range(0, quotas.size())
                .filter(place -> quotas.get(place).covers(who, topic))
                .toArray();
    }

    /** Whether a transfer is charged to the quota of that name. */
    public boolean charges(String quota, NodeId publisher, Topic topic) {
        return IntStream.of(of(publisher, topic))
                .anyMatch(place -> quotas.get(place).name().equals(quota));
    }

    /** The same quotas over the same nodes, after more identities became known. */
    public QuotaResolver again() {
        return new QuotaResolver(quotas, nodes);
    }
}
