package io.hawser.agentb;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.landing.LandingOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of an agent-b.
 *
 * @param broker where and how it connects
 * @param data its data directory: identity and lock
 * @param subscription what it receives
 * @param delivery where it delivers
 * @param serve what clients of agent-a may list and read; empty for nothing
 * @param memory bounds of its fragment buffers
 * @param admin its admin pages; their keys are also those of the sessions if {@code broker} has any
 */
public record AgentBConfig(
        BrokerLink broker,
        Path data,
        Subscription subscription,
        Delivery delivery,
        Optional<ServedLocation> serve,
        Memory memory,
        AdminSettings admin) {

    /**
     * How agent-b reaches the broker.
     *
     * @param addresses the brokers' addresses, tried in turn
     * @param ptcp how sessions are dialled
     */
    public record BrokerLink(List<HostPort> addresses, PtcpOptions ptcp) {
        public BrokerLink {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * @param topic its topic
     * @param name its name
     * @param startAt where it starts if it is new
     * @param terms its rate, priority, deadline, member and replay filter
     */
    public record Subscription(Topic topic, String name, StartAt startAt, SubscriptionTerms terms) {
        /** The first subscription of a topic: it bears the topic's name, starts now and has no terms. */
        public static Subscription to(Topic topic) {
            return new Subscription(topic, topic.name(), StartAt.NOW, SubscriptionTerms.NONE);
        }
    }

    /**
     * @param into where to
     * @param headRoomBytes free space of the landing area's file system that transfers may not take
     * @param rebind whether the data directory and the target directory are bound to each other even if one belonged to another
     */
    public record Delivery(Destination into, long headRoomBytes, boolean rebind) {
        /** Into a directory, with the usual head-room. */
        public static Delivery into(Path directory) {
            return new Delivery(new Destination.Directory(directory), LandingOptions.DEFAULT_HEADROOM_BYTES, false);
        }
    }

    /**
     * Bounds of the fragment buffers.
     *
     * @param fragmentSizeBytes the largest fragment that agent-b takes
     * @param buffers fragments in memory at once
     */
    public record Memory(int fragmentSizeBytes, int buffers) {}
}
