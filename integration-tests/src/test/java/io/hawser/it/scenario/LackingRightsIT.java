package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The broker's operator takes agent-a's right to a topic away, and gives it back: what was accepted waits, is asked for once in each
 * session, holds nobody back, and arrives. With real processes, mutual TLS and an ACL file.
 */
class LackingRightsIT extends Scenario {
    private static final String PLANS = "plans";
    private static final String BOTH = "agent-a publish,list,read site-b plans\nagent-b all site-b plans\n";
    private static final String ONE = "agent-a publish,list,read site-b\nagent-b all site-b plans\n";
    private static final String REASON = "has no right to publish on topic " + PLANS;

    private Path keys;
    private Path acl;
    private Path audit;
    private NodeProcess near;

    private NodeProcess agentA(HostPort ftp) throws IOException {
        return NodeProcess.start(
                directory.resolve("near.log"),
                List.of(
                        "agent-a",
                        "--broker",
                        chain.brokerPtcp().toString(),
                        "--spool",
                        directory.resolve("near").toString(),
                        "--ftp",
                        ftp.toString(),
                        "--admin",
                        "127.0.0.1:0",
                        "--tls",
                        keys.toString()));
    }

    private NodeProcess consumerOfPlans() throws IOException {
        return NodeProcess.start(
                directory.resolve("plans.log"),
                List.of(
                        "agent-b",
                        "--broker",
                        chain.brokerPtcp().toString(),
                        "--admin",
                        "off",
                        "--subscribe",
                        PLANS,
                        "--name",
                        PLANS,
                        "--into",
                        directory.resolve("into-plans").toString(),
                        "--data",
                        directory.resolve("data-plans").toString(),
                        "--tls",
                        keys.toString()));
    }

    private void startAll() throws Exception {
        startFar();
        near = agentA(new HostPort("127.0.0.1", 0));
    }

    private void startFar() throws Exception {
        keys = directory.resolve("keys");
        acl = Files.writeString(directory.resolve("acl"), BOTH);
        audit = directory.resolve("audit.log");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        chain.with(Part.BROKER, "--acl", acl.toString(), "--audit", audit.toString(), "--tls", keys.toString());
        chain.with(Part.AGENT_B, "--tls", keys.toString());
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
    }

    private void rights(String rules) throws IOException {
        Path next = Files.writeString(directory.resolve("acl.next"), rules);
        Files.move(next, acl, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private byte[] nearPage(String page, Map<String, String> query) {
        return new AdminClient(near.address("admin"), null, TestTimes.LIMIT).get(page, query);
    }

    private List<TransferStatus> transfers(String name) {
        try {
            return Json.read(nearPage("/transfers", Map.of("key", name, "limit", "100")), TransferPage.class)
                    .transfers();
        } catch (CommandException | IOException e) {
            return List.of();
        }
    }

    /** The first hop of what goes to the topic {@link #PLANS}. */
    private Optional<HopStatus> toBroker(String name) {
        return transfers(name).stream()
                .filter(transfer -> transfer.object().topic().equals(PLANS)
                        && transfer.object().name().equals(name))
                .flatMap(transfer -> transfer.hops().stream())
                .filter(hop -> hop.hop().equals(HopStatus.PUBLISHER_TO_BROKER))
                .findFirst();
    }

    private void awaitWaiting(String name) {
        await(name + " waits for the right").until(() -> toBroker(name)
                .filter(hop -> hop.reason().contains(REASON))
                .isPresent());
    }

    private void put(Path source, String path) throws Exception {
        try (Curl curl = Curl.upload(near.address("ftp"), source, path)) {
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
    }

    private void awaitPlans(Path source, String name) throws IOException {
        Path there = directory.resolve("into-plans").resolve(name);
        await(name + " at the far end").until(() -> Files.exists(there));
        assertThat(Files.mismatch(source, there)).isEqualTo(-1);
    }

    /** How many lines of the audit log have all of these. */
    private long notes(String... parts) throws IOException {
        return Files.readAllLines(audit).stream()
                .filter(line -> List.of(parts).stream().allMatch(line::contains))
                .count();
    }

    /** What curl was told last; it must have failed. */
    private String refusedCommand(String command) throws Exception {
        Process curl = new ProcessBuilder(
                        "curl", "-sS", "-v", "--list-only", "-Q", command, "ftp://" + near.address("ftp") + "/")
                .redirectErrorStream(true)
                .start();
        String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(curl.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(curl.exitValue()).as(said).isNotZero();
        return said;
    }

    @Test
    void whatWasAcceptedWaitsForTheRightAndGoesOnWhenItIsGiven() throws Exception {
        startAll();
        Path small = sample("small", 1000, 1);
        Path large = sample("large", 24 * MIB, 2);
        try (NodeProcess consumer = consumerOfPlans();
                Curl half = Curl.uploadPart(near.address("ftp"), large, PLANS + "/large", 12 * MIB)) {
            put(small, PLANS + "/before");
            awaitPlans(small, "before");
            await("a part of it at the broker").until(() -> toBroker("large")
                    .filter(hop -> hop.bytes().durableBytes() > 4 * MIB)
                    .isPresent());

            rights(ONE);
            awaitWaiting("large");
            half.resume();
            assertThat(half.await(LIMIT)).as("accepted to its end").isZero();
            List<String> names = new ArrayList<>(List.of("large"));
            for (int i = 0; i < 20; i++) {
                put(small, PLANS + "/s" + i);
                names.add("s" + i);
            }
            for (String name : names) {
                awaitWaiting(name);
            }
            put(small, ProcessChain.TOPIC + "/s3");
            awaitDelivered(small, "s3");
            // One that is just asked for again is not counted for that moment.
            await("all are counted").until(() -> new String(nearPage("/health", Map.of()), StandardCharsets.UTF_8)
                    .contains("21 accepted transfers wait for a right at the broker"));

            HostPort ftp = near.address("ftp");
            near.kill();
            near = agentA(ftp);
            for (String name : names) {
                awaitWaiting(name);
            }
            assertThat(notes("\"what\":\"publish\"", "\"result\":\"no right\""))
                    .as("each is asked for once in a session, not again and again")
                    .isLessThanOrEqualTo(names.size() * notes("\"what\":\"connect\""));
            assertThat(directory.resolve("into-plans/s0")).doesNotExist();

            rights(BOTH);

            awaitPlans(large, "large");
            for (String name : names.subList(1, names.size())) {
                awaitPlans(small, name);
            }
            await("no complaint").until(() -> !new String(nearPage("/health", Map.of()), StandardCharsets.UTF_8)
                    .contains("wait for a right"));
            assertThat(consumer.isAlive()).isTrue();
        } finally {
            near.close();
        }
    }

    /** docs/reference/access.md says so. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void anUploadIsRefusedIfTheBrokersRefusalComesBeforeItsEndAndWaitsOtherwise() throws Exception {
        startFar();
        rights(ONE);
        near = agentA(new HostPort("127.0.0.1", 0));
        Path small = sample("small", 1000, 1);
        Path large = sample("large", 24 * MIB, 2);
        try {
            try (Curl curl = Curl.upload(near.address("ftp"), large, PLANS + "/large", "--limit-rate", "1M")) {
                assertThat(curl.await(LIMIT)).as("refused in its middle").isNotZero();
            }
            put(small, PLANS + "/small");
            awaitWaiting("small");
            try (Curl curl = Curl.upload(near.address("ftp"), small, PLANS + "/announced", "-Q", "ALLO 1000")) {
                assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
            }
            awaitWaiting("announced");
        } finally {
            near.close();
        }
    }

    @Test
    void whatIsAnsweredWithARefusalIsNotDoneLater() throws Exception {
        startAll();
        Path small = sample("small", 1000, 1);
        try (NodeProcess consumer = consumerOfPlans()) {
            put(small, PLANS + "/first");
            awaitPlans(small, "first");
            // Not one of agent-a's own: what is done to those is accepted, and waits.
            Files.copy(small, directory.resolve("into-plans/kept"));

            assertThat(refusedCommand("DELE " + PLANS + "/kept"))
                    .contains("550 ")
                    .contains("has no right to delete on topic " + PLANS);
            await("the end of the deletion").until(() -> transfers("kept").stream()
                    .anyMatch(transfer -> transfer.object().kind().equals("delete")
                            && transfer.state().equals("cancelled")));
            rights(BOTH + "agent-a all plans\n");
            await("the session with all rights").until(() -> notes("\"what\":\"rights\"") > 0);
            put(small, PLANS + "/after");
            awaitPlans(small, "after");

            assertThat(directory.resolve("into-plans/kept")).hasSameBinaryContentAs(small);
            assertThat(consumer.isAlive()).isTrue();
        } finally {
            near.close();
        }
    }

    /** The ACL file says nothing of it, and nobody is restarted: files are put in the place of others. */
    @Test
    void aRightThatComesWithANewCertificateIsUsedByTheNodeThatRuns() throws Exception {
        startFar();
        rights("agent-b all site-b plans\n");
        Path central = keys;
        keys = named("keys-near", central, "publish,list,read=" + ProcessChain.TOPIC);
        Path next = named("keys-next", central, "publish,list,read=" + ProcessChain.TOPIC + "," + PLANS);
        near = agentA(new HostPort("127.0.0.1", 0));
        Path own = keys;
        keys = central;
        Path small = sample("small", 1000, 1);
        try (NodeProcess consumer = consumerOfPlans()) {
            put(small, PLANS + "/f");
            awaitWaiting("f");

            for (String file : List.of("agent-a.key", "agent-a.crt")) {
                Files.move(
                        next.resolve(file),
                        own.resolve(file),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }

            awaitPlans(small, "f");
            assertThat(near.isAlive()).isTrue();
            assertThat(consumer.isAlive()).isTrue();
        } finally {
            near.close();
        }
    }

    private Path named(String name, Path central, String allowed) throws Exception {
        Path target = directory.resolve(name);
        CommandRun.of(
                        "keys",
                        "add",
                        central.toString(),
                        target.toString(),
                        "--role",
                        "agent-a",
                        "--name",
                        "near",
                        "--allow",
                        allowed)
                .succeeded();
        return target;
    }
}
