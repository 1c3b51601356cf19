package io.hawser.release.up;

import io.hawser.agenta.AgentA;
import io.hawser.agenta.AgentAConfig;
import io.hawser.agentb.AgentB;
import io.hawser.agentb.AgentBConfig;
import io.hawser.broker.Broker;
import io.hawser.broker.BrokerConfig;
import io.hawser.broker.admin.RetryingEnd;
import io.hawser.core.config.HostPort;
import io.hawser.ops.cli.Node;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Three nodes as one. They are stopped in the reverse order of their start. Thread: any. */
final class InProcessChain implements Node {
    private final Deque<Node> nodes = new ArrayDeque<>();
    private final CompletableFuture<Void> failure = new CompletableFuture<>();

    private @Nullable AgentB far;

    private InProcessChain() {}

    static InProcessChain start(
            BrokerConfig brokerConfig, Function<HostPort, AgentAConfig> agentA, Function<HostPort, AgentBConfig> agentB)
            throws Exception {
        InProcessChain chain = new InProcessChain();
        try {
            Broker broker = Broker.start(brokerConfig);
            chain.add(broker);
            HostPort address = HostPort.parse(broker.addresses()
                    .getOrDefault("ptcp", brokerConfig.listen().toString()));
            AgentB far = AgentB.start(agentB.apply(address));
            chain.add(far);
            chain.far = far;
            AgentA front = AgentA.start(agentA.apply(address));
            chain.add(front);
            broker.showsAlso(List.of(front, far));
            broker.retryAt(new RetryingEnd(far.addresses().getOrDefault("subscription", ""), far.steering()));
            return chain;
        } catch (IOException | RuntimeException e) {
            chain.stop();
            throw e;
        }
    }

    private void add(Node node) {
        nodes.push(node);
        var unused = node.failure().whenComplete((nothing, cause) -> {
            if (cause != null) {
                failure.completeExceptionally(cause);
            }
        });
    }

    @Override
    public Map<String, String> addresses() {
        Map<String, String> all = new LinkedHashMap<>();
        nodes.forEach(node -> node.addresses().forEach(all::putIfAbsent));
        return all;
    }

    @Override
    public CompletionStage<Void> ready() {
        return Objects.requireNonNull(far).ready();
    }

    @Override
    public String waitsFor() {
        return Objects.requireNonNull(far).waitsFor();
    }

    @Override
    public CompletionStage<Void> failure() {
        return failure;
    }

    @Override
    public void stop() throws Exception {
        while (!nodes.isEmpty()) {
            nodes.pop().stop();
        }
    }
}
