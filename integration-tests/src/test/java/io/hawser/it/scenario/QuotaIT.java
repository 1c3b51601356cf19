package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an operator gives a tenant holds, is told of, and changes without a restart. */
@Tag("full")
class QuotaIT extends Scenario {
    private static final String UPLINK = HopStatus.PUBLISHER_TO_BROKER;

    private String quotas() throws Exception {
        String admin = chain.admin(Part.BROKER).orElseThrow().toString();
        return CommandRun.of("quotas", "--admin", admin)
                .succeeded()
                .out()
                .lines()
                .filter(line -> line.contains(" on ")) // the others are of principals
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private CommandRun send(Path file, Path tls) throws Exception {
        return CommandRun.of(
                "send",
                file.toString(),
                "--to",
                ProcessChain.TOPIC,
                "--wait",
                "brokered",
                "--broker",
                chain.brokerPtcp().toString(),
                "--state",
                directory.resolve("state-" + tls.getFileName()).toString(),
                "--tls",
                tls.toString());
    }

    @Test
    void oneTenantWaitsForItsQuotaWhileAnotherGoesOnAndItsOperatorCanRaiseItWithoutARestart() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        Path paris = directory.resolve("paris");
        CommandRun.of("keys", "add", keys.toString(), paris.toString(), "--role", "client", "--name", "paris")
                .succeeded();
        String rights = "* all *\n";
        Path acl = Files.writeString(
                directory.resolve("acl"), rights + "agent-a bytes=8MiB " + ProcessChain.TOPIC + "\n* transfers=3 *\n");
        chain.with(Part.BROKER, "--acl", acl.toString());
        chain.withTls(keys);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);

        upload(sample("first", 5 * MIB, 1), "first");
        awaitHop(Part.AGENT_A, "first", UPLINK, hop -> hop.state().equals("committed"));
        Path second = sample("second", 5 * MIB, 2);
        upload(second, "second");
        awaitHop(Part.AGENT_A, "second", UPLINK, hop -> hop.state().equals("refused"));
        assertThat(said("second"))
                .contains("held back: NO_SPACE", "of the quota of agent-a on " + ProcessChain.TOPIC, "8,388,608 bytes");
        Path other = sample("other", 5 * MIB, 3);
        send(other, paris).succeeded();
        // What came of the second, whose size is not known before its end, fills the quota.
        String used = "agent-a on " + ProcessChain.TOPIC
                + "  8 MiB of 8 MiB  2 transfers\n* on *  13 MiB  3 of 3 transfers\n";
        await("all that fits").until(() -> quotas().equals(used));

        chain.kill(Part.BROKER);
        chain.start(Part.BROKER);
        awaitHop(Part.AGENT_A, "second", UPLINK, hop -> hop.state().equals("refused"));
        assertThat(quotas()).isEqualTo(used);

        Files.writeString(acl, rights + "agent-a bytes=12MiB " + ProcessChain.TOPIC + "\n* transfers=3 *\n");
        awaitHop(Part.AGENT_A, "second", UPLINK, hop -> hop.state().equals("committed"));
        upload(sample("fourth", 100, 4), "fourth");
        awaitHop(Part.AGENT_A, "fourth", UPLINK, hop -> hop.state().equals("refused"));
        assertThat(said("fourth")).contains("of the quota of * on *", "3 transfers are there");

        chain.start(Part.AGENT_B);
        awaitDelivered(second, "second");
        awaitDelivered(other, "other");
        awaitDelivered(directory.resolve("fourth"), "fourth");
        await("what is given back")
                .until(() -> quotas().contains("agent-a on " + ProcessChain.TOPIC + "  0 B of 12 MiB  0 "));
    }

    /** What the status command says of a transfer at agent-a. */
    private String said(String name) throws Exception {
        String admin = chain.admin(Part.AGENT_A).orElseThrow().toString();
        return CommandRun.of("status", name, "--admin", admin).succeeded().out();
    }
}
