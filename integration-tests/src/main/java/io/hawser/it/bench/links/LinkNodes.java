package io.hawser.it.bench.links;

import io.hawser.core.config.HostPort;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * agent-a at the left end of a link, the broker and agent-b at the right one, with the launcher's options and, where nothing is said
 * of streams, without a flag that tunes anything; and their client at the left end. agent-a gives the final reply when a file is
 * delivered.
 *
 * <p>Thread: one; {@link #close} any.
 */
final class LinkNodes implements AutoCloseable {
    /** The topic that the client sends to. */
    static final String TOPIC = "site-b";

    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<String> security;
    private final HostPort broker;
    private final LinkClient client;

    /**
     * @param streams what agent-a is told of its streams; empty for nothing
     * @param keys for mutual TLS between the nodes; null for none
     */
    LinkNodes(Wan wan, Path directory, String streams, @Nullable Path keys) throws IOException {
        this.security = keys == null ? List.of() : List.of("--tls", keys.toString());
        Path target = Files.createDirectories(directory.resolve("delivered"));
        try {
            broker = start(wan, directory, Site.RIGHT, NodeProcess.BROKER_OPTIONS, brokerCommand(directory))
                    .address("ptcp");
            List<String> agentB = agentCommand("agent-b", "--data", directory);
            agentB.addAll(List.of("--subscribe", TOPIC, "--into", target.toString(), "--name", "b"));
            start(wan, directory, Site.RIGHT, NodeProcess.NODE_OPTIONS, agentB);
            List<String> agentA = agentCommand("agent-a", "--spool", directory);
            agentA.addAll(List.of("--ftp", "127.0.0.1:0", "--to", TOPIC, "--custody", "delivered"));
            if (!streams.isEmpty()) {
                agentA.addAll(List.of("--streams", streams));
            }
            HostPort ftp = start(wan, directory, Site.LEFT, NodeProcess.NODE_OPTIONS, agentA)
                    .address("ftp");
            client = new LinkClient(wan, ftp, broker, directory);
        } catch (IOException | RuntimeException e) {
            nodes.forEach(NodeProcess::kill);
            throw e;
        }
    }

    private List<String> brokerCommand(Path directory) {
        List<String> words =
                new ArrayList<>(List.of("broker", "--listen", Site.RIGHT.address() + ":0", "--admin", "off"));
        words.addAll(security.isEmpty() ? List.of("--insecure") : security);
        words.addAll(List.of("--data", directory.resolve("broker").toString()));
        return words;
    }

    private List<String> agentCommand(String name, String dataFlag, Path directory) {
        List<String> words = new ArrayList<>(List.of(name, "--broker", broker.toString(), "--admin", "off"));
        words.addAll(security);
        words.addAll(List.of(dataFlag, directory.resolve(name).toString()));
        return words;
    }

    private NodeProcess start(Wan wan, Path directory, Site site, List<String> options, List<String> command)
            throws IOException {
        Path log = directory.resolve(command.get(0) + ".log");
        NodeProcess node = NodeProcess.start(log, wan.at(site), options, wan.environment(), command);
        nodes.add(node);
        return node;
    }

    LinkClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        nodes.forEach(NodeProcess::kill);
    }
}
