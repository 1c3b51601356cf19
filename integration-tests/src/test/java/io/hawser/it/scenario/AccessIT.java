package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.it.harness.CommandRun;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who has a certificate and no right is told so, and learns nothing. */
class AccessIT extends Scenario {
    private static final String SECRET = "plans";

    private Path keys;
    private Path acl;
    private Path audit;

    private void startAll(String rules) throws Exception {
        keys = directory.resolve("keys");
        acl = Files.writeString(directory.resolve("acl"), rules);
        audit = directory.resolve("audit.log");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        chain.with(Part.BROKER, "--acl", acl.toString(), "--audit", audit.toString());
        chain.withTls(keys);
        chain.startAll();
    }

    private Path add(String role, String name, String... more) throws Exception {
        Path target = directory.resolve("keys-" + name);
        List<String> command = new ArrayList<>(
                List.of("keys", "add", keys.toString(), target.toString(), "--role", role, "--name", name));
        command.addAll(List.of(more));
        CommandRun.of(command.toArray(String[]::new)).succeeded();
        return target;
    }

    private CommandRun send(Path file, String topic, Path tls) throws Exception {
        return CommandRun.of(
                "send",
                file.toString(),
                "--to",
                topic,
                "--wait",
                "brokered",
                "--broker",
                chain.brokerPtcp().toString(),
                "--state",
                directory.resolve("state-" + tls.getFileName()).toString(),
                "--tls",
                tls.toString());
    }

    /** What a command about the far end's files says. */
    private CommandRun ask(Path tls, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of("--broker", chain.brokerPtcp().toString(), "--tls", tls.toString()));
        return CommandRun.of(command.toArray(String[]::new));
    }

    private NodeProcess consumer(String name, String topic, Path tls) throws Exception {
        return NodeProcess.start(
                directory.resolve(name + ".log"),
                List.of(
                        "agent-b",
                        "--broker",
                        chain.brokerPtcp().toString(),
                        "--admin",
                        "off",
                        "--subscribe",
                        topic,
                        "--name",
                        name,
                        "--into",
                        directory.resolve("into-" + name).toString(),
                        "--data",
                        directory.resolve("data-" + name).toString(),
                        "--tls",
                        tls.toString()));
    }

    @Test
    void aCertificateWithoutTheRightGetsARefusalAndRightsComeWithoutARestart() throws Exception {
        startAll("agent-a all " + ProcessChain.TOPIC + "\nagent-b subscribe,serve " + ProcessChain.TOPIC + "\n");
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "allowed");
        awaitDelivered(source, "allowed");

        Path berlin = add("client", "berlin", "--allow", "publish,list=" + ProcessChain.TOPIC);
        send(source, ProcessChain.TOPIC, berlin).succeeded();
        CommandRun refused = send(source, SECRET, berlin);
        assertThat(refused.code()).as(refused.log()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(refused.log() + refused.out()).contains("client:berlin has no right to publish on topic " + SECRET);
        CommandRun listing = ask(berlin, "ls", ProcessChain.TOPIC + ":");
        assertThat(listing.code()).as(listing.log()).isZero();
        assertThat(listing.out()).contains("allowed");
        CommandRun unread = ask(
                berlin,
                "get",
                ProcessChain.TOPIC + ":allowed",
                "-o",
                directory.resolve("unread").toString());
        assertThat(unread.code()).as(unread.log()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(unread.log() + unread.out()).contains("client:berlin has no right to read");
        assertThat(directory.resolve("unread")).doesNotExist();
        CommandRun unlisted = ask(berlin, "ls", SECRET + ":");
        assertThat(unlisted.code()).as(unlisted.log()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(unlisted.log() + unlisted.out()).contains("client:berlin has no right to list");

        Path paris = add("agent-b", "paris");
        try (NodeProcess outside = consumer("paris", SECRET, paris)) {
            await("a refusal")
                    .until(() -> outside.log().contains("agent-b:paris has no right to subscribe on topic " + SECRET));
            Files.writeString(
                    acl,
                    Files.readString(acl) + "agent-b:paris subscribe " + SECRET + "\nclient:berlin publish " + SECRET
                            + "\n");
        }
        try (NodeProcess inside = consumer("paris", SECRET, paris)) {
            await("the right").until(() -> send(source, SECRET, berlin).code() == 0);
            Path arrived = directory.resolve("into-paris").resolve("source");
            await("delivery").until(() -> Files.exists(arrived));
            assertThat(arrived).hasSameBinaryContentAs(source);
            assertThat(inside.isAlive()).isTrue();
        }
        await("notes").until(() -> Files.readString(audit).contains("\"what\":\"subscribe\",\"object\":\"" + SECRET));
        List<String> lines = Files.readAllLines(audit);
        for (String line : lines) {
            assertThat(Json.tree(line.getBytes(StandardCharsets.UTF_8)).size()).isEqualTo(7);
        }
        assertThat(lines)
                .anyMatch(line -> line.contains("\"who\":\"client:berlin\",\"what\":\"publish\",\"object\":\"" + SECRET)
                        && line.contains("\"result\":\"no right\""));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(audit)))
                .isEqualTo("rw-------");
    }

    @Test
    void aCertificateIsForItsRoleAndANodeForItsCertificateAndRevocationEndsBoth() throws Exception {
        startAll("* all *\n");
        Path paris = add("agent-b", "paris");
        Path rome = add("agent-b", "rome");
        Path mixed = directory.resolve("mixed");
        Files.createDirectory(mixed);
        Files.copy(paris.resolve("ca.crt"), mixed.resolve("ca.crt"));
        for (String ending : List.of(".crt", ".key")) {
            Files.copy(
                    paris.resolve("agent-b" + ending),
                    mixed.resolve("client" + ending),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        CommandRun asClient = send(sample("source", 1000, 1), ProcessChain.TOPIC, mixed);
        assertThat(asClient.code()).isNotZero();
        assertThat(asClient.log()).contains("is for agent-b:paris and cannot be used for a session of client");

        try (NodeProcess consumer = consumer("paris", "t", paris)) {
            await("the session").until(() -> consumer.log().contains("session with the broker is up"));
        }
        try (NodeProcess thief = consumer("paris", "t", rome)) { // its data directory, another certificate
            await("a refusal").until(() -> thief.log().contains("has come with another certificate before"));
        }
        try (NodeProcess consumer = consumer("paris", "t", paris)) {
            await("the session").until(() -> consumer.log().contains("session with the broker is up"));
            CommandRun.of("keys", "revoke", keys.toString(), "agent-b:paris").succeeded();
            await("its end").until(() -> consumer.log().contains("the certificate of agent-b:paris was revoked"));
        }
        upload(sample("after", 1000, 2), "after");
        awaitDelivered(directory.resolve("after"), "after");
    }

    @Test
    void listingsAndMetricsShowNothingOfOtherTopicsAndTheTokenOpensAll() throws Exception {
        keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        Path berlin = add("client", "berlin", "--allow", "list=" + ProcessChain.TOPIC);
        Path token = directory.resolve("token");
        Files.createFile(token, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(token, "0123456789abcdef0123456789abcdef\n");
        List<String> command = List.of(
                "broker",
                "--data",
                directory.resolve("broker").toString(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "0.0.0.0:0",
                "--admin-token-file",
                token.toString(),
                "--tls",
                keys.toString());
        try (NodeProcess broker = NodeProcess.start(directory.resolve("broker.log"), command)) {
            HostPort admin = new HostPort("127.0.0.1", broker.address("admin").port());
            for (String topic : List.of(ProcessChain.TOPIC, SECRET)) {
                CommandRun.of(
                                "send",
                                sample("to-" + topic, 1000, 1).toString(),
                                "--to",
                                topic,
                                "--wait",
                                "brokered",
                                "--broker",
                                broker.address("ptcp").toString(),
                                "--state",
                                directory.resolve("state").toString(),
                                "--tls",
                                keys.toString())
                        .succeeded();
            }
            AdminClient operator = new AdminClient(admin, NodeTls.load(keys, Role.CLIENT));
            AdminClient restricted = new AdminClient(admin, NodeTls.load(berlin, Role.CLIENT));
            await("the index").until(() -> text(operator, "/transfers").contains("to-" + SECRET));
            assertThat(text(restricted, "/transfers"))
                    .contains("to-" + ProcessChain.TOPIC)
                    .doesNotContain(SECRET);
            assertThat(text(restricted, "/health")).contains("\"ok\" : true").doesNotContain("usedBytes");
            assertThatThrownBy(() -> text(restricted, "/metrics"))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("403");
            String key = Json.read(operator.get("/transfers", Map.of("key", "to-" + SECRET)), TransferPage.class)
                    .transfers()
                    .get(0)
                    .key();
            assertThatThrownBy(() -> restricted.post("/transfers/drop", Map.of("key", key)))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("knows no transfer")
                    .hasMessageNotContaining(SECRET);

            assertThat(withToken(admin, "0123456789abcdef0123456789abcdef").body())
                    .contains("hawser_sessions");
            assertThat(withToken(admin, "0123456789abcdef0123456789abcdeg").statusCode())
                    .isEqualTo(401);
        }
    }

    private HttpResponse<String> withToken(HostPort admin, String token) throws Exception {
        NodeTls anonymous = NodeTls.load(keys, Role.CLIENT);
        javax.net.ssl.SSLContext trusting = javax.net.ssl.SSLContext.getInstance("TLSv1.3");
        trusting.init(null, anonymous.trustManagers(), null);
        HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
        URI page = URI.create("https://" + new InetSocketAddress(admin.host(), admin.port()).getHostString() + ":"
                + admin.port() + "/metrics");
        return client.send(
                HttpRequest.newBuilder(page)
                        .timeout(TestTimes.LIMIT)
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String text(AdminClient client, String path) {
        return new String(client.get(path, Map.of()), StandardCharsets.UTF_8);
    }
}
