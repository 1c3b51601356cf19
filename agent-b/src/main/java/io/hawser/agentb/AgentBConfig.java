package io.hawser.agentb;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.tls.NodeTls;
import io.hawser.ops.observe.Oversight;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.landing.LandingOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent-b is told.
 *
 * @param brokers where the broker listens
 * @param data its data directory: identity and lock
 * @param topic what it subscribes to
 * @param subscription the name of its subscription
 * @param startAt where the subscription starts if it is new
 * @param terms on which it has the subscription
 * @param into where it delivers
 * @param serve what the near edge may list and read; empty for nothing
 * @param ptcp how sessions are dialled
 * @param fragmentSizeBytes the largest fragment that it takes
 * @param buffers fragments in memory at once
 * @param admin where the admin pages are, or empty for none
 * @param oversight token of the admin pages, and audit log
 * @param adminTls keys of the admin pages, and of the sessions if {@code ptcp} has any; null for plain HTTP
 * @param headRoomBytes free space of the landing area's file system that transfers may not take
 * @param rebind whether its data directory and its target directory are bound to each other whatever they belonged to
 */
public record AgentBConfig(
        List<HostPort> brokers,
        Path data,
        Topic topic,
        String subscription,
        StartAt startAt,
        SubscriptionTerms terms,
        Destination into,
        Optional<Served> serve,
        PtcpOptions ptcp,
        int fragmentSizeBytes,
        int buffers,
        Optional<HostPort> admin,
        @Nullable NodeTls adminTls,
        Oversight oversight,
        long headRoomBytes,
        boolean rebind) {
    public AgentBConfig {
        brokers = List.copyOf(brokers);
    }

    /** From now on, without terms, a token and an audit log. */
    public AgentBConfig(
            List<HostPort> brokers,
            Path data,
            Topic topic,
            String subscription,
            Destination into,
            Optional<Served> serve,
            PtcpOptions ptcp,
            int fragmentSizeBytes,
            int buffers,
            Optional<HostPort> admin,
            @Nullable NodeTls adminTls) {
        this(
                brokers,
                data,
                topic,
                subscription,
                StartAt.NOW,
                SubscriptionTerms.NONE,
                into,
                serve,
                ptcp,
                fragmentSizeBytes,
                buffers,
                admin,
                adminTls,
                Oversight.NONE,
                LandingOptions.DEFAULT_HEADROOM_BYTES,
                false);
    }
}
