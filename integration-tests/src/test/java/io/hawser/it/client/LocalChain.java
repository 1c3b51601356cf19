package io.hawser.it.client;

import io.hawser.agentb.AgentB;
import io.hawser.agentb.AgentBConfig;
import io.hawser.agentb.ServedLocation;
import io.hawser.broker.Broker;
import io.hawser.broker.BrokerConfig;
import io.hawser.broker.StoreOpener;
import io.hawser.broker.relay.RelayLimits;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.observe.SupervisionSettings;
import io.hawser.ptcp.PtcpOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A broker, and agents and clients for it, in this process. */
public final class LocalChain implements AutoCloseable {
    private static final int FRAGMENT_BYTES = 1 << 20;

    private final Path directory;
    private final LocalStoreConfig store;
    private Broker broker;
    private HostPort address = HostPort.parse("127.0.0.1:0");

    public LocalChain(Path directory) throws IOException {
        this(directory, LocalStoreConfig.defaults());
    }

    LocalChain(Path directory, LocalStoreConfig store) throws IOException {
        this.directory = directory;
        this.store = store;
        broker = startBroker();
    }

    private Broker startBroker() throws IOException {
        Broker started = Broker.start(new BrokerConfig(
                address,
                directory.resolve("broker"),
                StoreOpener.local(store),
                RelayLimits.DEFAULT,
                PtcpOptions.DEFAULT.withStreams(PtcpOptions.MAX_STREAMS),
                FRAGMENT_BYTES,
                16,
                0,
                8,
                Optional.of(HostPort.parse("127.0.0.1:0")),
                null,
                null,
                SupervisionSettings.NONE));
        address = HostPort.parse(Objects.requireNonNull(started.addresses().get("ptcp")));
        return started;
    }

    public HostPort address() {
        return address;
    }

    void stopBroker() {
        broker.stop();
    }

    void restartBroker() throws IOException {
        broker = startBroker();
    }

    public AgentB agentB(String topic, String subscription, Path into) throws IOException {
        return AgentB.start(new AgentBConfig(
                new AgentBConfig.BrokerLink(List.of(address), PtcpOptions.DEFAULT),
                directory.resolve("agent-b-" + subscription),
                new AgentBConfig.Subscription(new Topic(topic), subscription, StartAt.NOW, SubscriptionTerms.NONE),
                AgentBConfig.Delivery.into(into),
                Optional.of(new ServedLocation.Directory(into)),
                new AgentBConfig.Memory(FRAGMENT_BYTES, 16),
                AdminSettings.NONE));
    }

    /** Where the broker's admin pages are. */
    HostPort admin() {
        return HostPort.parse(Objects.requireNonNull(broker.addresses().get("admin")));
    }

    /** The names of the broker's subscriptions. */
    List<String> subscriptions() throws IOException {
        return Json.readList(new AdminClient(admin(), null).get("/subscriptions", Map.of()), SubscriptionStatus.class)
                .stream()
                .map(SubscriptionStatus::name)
                .toList();
    }

    HawserClient client(String name) throws IOException {
        return HawserClient.connect(options(name));
    }

    ClientOptions options(String name) {
        return ClientOptions.of(address.toString()).withState(directory.resolve("client-" + name));
    }

    @Override
    public void close() {
        broker.stop();
    }
}
