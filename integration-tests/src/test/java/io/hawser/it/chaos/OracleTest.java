package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.cli.AgentKeys;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle sees each kind of damage: what it is to find is done here by hand. */
class OracleTest {
    @TempDir
    private Path directory;

    private final Violations violations = new Violations("control");
    private final Map<String, Publications> publications = new LinkedHashMap<>();
    private Deployment deployment;
    private Journal journal;

    @BeforeEach
    void open() throws IOException {
        deployment = new Deployment(
                directory.resolve("nodes"),
                Set.of(),
                String.valueOf(AgentKeys.STREAMS.defaultText()),
                Settings.Store.LOCAL);
        journal = new Journal(directory.resolve("journal"));
        for (String b : Deployment.SUBSCRIPTIONS) {
            publications.put(
                    b, new Publications(b, deployment.target(b), List.of("p"), journal, violations, new Pulse()));
        }
    }

    @AfterEach
    void close() throws IOException {
        for (Publications seen : publications.values()) {
            seen.close();
        }
        deployment.close();
        journal.close();
    }

    @Test
    void whatArrivesOnceAndInOrderIsNoViolation() throws Exception {
        acked("p/u-1", "once");
        acked("p/o-1", "first version");
        publishAtBoth("p/u-1", "once");
        publishAtBoth("p/o-1", "first version");
        acked("p/o-1", "second version");
        publishAtBoth("p/o-1", "second version");
        assertThat(judge()).isEmpty();
        assertThat(deployment.target("b1").resolve("p/u-1")).as("taken away").doesNotExist();
    }

    @Test
    void whatIsMissingAtOneOfTwoIsLost() throws Exception {
        acked("p/u-1", "once");
        publish("b1", "p/u-1", "once");
        assertThat(judge()).containsOnlyKeys("lost");
    }

    @Test
    void whatComesAgainAfterItWasTakenAwayIsDuplicated() throws Exception {
        acked("p/u-1", "once");
        publishAtBoth("p/u-1", "once");
        publish("b2", "p/u-1", "once");
        assertThat(judge()).containsOnlyKeys("duplicated");
    }

    @Test
    void aPartIsCorrupt() throws Exception {
        acked("p/o-1", "whole");
        publishAtBoth("p/o-1", "whole");
        journal.attempt(journal.version("p/o-1", "another".getBytes(StandardCharsets.UTF_8)));
        publish("b1", "p/o-1", "anot");
        assertThat(judge()).containsOnlyKeys("corrupt");
    }

    @Test
    void whatNobodyAnnouncedIsCorrupt() throws Exception {
        publish("b1", "p/cut-1", "a part");
        assertThat(judge()).containsOnlyKeys("corrupt");
    }

    @Test
    void anEarlierVersionAfterALaterOneIsOutOfOrder() throws Exception {
        acked("p/o-1", "first version");
        acked("p/o-1", "second version");
        publishAtBoth("p/o-1", "second version");
        publishAtBoth("p/o-1", "first version");
        assertThat(judge()).containsOnlyKeys("order");
    }

    private void acked(String path, String content) {
        Journal.Version version = journal.version(path, content.getBytes(StandardCharsets.UTF_8));
        journal.attempt(version);
        journal.acked(version, "spooled");
    }

    private void publishAtBoth(String path, String content) throws IOException {
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            publish(subscription, path, content);
        }
    }

    /** As agent-b does it, and waits until it was looked at. */
    private void publish(String subscription, String path, String content) throws IOException {
        Publications seen = publications.get(subscription);
        int before = seen.looks();
        Path part = deployment.target(subscription).resolve(".hawser-part");
        Files.writeString(part, content);
        Files.move(part, deployment.target(subscription).resolve(path), StandardCopyOption.ATOMIC_MOVE);
        Awaitility.await().pollInterval(5, TimeUnit.MILLISECONDS).until(() -> seen.looks() > before);
    }

    private Map<String, List<String>> judge() throws IOException {
        new Oracle(deployment, journal, publications, violations).judge();
        return violations.all();
    }
}
