package io.hawser.it.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeCommands;
import io.hawser.release.process.NodeProcess;
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
import org.openqa.selenium.WebElement;

/** A new user of {@code hawser up}, who knows only what the page says: finds things by their role and name, as a screen reader does. */
class NewUserIT {
    private static final Duration LIMIT = TestTimes.LIMIT;
    private static final String HERE = "here";
    private static final int SIZE_BYTES = 1 << 20;

    @TempDir
    Path directory;

    private Browser browser;

    @BeforeEach
    void open() {
        browser = Browser.start(directory.resolve("profile"));
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private NodeProcess up() throws Exception {
        List<String> command = List.of(
                "up",
                "--to",
                HERE,
                "--data",
                directory.resolve("data").toString(),
                "--into",
                into("").toString(),
                "--listen",
                "127.0.0.1:0",
                "--ftp",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0");
        List<String> launcher = List.of("-Xmx192m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC");
        return NodeProcess.start(directory.resolve("up.log"), List.of(), launcher, Map.of(), command);
    }

    private Path into(String name) {
        return directory.resolve("into").resolve(name);
    }

    private Path sample(String name, long bytes) throws Exception {
        Path file = directory.resolve(name);
        SampleFile.write(file, bytes, 1);
        return file;
    }

    private void send(NodeProcess up, Path file, String topic) throws Exception {
        CommandRun.of(
                        "send",
                        file.toString(),
                        "--to",
                        topic,
                        "--broker",
                        up.address("ptcp").toString(),
                        "--state",
                        directory.resolve("sender").toString(),
                        "--wait",
                        "brokered")
                .succeeded();
    }

    /** One that no far end takes, one that its far end is away for, one that goes on slowly. */
    private Curl makeWork(NodeProcess up) throws Exception {
        List<String> other = NodeCommands.agentB(
                up.address("ptcp").toString(),
                directory.resolve("other-data"),
                directory.resolve("other-into").toString(),
                "other");
        Files.createDirectories(directory.resolve("other-into"));
        try (NodeProcess far = NodeProcess.start(directory.resolve("other.log"), other)) {
            far.awaitReady(NodeProcess.START_LIMIT);
            far.kill();
        }
        send(up, sample("stuck.bin", SIZE_BYTES), NodeCommands.TOPIC);
        Files.createDirectories(into("refused.bin"));
        send(up, sample("refused.bin", SIZE_BYTES), HERE);
        return Curl.upload(up.address("ftp"), sample("moving.bin", 256L << 20), "moving.bin", "--limit-rate", "600k");
    }

    @Test
    void thePageAloneSaysWhatMovesWhatIsStuckAndWhatFailed() throws Exception {
        try (NodeProcess up = up();
                Curl moving = makeWork(up)) {
            assertThat(moving.isAlive()).isTrue();
            browser.open("http://" + up.address("admin") + "/");

            browser.awaitRole("region", "Moving now", "moving.bin");
            browser.awaitRole("region", "Moving now", "KiB/s");
            browser.awaitRole("region", "Stuck, and why", "stuck.bin");
            browser.awaitRole("region", "Stuck, and why", "Its consumer is not connected");
            browser.awaitRole("region", "Failed today", "refused.bin");
            browser.awaitRole("region", "Failed today", "A directory stands at");
            whySaysAllNodes();
            unlock();
            cancelsTheStuckOne(up);
            retriesTheRefusedOne(up);
        }
    }

    /** Each of the three nodes says what it waits for, though one page shows it. */
    private void whySaysAllNodes() {
        browser.role("link", "moving.bin").click();
        for (String node : List.of("broker", "agent-a", "agent-b")) {
            browser.awaitRole("region", "What it waits for", node + " says");
        }
        browser.awaitRole("region", "What it waits for", "The bottleneck: upload");
        browser.awaitRole("region", "What it waits for", "The client sends no faster");
        browser.role("link", "Overview").click();
    }

    private void unlock() throws Exception {
        Path file = directory.resolve("data/admin-token");
        browser.role("button", "Unlock actions").click();
        WebElement token = browser.role("textbox", "Token: the first line of " + file);
        token.sendKeys(Files.readString(file).strip(), Keys.ENTER);
        browser.role("button", "Lock actions");
    }

    private void cancelsTheStuckOne(NodeProcess up) {
        browser.role("button", "Cancel stuck.bin").click();
        browser.role("dialog", "Cancel this transfer?");
        browser.role("button", "Cancel").click();
        browser.awaitRole("status", "", "stuck.bin is now cancel");
        await().atMost(LIMIT).until(() -> state(up, "stuck.bin").startsWith("cancel"));
    }

    private void retriesTheRefusedOne(NodeProcess up) throws Exception {
        Files.delete(into("refused.bin"));
        browser.role("button", "Retry refused.bin").click();
        browser.role("dialog", "Retry this transfer?");
        browser.role("button", "Retry").click();
        browser.awaitRole("status", "", "refused.bin is now");
        await().atMost(LIMIT).until(() -> state(up, "refused.bin").equals("delivered"));
        assertThat(into("refused.bin")).hasSameBinaryContentAs(directory.resolve("refused.bin"));
    }

    private static String state(NodeProcess node, String name) {
        return node.transfer(name).map(TransferStatus::state).orElse("");
    }
}
