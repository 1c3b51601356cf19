package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every node keeps to: who may listen where, one process for a data directory, TLS, health, exit codes. */
class NodeRulesIT extends Scenario {
    private String[] on(Part part, String... more) {
        String data = chain.data(part).toString();
        List<String> command =
                switch (part) {
                    case BROKER -> List.of("broker", "--data", data, "--listen", "127.0.0.1:0", "--admin", "off");
                    case AGENT_A ->
                        List.of(
                                "agent-a",
                                "--spool",
                                data,
                                "--broker",
                                "127.0.0.1:1",
                                "--ftp",
                                "127.0.0.1:0",
                                "--admin",
                                "off");
                    case AGENT_B ->
                        List.of(
                                "agent-b",
                                "--data",
                                data,
                                "--broker",
                                "127.0.0.1:1",
                                "--subscribe",
                                "t",
                                "--into",
                                chain.target().toString(),
                                "--admin",
                                "off");
                };
        String[] all = new String[command.size() + more.length];
        command.toArray(all);
        System.arraycopy(more, 0, all, command.size(), more.length);
        return all;
    }

    @Test
    void aSecondProcessOnOneDataDirectoryIsRefused() throws Exception {
        chain.startAll();
        for (Part part : Part.values()) {
            CommandRun second = CommandRun.of(on(part));
            assertThat(second.code()).as(part.command() + ": " + second.log()).isEqualTo(ExitCode.BUSY.code());
            assertThat(second.out()).isEmpty();
            assertThat(second.log()).contains(chain.data(part).toString()).doesNotContain("\tat ");
            assertThat(chain.isRunning(part)).isTrue();
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        chain.start(Part.BROKER);
        CommandRun second = CommandRun.of(
                "broker",
                "--data",
                directory.resolve("other").toString(),
                "--admin",
                "off",
                "--listen",
                chain.brokerPtcp().toString());
        assertThat(second.code()).as(second.log()).isEqualTo(ExitCode.BUSY.code());
        assertThat(second.log())
                .contains(Integer.toString(chain.brokerPtcp().port()))
                .doesNotContain("\tat ");
    }

    @Test
    void listeningBeyondLoopbackNeedsTlsOrAnAccount() throws Exception {
        String data = directory.resolve("d").toString();
        CommandRun ptcp = CommandRun.of("broker", "--data", data, "--listen", "0.0.0.0:0", "--admin", "off");
        assertThat(ptcp.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(ptcp.log()).contains("--tls", "--insecure").hasLineCount(1);

        CommandRun admin = CommandRun.of("broker", "--data", data, "--listen", "127.0.0.1:0", "--admin", "0.0.0.0:0");
        assertThat(admin.code()).isEqualTo(ExitCode.USAGE.code());

        CommandRun ftp = CommandRun.of("agent-a", "--spool", data, "--ftp", "0.0.0.0:0", "--admin", "off");
        assertThat(ftp.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(ftp.log()).contains("--user", "--password-file");
        assertThat(Path.of(data)).doesNotExist();
    }

    @Test
    void mutualTlsCarriesFilesAndStrangersStayOutside() throws Exception {
        Path keys = directory.resolve("keys");
        assertThat(CommandRun.of("keys", "init", keys.toString(), "--days", "20")
                        .code())
                .isZero();
        chain.withTls(keys);
        chain.startAll();
        Path source = sample("source", 5 * MIB, 1);
        upload(source, "over tls");
        awaitDelivered(source, "over tls");
        for (Part part : Part.values()) {
            AdminClient client = new AdminClient(chain.admin(part).orElseThrow(), NodeTls.load(keys, Role.CLIENT));
            assertThat(new String(client.get("/health", Map.of()), StandardCharsets.UTF_8))
                    .contains("\"code\" : \"certificate\"", "\"sentence\" : \"expires in 19 days, on ");
            assertThat(chain.node(part).log()).contains("needs attention what=\"certificate\"");
        }

        Path strange = directory.resolve("strange");
        assertThat(CommandRun.of("keys", "init", strange.toString()).code()).isZero();
        for (String tls : new String[] {strange.toString(), ""}) {
            Path into = directory.resolve("into" + tls.length());
            List<String> command = new java.util.ArrayList<>(
                    List.of("agent-b", "--broker", chain.brokerPtcp().toString(), "--admin", "127.0.0.1:0"));
            command.addAll(List.of("--subscribe", ProcessChain.TOPIC, "--into", into.toString(), "--name", "stranger"));
            command.addAll(
                    List.of("--data", directory.resolve("data" + tls.length()).toString()));
            if (!tls.isEmpty()) {
                command.addAll(List.of("--tls", tls));
            }
            try (NodeProcess stranger = NodeProcess.start(directory.resolve("stranger.log"), command)) {
                await("a refusal").until(() -> stranger.log().contains("No session with the broker"));
                assertThat(page(Part.BROKER, "/subscriptions")).doesNotContain("stranger");
                assertThat(stranger.log()).doesNotContain("\tat ");
            }
        }
    }

    @Test
    void everyNodeSaysHowItIs() throws Exception {
        chain.startAll();
        for (Part part : Part.values()) {
            await("health of " + part.command())
                    .until(() -> Json.tree(page(part, "/health").getBytes(StandardCharsets.UTF_8))
                            .get("ok")
                            .asBoolean());
            assertThat(page(part, "/metrics")).contains("# TYPE hawser_");
            assertThat(page(part, "/transfers")).contains("\"transfers\" : [ ]");
        }
        assertThat(page(Part.BROKER, "/subscriptions")).contains(ProcessChain.SUBSCRIPTION);
        for (Part part : Part.values()) {
            assertThat(chain.stop(part)).as(part.command()).isZero();
        }
    }

    @Test
    void aDiskThatRefusesWritesEndsTheBrokerWithAnExitCodeOfItsOwn() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path source = sample("source", 24 * MIB, 1);
        breakDisk(Part.BROKER);
        upload(source, "file");
        endsForItsDisk(Part.BROKER);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "file");
    }

    @Test
    void aDiskThatRefusesWritesEndsEachAgentAndWhatWasAcceptedArrives() throws Exception {
        chain.startAll();
        Path source = sample("source", 6 * MIB, 1);
        breakDisk(Part.AGENT_B);
        upload(source, "file");
        endsForItsDisk(Part.AGENT_B);
        breakDisk(Part.AGENT_A);
        try (Curl curl = Curl.upload(chain.ftp(), source, "never")) {
            endsForItsDisk(Part.AGENT_A);
            assertThat(curl.await(LIMIT)).isNotZero();
        }
        chain.start(Part.AGENT_B);
        awaitDelivered(source, "file");
        chain.start(Part.AGENT_A);
        upload(source, "again");
        awaitDelivered(source, "again");
        assertThat(visible(chain.target())).containsExactly("again", "file");
    }

    /** From now on a write beyond 1 MiB fails, as on a disk that is broken rather than full. */
    private void breakDisk(Part part) throws Exception {
        String pid = Long.toString(chain.node(part).pid());
        Process limit = new ProcessBuilder("prlimit", "--pid", pid, "--fsize=1048576:1048576")
                .inheritIO()
                .start();
        assertThat(limit.waitFor()).isZero();
    }

    private void endsForItsDisk(Part part) throws Exception {
        NodeProcess node = chain.node(part);
        assertThat(node.awaitExit(LIMIT)).as(node.log()).isEqualTo(ExitCode.STORAGE.code());
        assertThat(node.log().lines().filter(line -> line.startsWith("hawser: ")))
                .singleElement()
                .asString()
                .contains(part.command() + " has stopped, since its disk failed", "File too large", "hawser fsck DIR");
        chain.kill(part);
    }
}
