package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser drill} on a chain of its own, and on one that runs: what it finds, and what it leaves alone. */
@Tag("full")
class DrillIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all
    private static ProcessChain chain;

    @BeforeAll
    static void startChain() throws IOException {
        chain = new ProcessChain(directory.resolve("chain")).startAll();
    }

    @AfterAll
    static void endChain() {
        chain.close();
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what)
                .atMost(TestTimes.scaled(Duration.ofMinutes(2)))
                .pollInterval(Duration.ofMillis(20));
    }

    private static String ftp() {
        return chain.ftp().toString();
    }

    private static List<String> canaries() throws IOException {
        try (Stream<Path> files = Files.list(chain.target())) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith(CanaryGenerator.PREFIX))
                    .toList();
        }
    }

    @Test
    void eachNodeOfItsOwnChainIsKilledAndNothingIsLost() throws Exception {
        Path data = directory.resolve("own");
        try (DrillRun drill = DrillRun.start(
                directory,
                "--times",
                "4",
                "--kill",
                "all",
                "--pause",
                "broker",
                "--every",
                "200ms",
                "--down",
                "100ms",
                "--size",
                "2MiB",
                "--dir",
                data.toString(),
                "--json",
                "-")) {
            JsonNode report = drill.report(0);

            assertThat(report.get("verdict").asText()).isEqualTo("HELD");
            assertThat(report.get("faults"))
                    .extracting(fault ->
                            fault.get("kind").asText() + " " + fault.get("node").asText())
                    .containsExactlyInAnyOrder("kill -9 agent-a", "kill -9 broker", "kill -9 agent-b", "stop broker");
            for (JsonNode fault : report.get("faults")) {
                assertThat(fault.get("nextMillis").isNumber())
                        .as(fault.toString())
                        .isTrue();
                assertThat(fault.get("readyMillis").isNumber())
                        .as(fault.toString())
                        .isEqualTo(fault.get("kind").asText().equals("kill -9"));
                assertThat(fault.get("boundBytes").asLong())
                        .as(fault.toString())
                        .isPositive();
            }
            assertThat(report.at("/canaries/delivered").asLong())
                    .isPositive()
                    .isEqualTo(report.at("/canaries/sent").asLong());
            assertThat(report.at("/canaries/duplicated").asLong()).isZero();
            assertThat(report.get("resent"))
                    .extracting(hop -> hop.get("creditBytes").asLong() > 0)
                    .hasSize(3)
                    .containsOnly(true);
        }
        assertThat(data).as("it leaves nothing behind").doesNotExist();
    }

    @Test
    void aCheckOfARunningChainIsOneLineAndLeavesNoCanaryBehind() throws Exception {
        try (DrillRun drill = DrillRun.start(
                directory, "--ftp", ftp(), "--broker", chain.brokerPtcp().toString(), "--topic", ProcessChain.TOPIC)) {
            assertThat(drill.ends(0))
                    .matches("hawser drill: ok: 10 canaries, .* each once and whole\n")
                    .contains("ftp://anonymous@" + ftp(), "broker " + chain.brokerPtcp());
            assertThat(drill.complaints()).isEmpty();
        }
        await("the far end is empty").until(() -> canaries().isEmpty());
    }

    @Test
    void aCheckWithoutFtpLooksIntoTheDirectoryAndCleansItUp() throws Exception {
        try (DrillRun drill = DrillRun.start(
                directory,
                "--broker",
                chain.brokerPtcp().toString(),
                "--topic",
                ProcessChain.TOPIC,
                "--into-dir",
                chain.target().toString(),
                "--canaries",
                "3")) {
            assertThat(drill.ends(0)).startsWith("hawser drill: ok: 3 canaries, ");
        }
        assertThat(canaries()).isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "hawser.big", matches = "true") // it waits for a minute
    void aNodeThatDoesNotComeBackMakesItFail() throws Exception {
        try (ProcessChain broken = new ProcessChain(directory.resolve("broken")).startAll();
                DrillRun drill = DrillRun.start(
                        directory,
                        "--ftp",
                        broken.ftp().toString(),
                        "--kill",
                        "broker",
                        "--times",
                        "1",
                        "--every",
                        "100ms",
                        "--wait",
                        "10s",
                        "--pid",
                        "broker=" + broken.node(Part.BROKER).pid(),
                        "--restart",
                        "broker=echo there is no such unit; exit 5")) {
            assertThat(drill.ends(1).replaceAll("\\s+", " "))
                    .contains(
                            "DID NOT HOLD broker did not come back, look after it:",
                            "ended with 5: there is no such unit")
                    .endsWith("NOT ALL HELD. ");
        }
    }

    @Test
    void aCheckOfWhatDoesNotRunCannotBegin() throws Exception {
        try (DrillRun drill = DrillRun.start(directory, "--ftp", "127.0.0.1:1")) {
            assertThat(drill.ends(3)).isEmpty();
            assertThat(drill.complaints())
                    .isEqualToIgnoringNewLines("hawser: the drill cannot begin, ftp://anonymous@127.0.0.1:1/ does not"
                            + " answer: Connection refused");
        }
    }

    /** Starts the broker anew whenever the drill's restart command asks for it, and then lets that command end. */
    private static Thread supervisor(Path pidFile, Path request) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            if (Files.exists(request)) {
                                chain.kill(Part.BROKER); // which it is already: forget the dead one
                                Files.writeString(
                                        pidFile,
                                        Long.toString(chain.start(Part.BROKER).pid()));
                                Files.delete(request);
                            }
                            Thread.sleep(10);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                "supervisor");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    void aBrokerThatItIsPointedAtIsKilledAndStartedByItsOwnCommand() throws Exception {
        Path pidFile = directory.resolve("broker.pid");
        Path request = directory.resolve("restart");
        long first = chain.node(Part.BROKER).pid();
        long agentA = chain.node(Part.AGENT_A).pid();
        Files.writeString(pidFile, Long.toString(first));
        Thread supervisor = supervisor(pidFile, request);
        try (DrillRun drill = DrillRun.start(
                directory,
                "--ftp",
                ftp(),
                "--kill",
                "broker",
                "--times",
                "2",
                "--every",
                "200ms",
                "--pid",
                "broker=cat " + pidFile,
                "--restart",
                "broker=touch " + request + "; while [ -e " + request + " ]; do sleep 0.05; done",
                "--admin",
                "broker=" + chain.admin(Part.BROKER).orElseThrow(),
                "--admin",
                "agent-a=" + chain.admin(Part.AGENT_A).orElseThrow())) {
            assertThat(drill.ends(0))
                    .contains("2 kill -9 broker", "sent again   agent-a -> broker", "0 lost, 0 duplicated, 0 corrupt")
                    .endsWith("\nAll held.\n");
        } finally {
            supervisor.interrupt();
            supervisor.join();
        }
        assertThat(chain.node(Part.BROKER).pid()).isNotEqualTo(first);
        assertThat(chain.node(Part.AGENT_A).pid()).isEqualTo(agentA);
        assertThat(chain.isRunning(Part.AGENT_A)).isTrue();
        await("the far end is empty").until(() -> canaries().isEmpty());
    }

    @Test
    void aProcessThatIsNotThatNodeIsNotKilled() throws Exception {
        long pid = chain.node(Part.AGENT_B).pid();
        try (DrillRun drill = DrillRun.start(
                directory,
                "--ftp",
                ftp(),
                "--kill",
                "broker",
                "--times",
                "1",
                "--pid",
                "broker=" + pid,
                "--restart",
                "broker=true")) {
            drill.ends(2);
            assertThat(drill.complaints())
                    .contains("process " + pid + " is not the broker but 'hawser agent-b'; nothing was done to it");
        }
        assertThat(chain.isRunning(Part.AGENT_B)).isTrue();
    }

    private String failure(UnaryOperator<byte[]> change, String name) throws Exception {
        Path shown = Files.createDirectories(directory.resolve(name));
        try (Mirror mirror = new Mirror(chain.target(), shown, change);
                DrillRun drill = DrillRun.start(
                        directory,
                        "--ftp",
                        ftp(),
                        "--into-dir",
                        mirror.shown().toString(),
                        "--canaries",
                        "3",
                        "--wait",
                        "15s")) {
            return drill.ends(1);
        }
    }

    @Test
    void aFileThatIsChangedAtTheFarEndMakesItFail() throws Exception {
        String said = failure(
                content -> {
                    if (content.length == 4 << 20) { // the first one
                        content[content.length / 2] ^= 4;
                    }
                    return content;
                },
                "changed");

        assertThat(said).contains("hawser drill: FAILED:", "differs from what was sent, first at byte 2097152");
    }

    @Test
    void aFileThatIsRemovedAtTheFarEndMakesItFail() throws Exception {
        AtomicInteger count = new AtomicInteger();
        String said = failure(content -> count.getAndIncrement() == 0 ? new byte[0] : content, "removed");

        assertThat(said).contains("hawser drill: FAILED:", "was not there 15 s after the last fault or canary");
    }

    @Test
    void aFarEndThatServesSomethingElseMakesItFailWithoutItsDirectory() throws Exception {
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
        try (ProcessChain lying = new ProcessChain(directory.resolve("lying"))
                        .with(Part.AGENT_B, "--serve", elsewhere.toString())
                        .startAll();
                DrillRun drill = DrillRun.start(
                        directory, "--ftp", lying.ftp().toString(), "--canaries", "2", "--wait", "15s", "--keep")) {
            assertThat(drill.ends(1))
                    .contains("hawser drill: FAILED:", "was reported as delivered, but the far end says: 550");
        }
    }

    @Test
    void ctrlCEndsInOrder() throws Exception {
        try (DrillRun drill = DrillRun.start(directory, "--ftp", ftp(), "--minutes", "10")) {
            await("canaries").until(() -> !canaries().isEmpty());
            drill.interrupt();
            assertThat(drill.ends(130))
                    .startsWith("hawser drill: interrupted: ")
                    .contains("delivered so far");
        }
        await("canaries are removed").until(() -> canaries().isEmpty());
    }

    @Test
    void ctrlCEndsTheNodesThatItHasStarted() throws Exception {
        Path data = directory.resolve("interrupted");
        try (DrillRun drill = DrillRun.start(directory, "--minutes", "10", "--dir", data.toString())) {
            await("three nodes").until(() -> drill.children().size() == 3);
            List<ProcessHandle> nodes = drill.children();
            Path delivered = data.resolve("delivered");
            await("a canary")
                    .until(() -> names(delivered).stream().anyMatch(n -> n.startsWith(CanaryGenerator.PREFIX)));
            drill.interrupt();
            assertThat(drill.ends(130)).contains("Interrupted; this is what was seen until then.");
            await("the nodes are gone").until(() -> nodes.stream().noneMatch(ProcessHandle::isAlive));
        }
        assertThat(data).doesNotExist();
    }

    private static List<String> names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? List.of() : Arrays.asList(names);
    }
}
