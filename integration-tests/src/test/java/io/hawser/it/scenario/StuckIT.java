package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.Program;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every state in which something accepted does not move: each node that holds it shows why; where a person must act there is a warning and
 * a metric; after the command, or when the cause is gone, it is delivered. docs/how-to/find-out-why-a-transfer-does-not-move.md has the table.
 */
@Tag("full")
@Invariant(InvariantName.NO_SILENT_STOP)
class StuckIT extends StuckScenario {
    private static final String AWAITS_RECEIPT =
            "the broker has it; the final receipt has yet to come from " + ProcessChain.SUBSCRIPTION;

    @Test
    void whatWaitsForANodeSaysForWhichAndGoesOnWhenThatIsThere() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);

        Path unclaimed = sample("unclaimed", 3 * MIB, 1);
        upload(unclaimed, "unclaimed");
        upload(sample("mistake", 10, 2), "mistake");
        shows(Part.BROKER, "unclaimed", UPLINK, "no subscription has come for it yet");
        shows(Part.AGENT_A, "unclaimed", UPLINK, "no subscription has come for it yet");
        for (Part part : new Part[] {Part.BROKER, Part.AGENT_A}) {
            warns(part, "stalled.unclaimed", "2 accepted transfers", "--subscribe", "hawser drop");
            counts(part, stalled("unclaimed"), 2);
        }
        assertThat(command(Part.BROKER, "drop", key("mistake"))).contains("dropped: mistake on " + ProcessChain.TOPIC);
        await("the receipt").until(() -> receipts("mistake", "expired") == 1);
        chain.start(Part.AGENT_B);
        awaitDelivered(unclaimed, "unclaimed");
        hasNoWarning(Part.BROKER);
        hasNoWarning(Part.AGENT_A);

        assertThat(chain.stop(Part.AGENT_B)).isZero();
        Path owed = sample("owed", 3 * MIB, 3);
        upload(owed, "owed");
        upload(sample("unwanted", 3 * MIB, 4), "unwanted");
        shows(Part.BROKER, "owed", DOWNLINK, NO_CONSUMER);
        shows(Part.AGENT_A, "owed", UPLINK, AWAITS_RECEIPT);
        warns(Part.BROKER, "stalled.subscription", "2 accepted transfers", NO_CONSUMER, "hawser subscriptions remove");
        counts(Part.BROKER, stalled("subscription"), 2);
        command(Part.BROKER, "drop", key("unwanted"));
        await("the receipt").until(() -> receipts("unwanted", "expired") == 1);
        chain.start(Part.AGENT_B);
        awaitDelivered(owed, "owed");

        chain.kill(Part.BROKER);
        Path spooled = sample("spooled", 3 * MIB, 5);
        upload(spooled, "spooled");
        shows(Part.AGENT_A, "spooled", UPLINK, "no session with the broker: ");
        warns(Part.AGENT_A, "broker.away", "Start the broker");
        warns(Part.AGENT_B, "broker.away", "Start the broker");
        counts(Part.AGENT_A, stalled("broker-away"), 1);
        chain.start(Part.BROKER);
        awaitDelivered(spooled, "spooled");

        Path cut = sample("cut", 4 * MIB, 6);
        try (Curl curl = Curl.uploadPart(chain.ftp(), cut, "cut", 3 * MIB)) {
            awaitHop(Part.BROKER, "cut", UPLINK, hop -> hop.bytes().durableBytes() > MIB);
            curl.kill();
        }
        shows(Part.AGENT_A, "cut", HopStatus.CLIENT_TO_AGENT, "the client broke off and has not come back");
        shows(Part.AGENT_A, "cut", UPLINK, "its upload broke off and has not resumed");
        shows(Part.BROKER, "cut", UPLINK, "more of it has yet to come from its publisher");
        upload(cut, "cut");
        awaitDelivered(cut, "cut");
        for (Part part : Part.values()) {
            hasNoWarning(part);
        }
        assertThat(visible(chain.target())).containsExactly("cut", "owed", "spooled", "unclaimed");
    }

    @Test
    void whatLacksRoomOrARightSaysWhichAndGoesOnWhenTheOperatorGivesIt() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        Path acl = Files.writeString(directory.resolve("acl"), "* all *\nagent-a bytes=4MiB *\n");
        chain.with(Part.BROKER, "--acl", acl.toString());
        chain.withTls(keys);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        upload(sample("first", 3 * MIB, 1), "first");
        awaitHop(Part.AGENT_A, "first", UPLINK, hop -> hop.state().equals("committed"));

        Path second = sample("second", 3 * MIB, 2);
        upload(second, "second");
        // A mode needs no room, so all that it can wait for is its turn.
        String agentA = "ftp://127.0.0.1:" + chain.ftp().port() + "/";
        Program.run(directory, "curl", "-sS", "-I", "-Q", "SITE CHMOD 640 second", agentA)
                .succeeded();
        String quota = "of the quota of agent-a on *";
        shows(Part.AGENT_A, "second", UPLINK, quota);
        shows(Part.BROKER, "second", UPLINK, quota);
        warns(Part.AGENT_A, "stalled.no-space", "the quota of agent-a on *", "hawser quotas");
        warns(Part.BROKER, "stalled.no-space", "the quota of agent-a on *", "hawser quotas");
        shows(Part.AGENT_A, "second", UPLINK, "it waits for an earlier transfer of its path, ");
        warns(Part.AGENT_A, "stalled.path-order", "1 accepted transfer", "hawser status");
        counts(Part.AGENT_A, stalled("path-order"), 1);
        Path newer = sample("newer", 100, 3);
        upload(newer, "second");
        await("the metric").until(() -> !page(Part.AGENT_A, "/metrics").contains(stalled("no-space") + " 0.0"));
        await("the metric").until(() -> !page(Part.BROKER, "/metrics").contains(stalled("no-space") + " 0.0"));
        rights(acl, "* all *\nagent-a bytes=40MiB *\n");
        chain.start(Part.AGENT_B);
        await("the newer of both")
                .until(() -> Files.exists(delivered("second")) && Files.mismatch(delivered("second"), newer) == -1);

        // Accepted while nobody could ask the broker.
        chain.kill(Part.BROKER);
        Path third = sample("third", 3 * MIB, 4);
        upload(third, "third");
        rights(acl, "agent-b all *\n");
        chain.start(Part.BROKER);
        String right = "has no right to publish on topic " + ProcessChain.TOPIC;
        shows(Part.AGENT_A, "third", UPLINK, right);
        warns(Part.AGENT_A, "without-right", "1 accepted transfer waits", "hawser status");
        counts(Part.AGENT_A, "hawser_spool_transfers_without_right", 1);
        rights(acl, "* all *\n");
        awaitDelivered(third, "third");
        hasNoWarning(Part.AGENT_A);
        hasNoWarning(Part.BROKER);
    }

    private static void rights(Path acl, String rules) throws IOException {
        Path next = Files.writeString(acl.resolveSibling("acl.next"), rules);
        Files.move(next, acl, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void whatAFarServerDoesNotTakeSaysWhyAndIsTriedAgainOrDroppedByCommand() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            server.kill();
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();
            Path away = sample("away", 3 * MIB, 1);
            upload(away, "away");
            shows(Part.AGENT_B, "away", DOWNLINK, "cannot connect");
            shows(Part.BROKER, "away", DOWNLINK, "the far end has it and cannot deliver it: ");
            await("the reason at agent-a").until(() -> chain.status(Part.AGENT_A, "away").stream()
                    .flatMap(status -> status.receipts().stream())
                    .anyMatch(receipt -> receipt.status().equals("landed")
                            && receipt.reason().contains("cannot connect")));
            warns(Part.AGENT_B, "stalled.target", "1 accepted transfer", "cannot connect");
            warns(Part.AGENT_B, "into.problem", "cannot connect");
            counts(Part.AGENT_B, stalled("target"), 1);
            server.restart();
            Path there = server.root().resolve("in/away");
            await("the file at the far server").until(() -> Files.exists(there));
            assertThat(Files.mismatch(away, there)).isEqualTo(-1);
            hasNoWarning(Part.AGENT_B);

            assertThat(chain.stop(Part.AGENT_B)).isZero();
            server.kill();
            chain.with(Part.AGENT_B, "--into-deadline", "1s").start(Part.AGENT_B);
            Path dead = sample("dead", 3 * MIB, 2);
            upload(dead, "dead");
            warns(Part.AGENT_B, "dead-letters", "hawser dead list");
            counts(Part.AGENT_B, "hawser_landing_dead_letters", 1);
            shows(Part.AGENT_B, "dead", DOWNLINK, "cannot connect");
            shows(Part.BROKER, "dead", DOWNLINK, "a dead letter at the far end: ");
            server.restart();
            command(Part.AGENT_B, "dead", "retry", "--all");
            Path late = server.root().resolve("in/dead");
            await("the file at the far server").until(() -> Files.exists(late));
            assertThat(Files.mismatch(dead, late)).isEqualTo(-1);
            await("the receipt").until(() -> receipts("dead", "delivered") == 1);
            hasNoWarning(Part.AGENT_B);

            server.kill();
            upload(sample("given-up", MIB, 3), "given-up");
            warns(Part.AGENT_B, "dead-letters", "hawser dead list");
            assertThat(command(Part.AGENT_B, "drop", "--name", "given*", "--dry-run"))
                    .contains("would be dropped: given-up");
            assertThat(command(Part.AGENT_B, "drop", "--state", "dead")).contains("dropped: given-up");
            await("the receipt").until(() -> receipts("given-up", "failed") == 1);
            counts(Part.AGENT_B, "hawser_landing_dead_letters", 0);
        }
    }

    @Test
    void whatOnlyADeadMemberMayDeliverWaitsForItOrForTheOperatorsWord() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            chain.into("ftp://127.0.0.1:" + nobody.getLocalPort() + "/in")
                    .withEnvironment(Part.AGENT_B, Map.of("HAWSER_MEMBER", "w1"));
        }
        chain.start(Part.AGENT_B);
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "file");
        await("its permit").until(() -> page(Part.BROKER, "/subscriptions").contains("\"pinnedTransfers\" : 1"));
        chain.kill(Part.AGENT_B);
        shows(Part.BROKER, "file", DOWNLINK + "/w1", "only its member w1 may deliver it, which is not connected");
        shows(Part.AGENT_A, "file", UPLINK, AWAITS_RECEIPT);
        warns(Part.BROKER, "stalled.member-away", "only its member w1 may deliver it", "hawser subscriptions lost");
        counts(Part.BROKER, stalled("member-away"), 1);

        command(Part.BROKER, "subscriptions", "lost", ProcessChain.SUBSCRIPTION, "w1");
        chain.into("")
                .at(Part.AGENT_B, directory.resolve("w2"))
                .withEnvironment(Part.AGENT_B, Map.of("HAWSER_MEMBER", "w2"))
                .start(Part.AGENT_B);
        awaitDelivered(source, "file");
        await("the receipt").until(() -> receipts("file", "delivered") == 1);
        hasNoWarning(Part.BROKER);
    }
}
