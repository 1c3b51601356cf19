package io.hawser.release.demo;

import io.hawser.core.config.ByteSize;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.TwoBrokerChain;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Watches one transfer by the admin pages of agent-a and of the broker that serves.
 *
 * <pre>
 *    9.0 s  client 128 MiB | broker 1 120 MiB replicated | agent-b 119 MiB
 * </pre>
 *
 * <p>Thread: one.
 */
final class KafkaWatch extends DemoWatch {
    private final TwoBrokerChain nodes;
    private final String name;
    private int serving;

    KafkaWatch(TwoBrokerChain nodes, String name, PrintWriter out) {
        super(out);
        this.nodes = nodes;
        this.name = name;
    }

    /** From now on another broker serves, which has said nothing yet. */
    void serving(int broker) {
        serving = broker;
        received = null;
        downlink = null;
    }

    @Override
    void poll() {
        uplink = nodes.uplink(name).orElse(uplink);
        received = nodes.received(serving, name).orElse(received);
        downlink = nodes.downlink(serving, name).orElse(downlink);
    }

    @Override
    String progress() {
        return String.format(
                Locale.ROOT,
                "| broker %d %9s replicated%s | agent-b %9s",
                serving + 1,
                ByteSize.human(brokerBytes()),
                nodes.isReady(serving) ? "" : " (does not serve yet)",
                ByteSize.human(agentBBytes()));
    }

    /** The hop from agent-a to the broker, as agent-a sees it: all of it in one run, whichever broker it was. */
    HopStatus uplink() {
        return known(uplink);
    }

    /** The hop to agent-b, as the broker sees it that serves, and for as long as that has served. */
    HopStatus downlink() {
        return known(downlink);
    }

    private static HopStatus known(@Nullable HopStatus hop) {
        if (hop == null) {
            throw new DemoFailedException("a node does not say how the transfer stands");
        }
        return hop;
    }
}
