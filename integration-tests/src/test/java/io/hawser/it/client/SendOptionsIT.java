package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.agentb.AgentB;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.observe.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hawser send} sends, where to, how fast, and what it says meanwhile. */
class SendOptionsIT {
    private static final int FRAGMENT = 1 << 20;

    @TempDir
    Path directory;

    private LocalChain chain;
    private Path into;
    private Path state;
    private AgentB agent;

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory.resolve("nodes"));
        into = directory.resolve("into");
        state = directory.resolve("state");
        agent = chain.agentB("site-b", "b", into);
        await().until(() -> chain.subscriptions().contains("b"));
    }

    @AfterEach
    void stop() {
        agent.stop();
        chain.close();
    }

    private List<String> command(String... arguments) {
        List<String> words = new ArrayList<>(List.of("send"));
        words.addAll(List.of("--broker", chain.address().toString(), "--state", state.toString()));
        words.addAll(List.of(arguments));
        return words;
    }

    private CommandResult send(String... arguments) {
        return CommandResult.of(command(arguments));
    }

    private Path file(String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(name.hashCode()).nextBytes(bytes);
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.write(path, bytes);
    }

    @Test
    void aDirectoryAtTheFarEndIsPartOfTheDestination() throws Exception {
        Path file = file("f", 10);
        CommandResult result = send(file.toString(), "--to", "site-b:in/2026/", "--wait", "delivered");
        assertThat(result.code()).as(result::err).isZero();
        assertThat(into.resolve("in/2026/f")).hasSameBinaryContentAs(file);
        assertThat(send(file.toString(), "--to", "site-b:../out").code()).isEqualTo(2);
    }

    @Test
    void whatIsExcludedIsCountedAndIsNoFailure() throws Exception {
        Path kept = file("tree/a.jpg", 10);
        file("tree/a.tmp", 10);
        file("tree/cache/b.jpg", 10);
        CommandResult result = send(
                directory.resolve("tree").toString(),
                "--to",
                "site-b",
                "--exclude",
                "*.tmp",
                "--exclude",
                "cache/",
                "--wait",
                "delivered");
        assertThat(result.code()).as(result::err).isZero();
        assertThat(result.out()).startsWith("1 of 1 delivered").contains("; skipped 2 (2 excluded)");
        assertThat(into.resolve("tree/a.jpg")).hasSameBinaryContentAs(kept);
        assertThat(into.resolve("tree/a.tmp")).doesNotExist();
        assertThat(into.resolve("tree/cache")).doesNotExist();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aDryRunSaysWhatWouldBeSentAndDoesNothing() throws Exception {
        file("tree/a.jpg", 2048);
        file("tree/a.tmp", 10);
        String tree = directory.resolve("tree").toString();
        CommandResult result = send(tree, "--to", "site-b:in", "--include", "*.jpg", "--dry-run");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains(" 2 KiB  in/tree/a.jpg\n", "skipped  in/tree/a.tmp: excluded\n")
                .endsWith("would send 1 object, 2 KiB, to site-b:in/; skipped 1 (1 excluded). Nothing was sent\n");
        assertThat(state).doesNotExist();
        CommandResult json = send(tree, "--to", "site-b", "--include", "*.jpg", "--dry-run", "--json");
        assertThat(json.out().lines()).hasSize(2);
        JsonNode first = Json.tree(json.out().lines().findFirst().orElseThrow().getBytes(StandardCharsets.UTF_8));
        assertThat(first.get("name").asText()).isEqualTo("tree/a.jpg");
        assertThat(first.get("skipped").isNull()).isTrue();
    }

    @Test
    void standardInputIsSentUnderItsName() throws Exception {
        byte[] content = new byte[3 * FRAGMENT + 5];
        new Random(1).nextBytes(content);
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(content));
        try {
            CommandResult result = send("-", "--name", "shop.sql", "--to", "site-b:dumps", "--wait", "delivered");
            assertThat(result.code()).as(result::err).isZero();
            assertThat(result.out()).startsWith("1 of 1 delivered, 3.0 MiB in ");
        } finally {
            System.setIn(before);
        }
        assertThat(into.resolve("dumps/shop.sql")).hasBinaryContent(content);
        assertThat(send("-", "--to", "site-b").err()).contains("say with --name");
    }

    @Test
    @Invariant(InvariantName.WHOLE_OR_NOTHING)
    void ofStandardInputThatDoesNotEndNothingIsSent() throws Exception {
        InputStream before = System.in;
        InputStream endless = new PipedInputStream(new PipedOutputStream()); // nobody writes
        System.setIn(endless);
        try {
            CommandResult result = send("-", "--name", "endless", "--to", "site-b", "--timeout", "500ms");
            assertThat(result.code()).isEqualTo(7);
            assertThat(result.err()).contains("did not end within --timeout; nothing of it was sent");
        } finally {
            System.setIn(before);
        }
        assertThat(into.resolve("endless")).doesNotExist();
    }

    /** Slow enough that it takes seconds, so that there is something to see. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void bothLegsAreTold() throws Exception {
        Path file = file("f", 24 * FRAGMENT);
        CommandResult result =
                send(file.toString(), "--to", "site-b", "--rate", "4MiB/s", "--wait", "delivered", "--json");
        assertThat(result.code()).as(result::err).isZero();
        List<JsonNode> progress = new ArrayList<>();
        for (String line : result.out().lines().toList()) {
            JsonNode node = Json.tree(line.getBytes(StandardCharsets.UTF_8));
            if (node.get("event").asText().equals("progress")) {
                progress.add(node);
            }
        }
        assertThat(progress).isNotEmpty();
        assertThat(progress)
                .extracting(each -> each.get("brokeredBytes").asLong())
                .isSorted();
        assertThat(progress).allMatch(each -> each.get("totalBytes").asLong() == 24 * FRAGMENT);
        assertThat(progress)
                .as("bytes at the far end before its receipt")
                .anyMatch(each -> each.get("farEnds").size() == 1
                        && each.get("farEnds")
                                .get(0)
                                .get("subscription")
                                .asText()
                                .equals("b")
                        && each.get("farEnds").get(0).get("durableBytes").asLong() > 0
                        && each.get("farEnds").get(0).get("durableBytes").asLong() < 24 * FRAGMENT);
        assertThat(progress)
                .as("why it is not faster")
                .anyMatch(each -> each.get("because").asText().equals("limited by --rate"));
        assertThat(progress).anyMatch(each -> !each.get("secondsLeft").isNull());
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void aFarEndThatIsAwayIsTheReason() throws Exception {
        agent.stop();
        Path file = file("f", FRAGMENT);
        List<String> words = command(file.toString(), "--to", "site-b", "--wait", "delivered");
        try (JavaProcess run = JavaProcess.start(directory, "run", Map.of(), Hawser.class, words)) {
            await().until(() -> run.err().contains("hawser: waiting: f: at the broker; b is not connected"));
            agent = chain.agentB("site-b", "b", into);
            assertThat(run.await()).isZero();
            assertThat(run.out()).startsWith("1 of 1 delivered");
        }
    }

    @Test
    void quietSaysOnlyWhatWentWrong() throws Exception {
        CommandResult well = send(file("f", 10).toString(), "--to", "site-b", "--quiet", "--wait", "delivered");
        assertThat(well).isEqualTo(new CommandResult(0, "", ""));
        CommandResult empty = send("/proc/version", "--to", "site-b", "--quiet");
        assertThat(empty.code()).isEqualTo(1);
        assertThat(empty.err()).contains("/proc/version has content");
        assertThat(send("f", "--to", "site-b", "--quiet", "--json").code()).isEqualTo(2);
    }
}
