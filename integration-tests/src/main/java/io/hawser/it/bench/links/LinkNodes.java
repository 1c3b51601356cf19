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
 * of streams, without a flag that tunes anything. agent-a gives the final reply when a file is delivered.
 *
 * <p>Thread: one; {@link #close} any.
 */
final class LinkNodes implements AutoCloseable {
    private static final String TOPIC = "site-b";

    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<String> security;
    private final HostPort broker;
    private final HostPort ftp;

    /** @param streams what agent-a is told of its streams; empty for nothing */
    LinkNodes(Wan wan, Path directory, String streams) throws IOException {
        this(wan, directory, streams, null);
    }

    /** The same with mutual TLS between the nodes, if there are keys for it. */
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
            ftp = start(wan, directory, Site.LEFT, NodeProcess.NODE_OPTIONS, agentA)
                    .address("ftp");
        } catch (IOException | RuntimeException e) {
            close();
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

    /** Where FTP clients at the left end connect. */
    HostPort ftp() {
        return ftp;
    }

    /** Where programs at the left end connect. */
    HostPort broker() {
        return broker;
    }

    /** The topic that they send to. */
    static String topic() {
        return TOPIC;
    }

    @Override
    public void close() {
        nodes.forEach(NodeProcess::kill);
    }
}
