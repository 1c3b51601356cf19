package io.hawser.release.demo;

import io.hawser.core.config.Config;
import io.hawser.kafkatestkit.KafkaCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;

/**
 * The Kafka of a demo: three nodes of its own, or a cluster that the user has named, in which it leaves nothing behind.
 *
 * <p>Thread: main; {@link #end} any.
 */
final class DemoKafka implements AutoCloseable {
    private static final int NODES = 3;
    private static final long REMOVAL_SECONDS = 30;

    private final Optional<KafkaCluster> cluster;
    private final String bootstrap;
    private final Optional<Path> properties;
    private final String name = "hawser-demo-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    private final PrintWriter out;

    private DemoKafka(Optional<KafkaCluster> cluster, String bootstrap, Optional<Path> properties, PrintWriter out) {
        this.cluster = cluster;
        this.bootstrap = bootstrap;
        this.properties = properties;
        this.out = out;
    }

    static DemoKafka begin(Path directory, Optional<String> bootstrap, Optional<Path> properties, PrintWriter out)
            throws IOException, InterruptedException {
        if (bootstrap.isPresent()) {
            return new DemoKafka(Optional.empty(), bootstrap.get(), properties, out);
        }
        out.println("Starting three nodes of Kafka");
        out.flush();
        KafkaCluster own = KafkaCluster.start(Files.createDirectories(directory), NODES);
        return new DemoKafka(Optional.of(own), own.bootstrap(), Optional.empty(), out);
    }

    /** The nodes, if they are the demo's own. */
    Optional<KafkaCluster> cluster() {
        return cluster;
    }

    /** What the brokers are told. */
    List<String> storeOptions() {
        List<String> options =
                new ArrayList<>(List.of("--store", "kafka", "--kafka-bootstrap", bootstrap, "--kafka-name", name));
        properties.ifPresent(file -> options.addAll(List.of("--kafka-properties", file.toString())));
        return options;
    }

    void end() {
        cluster.ifPresent(KafkaCluster::close);
    }

    @Override
    public void close() {
        end();
        if (cluster.isEmpty()) {
            removeTopics();
        }
    }

    private void removeTopics() {
        Map<String, Object> settings = new HashMap<>();
        properties.ifPresent(file -> settings.putAll(Config.readFile(file)));
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        List<String> topics = List.of(name + "-journal", name + "-payload");
        try (Admin admin = Admin.create(settings)) {
            admin.deleteTopics(topics).all().get(REMOVAL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            out.println("The topics " + String.join(" and ", topics) + " could not be removed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
