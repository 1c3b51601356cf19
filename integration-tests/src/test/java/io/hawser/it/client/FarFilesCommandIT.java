package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.agentb.AgentB;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser ls}, {@code get} and {@code receive}, as a script sees them. */
class FarFilesCommandIT {
    private static final int FRAGMENT = 1 << 20;

    @TempDir
    Path directory;

    private LocalChain chain;
    private Path there;
    private Path here;
    private AgentB agent;

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory.resolve("nodes"));
        there = Files.createDirectories(directory.resolve("there"));
        here = Files.createDirectories(directory.resolve("here"));
        agent = chain.agentB("site-b", "b", there);
    }

    @AfterEach
    void stop() {
        agent.stop();
        chain.close();
    }

    private List<String> command(String name, String... arguments) {
        List<String> words = new ArrayList<>(List.of(name));
        words.addAll(List.of(
                "--broker",
                chain.address().toString(),
                "--state",
                directory.resolve("state").toString()));
        words.addAll(List.of(arguments));
        return words;
    }

    private CommandResult run(String name, String... arguments) {
        return CommandResult.of(command(name, arguments));
    }

    private Path fileThere(String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(name.hashCode()).nextBytes(bytes);
        Path path = there.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.write(path, bytes);
    }

    private List<String> parts() throws IOException {
        try (Stream<Path> files = Files.list(here)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(".hawser-"))
                    .toList();
        }
    }

    @Test
    void aDirectoryIsListedByName() throws Exception {
        fileThere("photos/b c.jpg", 2048);
        Files.setLastModifiedTime(there.resolve("photos/b c.jpg"), FileTime.fromMillis(0));
        Files.createDirectories(there.resolve("photos/a"));
        CommandResult result = run("ls", "site-b:photos/");
        assertThat(result.code()).as(result::err).isZero();
        assertThat(result.out().lines())
                .satisfiesExactly(
                        first -> assertThat(first).matches("d[rwx-]{9} +- +\\S+Z  a/"),
                        second -> assertThat(second).matches("-[rwx-]{9} +2 KiB  1970-01-01T00:00:00Z  b c.jpg"));
        JsonNode file =
                Json.tree(run("ls", "site-b:photos/b c.jpg", "--json").out().getBytes(StandardCharsets.UTF_8));
        assertThat(file.get("name").asText()).isEqualTo("b c.jpg");
        assertThat(file.get("sizeBytes").asLong()).isEqualTo(2048);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatCannotBeListedHasItsReason() {
        CommandResult missing = run("ls", "site-b:nowhere");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).isEqualTo("hawser: site-b:nowhere: No such file or directory\n");
        assertThat(run("ls", "no topic").code()).isEqualTo(2);
        CommandResult away = run("ls", "site-c", "--connect-timeout", "300ms");
        assertThat(away.code()).isEqualTo(3);
        assertThat(away.err()).contains("site-c: the far end is not connected").hasLineCount(1);
    }

    @Test
    void aFileIsFetchedWithItsTime() throws Exception {
        Path source = fileThere("deep/f", 20 * FRAGMENT + 77);
        Files.setLastModifiedTime(source, FileTime.fromMillis(1_000_000));
        CommandResult result = run("get", "site-b:deep/f", "-o", here.toString());
        assertThat(result.code()).as(result::err).isZero();
        assertThat(result.out()).startsWith("got site-b:deep/f, 20.0 MiB, SHA-256 ");
        assertThat(here.resolve("f")).hasSameBinaryContentAs(source);
        assertThat(Files.getLastModifiedTime(here.resolve("f")).toMillis()).isEqualTo(1_000_000);
        assertThat(parts()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void aKilledDownloadIsContinued() throws Exception {
        Path source = fileThere("f", 64 * FRAGMENT);
        Path target = here.resolve("f");
        List<String> words = command("get", "site-b:f", "-o", target.toString());
        try (JavaProcess run = JavaProcess.start(directory, "run", Map.of(), Hawser.class, words)) {
            await().until(() -> Files.exists(target)
                    || (!parts().isEmpty() && Files.size(here.resolve(parts().get(0))) > FRAGMENT));
            assertThat(run.err()).isEmpty();
        } // kill -9
        boolean finished = Files.exists(target);
        CommandResult result = CommandResult.of(words);
        assertThat(result.code()).as(result::err).isZero();
        assertThat(target).hasSameBinaryContentAs(source);
        if (!finished) {
            assertThat(result.out()).contains(" earlier), SHA-256 ");
        }
        assertThat(parts()).isEmpty();
    }

    /** What an earlier run wrote is not believed. */
    @Test
    @Invariant(InvariantName.VERIFIED_THIS_RUN)
    void aPartThatLiesIsFoundByItsDigest() throws Exception {
        Path source = fileThere("f", 4 * FRAGMENT);
        Path target = here.resolve("f");
        List<String> words = command("get", "site-b:f", "-o", target.toString());
        Path part = partOf(words);
        Files.write(part, new byte[2 * FRAGMENT]);
        CommandResult lied = CommandResult.of(words);
        assertThat(lied.code()).isEqualTo(1);
        assertThat(lied.err()).contains("does not have the digest of the file there, and was deleted");
        assertThat(target).doesNotExist();
        assertThat(CommandResult.of(words).code()).isZero();
        assertThat(target).hasSameBinaryContentAs(source);
    }

    /** The part file of a download that was stopped at its first byte. */
    private Path partOf(List<String> words) throws Exception {
        try (JavaProcess run = JavaProcess.start(directory, "part", Map.of(), Hawser.class, words)) {
            await().until(() -> !parts().isEmpty() || Files.exists(here.resolve("f")));
            if (parts().isEmpty()) {
                throw new AssertionError("the download was faster than the look at it");
            }
            assertThat(run.err()).isEmpty();
            return here.resolve(parts().get(0));
        }
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aPartOfAnotherVersionIsNotContinued() throws Exception {
        fileThere("f", 8 * FRAGMENT);
        Path target = here.resolve("f");
        List<String> words = command("get", "site-b:f", "-o", target.toString());
        Path old = here.resolve(String.valueOf(partOf(words).getFileName())
                .replaceFirst("-[0-9a-f]{16}\\.part", "-0123456789abcdef.part"));
        Files.deleteIfExists(target);
        Files.write(old, new byte[FRAGMENT]);
        Path source = fileThere("f", 3 * FRAGMENT);
        CommandResult result = CommandResult.of(words);
        assertThat(result.code()).as(result::err).isZero();
        assertThat(target).hasSameBinaryContentAs(source);
        assertThat(parts()).as("of a version that is gone").isEmpty();
    }

    @Test
    void aFileGoesToStandardOutput() throws Exception {
        Path source = fileThere("f", 3 * FRAGMENT + 1);
        List<String> words = command("get", "site-b:f", "-o", "-");
        try (JavaProcess run = JavaProcess.start(directory, "run", Map.of(), Hawser.class, words)) {
            assertThat(run.await()).isZero();
        }
        assertThat(directory.resolve("run.out")).hasSameBinaryContentAs(source);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatCannotBeFetchedHasItsReason() throws Exception {
        Files.createDirectories(there.resolve("d"));
        assertThat(run("get", "site-b").code()).isEqualTo(2);
        CommandResult missing = run("get", "site-b:nowhere", "-o", here.toString());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("No such file or directory");
        assertThat(run("get", "site-b:d", "-o", here.toString()).err()).contains("site-b:d is a directory");
        fileThere("f", 10);
        CommandResult nowhere =
                run("get", "site-b:f", "-o", here.resolve("no/where").toString());
        assertThat(nowhere.code()).isEqualTo(5);
        assertThat(parts()).isEmpty();
    }

    private CommandResult receive(String... arguments) {
        List<String> words = command("receive", "site-c", "--into", here.toString(), "--name", "here");
        words.addAll(List.of(arguments));
        return CommandResult.of(words);
    }

    @Test
    void receiveEndsAfterSoManyFilesAndTheNextRunHasTheOthers() throws Exception {
        assertThat(receive("--once", "--timeout", "1s").code())
                .as("makes the subscription")
                .isEqualTo(7);
        try (HawserClient sender = chain.client("sender")) {
            List<SentTransfer> sent = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                sent.add(sender.send("site-c", name, new byte[100]));
                sent.get(sent.size() - 1).brokered().join();
            }
            CommandResult one = receive("--once", "--timeout", "1m");
            assertThat(one.code()).as(one::err).isZero();
            assertThat(one.out()).matches("     100 B  [abc]\n"); // files of different names have no order
            String first = one.out().strip().substring("100 B  ".length());
            assertThat(here.resolve(first)).hasSize(100);
            for (SentTransfer each : sent) {
                if (each.name().equals(first)) {
                    each.delivered().get(60, TimeUnit.SECONDS); // its receipt left before the command ended
                } else {
                    assertThat(here.resolve(each.name())).doesNotExist();
                }
            }
            CommandResult others = receive("--count", "2", "--json", "--timeout", "1m");
            assertThat(others.code()).as(others::err).isZero();
            assertThat(others.out().lines()).hasSize(2).allSatisfy(line -> assertThat(
                            Json.tree(line.getBytes(StandardCharsets.UTF_8))
                                    .get("problem")
                                    .isNull())
                    .isTrue());
            for (SentTransfer each : sent) {
                assertThat(here.resolve(each.name())).hasSize(100);
                each.delivered().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void receiveTellsWhyNothingComes() throws Exception {
        chain.stopBroker();
        try {
            CommandResult result = receive("--once", "--connect-timeout", "300ms");
            assertThat(result.code()).isEqualTo(3);
            assertThat(result.err()).contains("cannot connect to the broker").hasLineCount(1);
        } finally {
            chain.restartBroker();
        }
        assertThat(receive("--count", "0").code()).isEqualTo(2);
        assertThat(receive("--timeout", "1s").code()).isEqualTo(2);
    }
}
