package io.hawser.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.testkit.Program;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.Role;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryRow;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Actions on the page at real nodes, each with its effect there. */
class PageSteeringIT {
    private static final Duration LIMIT = TestTimes.LIMIT;
    private static final int SMALL_BYTES = 1 << 20;
    /** More than is in flight at once. */
    private static final int LARGE_BYTES = 24 << 20;

    @TempDir
    Path directory;

    private ProcessChain chain;
    private Browser browser;

    @BeforeEach
    void make() throws Exception {
        chain = new ProcessChain(directory.resolve("chain"));
    }

    @AfterEach
    void end() {
        chain.close();
        if (browser != null) {
            browser.close();
        }
    }

    private Path sample(String name, long bytes) throws Exception {
        Path file = directory.resolve(name);
        SampleFile.write(file, bytes, name.hashCode());
        return file;
    }

    private void upload(String name, long bytes) throws Exception {
        try (Curl upload = Curl.upload(chain.ftp(), sample(name, bytes), name)) {
            assertThat(upload.await(LIMIT)).as(upload.complaints()).isZero();
        }
        await(name).atMost(LIMIT).until(() -> state(name).equals("committed"));
    }

    private String state(String name) {
        return chain.status(Part.BROKER, name).map(TransferStatus::state).orElse("");
    }

    private void look(Part part) throws Exception {
        if (browser == null) {
            browser = Browser.start(directory.resolve("profile"));
        }
        browser.open("http://" + chain.admin(part).orElseThrow() + "/");
        browser.role("button", "Unlock actions").click();
        browser.await("dialog input").sendKeys(ShownNode.TOKEN, Keys.ENTER);
        browser.role("button", "Lock actions");
    }

    private void withToken(Part... parts) throws Exception {
        Path token = ShownNode.tokenFile(directory);
        for (Part part : parts) {
            chain.with(part, "--admin-token-file", token.toString());
        }
        chain.startAll();
    }

    private void confirm(String word) {
        browser.role("dialog", word + " this transfer?");
        browser.role("button", word).click();
        browser.awaitGone("dialog");
    }

    @Test
    void aHeldTransferStaysUntilItIsReleased() throws Exception {
        withToken(Part.BROKER);
        chain.kill(Part.AGENT_B);
        upload("held.bin", SMALL_BYTES);
        upload("free.bin", SMALL_BYTES);
        look(Part.BROKER);
        browser.role("link", "held.bin").click();
        browser.role("button", "Hold held.bin").click();
        confirm("Hold");
        browser.awaitRole("status", "", "held.bin is now held");
        assertThat(state("held.bin")).isEqualTo("held");

        chain.start(Part.AGENT_B);
        chain.awaitDelivered("free.bin", LIMIT);
        assertThat(state("held.bin")).isEqualTo("held");
        assertThat(chain.target().resolve("held.bin")).doesNotExist();
        browser.role("button", "Release held.bin").click();
        confirm("Release");

        chain.awaitDelivered("held.bin", LIMIT);
        assertThat(chain.target().resolve("held.bin")).hasSameBinaryContentAs(directory.resolve("held.bin"));
    }

    @Test
    void aTransferOfHigherPriorityIsDeliveredFirst() throws Exception {
        withToken(Part.BROKER);
        chain.kill(Part.AGENT_B);
        upload("older.bin", LARGE_BYTES);
        upload("newer.bin", LARGE_BYTES);
        look(Part.BROKER);
        browser.role("link", "Transfers").click();
        browser.role("checkbox", "Choose newer.bin").click();
        browser.role("button", "Priority the chosen transfers").click();
        browser.role("spinbutton", "Priority, 1 to 9 (the highest)").sendKeys(Keys.chord(Keys.CONTROL, "a"), "9");
        browser.awaitRole("region", "1 will have another priority", "newer.bin");
        browser.role("button", "Priority 1 transfer").click();
        browser.awaitRole("region", "1 now given another priority", "newer.bin");

        chain.start(Part.AGENT_B);
        chain.awaitDelivered("older.bin", LIMIT);
        chain.awaitDelivered("newer.bin", LIMIT);

        assertThat(deliveredInOrder()).containsExactly("newer.bin", "older.bin");
    }

    private List<String> deliveredInOrder() throws Exception {
        AdminClient node = new AdminClient(chain.admin(Part.BROKER).orElseThrow(), null);
        await().atMost(LIMIT).until(() -> history(node).size() == 2);
        return history(node).stream()
                .sorted((one, other) -> Long.compare(one.sequence(), other.sequence()))
                .map(HistoryRow::name)
                .toList();
    }

    private static List<HistoryRow> history(AdminClient node) throws Exception {
        return Json.read(node.get("/history", Map.of()), HistoryPage.class).rows();
    }

    /** The broker says where; the far end does it. */
    @Test
    void aDeadLetterIsRetriedOnItsFarEndsPage() throws Exception {
        withToken(Part.BROKER, Part.AGENT_B);
        chain.kill(Part.AGENT_B);
        Path there = chain.target().resolve("refused.bin");
        Files.createDirectories(there);
        upload("refused.bin", SMALL_BYTES);
        chain.start(Part.AGENT_B);
        await().atMost(LIMIT).until(() -> state("refused.bin").equals("dead"));
        look(Part.BROKER);
        browser.role("button", "Retry refused.bin").click();
        confirmed("Not here, but at another node");
        String key = chain.status(Part.BROKER, "refused.bin").orElseThrow().key();
        assertThat(browser.text("dialog code")).isEqualTo("hawser retry " + key + " --admin 127.0.0.1:7482");
        browser.role("button", "Close").click();
        assertThat(state("refused.bin")).isEqualTo("dead");

        Files.delete(there);
        look(Part.AGENT_B);
        browser.role("button", "Retry refused.bin").click();
        confirm("Retry");

        chain.awaitDelivered("refused.bin", LIMIT);
        assertThat(there).hasSameBinaryContentAs(directory.resolve("refused.bin"));
    }

    private void confirmed(String next) {
        browser.role("dialog", "Retry this transfer?");
        browser.role("button", "Retry").click();
        browser.role("dialog", next);
    }

    /** Over TLS the browser's certificate is the user's right; no token is needed, and none is offered. */
    @Test
    void aClientCertificateMayCancel() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        List<String> command = List.of(
                "broker",
                "--listen",
                "127.0.0.1:0",
                "--data",
                directory.resolve("data").toString(),
                "--admin",
                "0.0.0.0:0",
                "--tls",
                keys.toString());
        try (NodeProcess broker = NodeProcess.start(directory.resolve("log"), command)) {
            CommandRun.of(
                            "send",
                            sample("own.bin", SMALL_BYTES).toString(),
                            "--to",
                            "t",
                            "--broker",
                            broker.address("ptcp").toString(),
                            "--tls",
                            keys.toString(),
                            "--state",
                            directory.resolve("sender").toString(),
                            "--wait",
                            "brokered")
                    .succeeded();
            String origin = "https://127.0.0.1:" + broker.address("admin").port();
            browser = Browser.withCertificate(directory.resolve("profile"), home(new KeyDirectory(keys)), origin);
            browser.open(origin + "/");

            browser.role("button", "Cancel own.bin").click();
            assertThat(browser.text("#unlock")).isEmpty();
            confirm("Cancel");

            browser.awaitRole("status", "", "own.bin is now cancelled");
            browser.role("link", "Transfers").click();
            browser.awaitText(".row .state", "Cancelled");
        }
    }

    /** A home directory whose NSS database trusts the CA and has a client's certificate. */
    private Path home(KeyDirectory keys) throws Exception {
        for (String tool : List.of("certutil", "pk12util")) {
            if (!Program.isThere(tool)) {
                Program.missing(tool, "libnss3-tools");
            }
        }
        Path home = directory.resolve("home");
        Path database = Files.createDirectories(home.resolve(".pki/nssdb"));
        String name = "sql:" + database;
        Path bundle = directory.resolve("client.p12");
        run(
                "openssl",
                "pkcs12",
                "-export",
                "-in",
                keys.certificate(Role.CLIENT).toString(),
                "-inkey",
                keys.key(Role.CLIENT).toString(),
                "-out",
                bundle.toString(),
                "-passout",
                "pass:p");
        run("certutil", "-N", "-d", name, "--empty-password");
        run(
                "certutil",
                "-A",
                "-d",
                name,
                "-n",
                "ca",
                "-t",
                "C,,",
                "-i",
                keys.caCertificate().toString());
        run("pk12util", "-i", bundle.toString(), "-d", name, "-W", "p");
        return home;
    }

    private void run(String... command) throws Exception {
        Program.run(directory, command).succeeded();
    }
}
