package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** An oracle, and deliveries to both targets that are made by hand, right or damaged. The publisher's name is {@code p}. Thread: one. */
final class PlantedDeliveries implements AutoCloseable {
    private final Violations violations = Violations.silent();
    private final Map<String, Publications> publications = new LinkedHashMap<>();
    private final Deployment deployment;
    private final Ledger ledger;

    PlantedDeliveries(Path directory) throws IOException {
        deployment = new Deployment(
                directory.resolve("nodes"),
                Set.of(),
                String.valueOf(AgentFlags.STREAMS.defaultText()),
                Settings.Store.LOCAL);
        ledger = new Ledger(directory.resolve("ledger"));
        for (String b : Deployment.SUBSCRIPTIONS) {
            publications.put(
                    b, new Publications(b, deployment.target(b), List.of("p"), ledger, violations, new Pulse()));
        }
    }

    /** Sends a new version, and nothing acknowledges it. */
    Ledger.Version sent(String path, String content) {
        Ledger.Version version = ledger.version(path, content.getBytes(StandardCharsets.UTF_8));
        ledger.attempt(version);
        return version;
    }

    /** Sends a new version, which is acknowledged. */
    Ledger.Version acked(String path, String content) {
        Ledger.Version version = sent(path, content);
        ledger.acked(version);
        return version;
    }

    /** The same, and it arrives at both. */
    Ledger.Version delivered(String path, String content) throws IOException {
        Ledger.Version version = acked(path, content);
        publishAtBoth(path, content);
        return version;
    }

    void sentAgain(Ledger.Version version) {
        ledger.attempt(version);
    }

    void publishAtBoth(String path, String content) throws IOException {
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            publish(subscription, path, content);
        }
    }

    /** Renames a file as agent-b does, and waits until it was looked at. */
    void publish(String subscription, String path, String content) throws IOException {
        Publications seen = publications.get(subscription);
        if (seen == null) {
            throw new IllegalArgumentException(subscription);
        }
        int before = seen.looks();
        Path part = deployment.target(subscription).resolve(".hawser-part");
        Files.writeString(part, content);
        Files.move(part, target(subscription).resolve(path), StandardCopyOption.ATOMIC_MOVE);
        Awaitility.await()
                .atMost(TestTimes.LIMIT)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> seen.looks() > before);
    }

    Path target(String subscription) {
        return deployment.target(subscription);
    }

    /** The kinds of violations that the oracle finds. */
    Set<String> judge() throws IOException {
        new Oracle(deployment, ledger, publications, violations).judge();
        return violations.all().keySet();
    }

    @Override
    public void close() throws IOException {
        for (Publications seen : publications.values()) {
            seen.close();
        }
        deployment.close();
    }
}
