package io.hawser.release.demo;

import io.hawser.core.config.ByteSize;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Watches one transfer by the nodes' admin pages, and prints a line each second.
 *
 * <pre>
 *    4.0 s  client  64 MiB  | agent-a  63 MiB | broker  61 MiB | agent-b  60 MiB
 * </pre>
 *
 * <p>Thread: one.
 */
final class ChainWatch extends DemoWatch {
    private final ProcessChain chain;
    private final String name;

    private @Nullable HopStatus upload;
    private boolean delivered;

    ChainWatch(ProcessChain chain, String name, PrintWriter out) {
        super(out);
        this.chain = chain;
        this.name = name;
    }

    @Override
    void poll() {
        chain.status(Part.AGENT_A, name).ifPresent(status -> {
            upload = status.hop(HopStatus.CLIENT_TO_AGENT).orElse(upload);
            uplink = status.hop(HopStatus.PUBLISHER_TO_BROKER).orElse(uplink);
            delivered |= status.wasDelivered();
        });
        chain.status(Part.BROKER, name).ifPresent(status -> {
            received = status.hop(HopStatus.PUBLISHER_TO_BROKER).orElse(received);
            downlink = status.hop(HopStatus.toSubscription(ProcessChain.SUBSCRIPTION))
                    .orElse(downlink);
            delivered |= status.wasDelivered();
        });
    }

    @Override
    String progress() {
        return String.format(
                Locale.ROOT,
                "%s | %s | %s",
                part(Part.AGENT_A, durable(upload)),
                part(Part.BROKER, brokerBytes()),
                part(Part.AGENT_B, agentBBytes()));
    }

    /** The hop from agent-a to the broker, as agent-a sees it. */
    Optional<HopStatus> uplink() {
        return Optional.ofNullable(uplink);
    }

    /** The hop from the broker to agent-b, as the broker sees it. */
    Optional<HopStatus> downlink() {
        return Optional.ofNullable(downlink);
    }

    boolean delivered() {
        return delivered;
    }

    private String part(Part part, long bytes) {
        String state = chain.isRunning(part) ? "" : " (dead)";
        return String.format(Locale.ROOT, "%s %9s%s", part.command(), ByteSize.human(bytes), state);
    }
}
