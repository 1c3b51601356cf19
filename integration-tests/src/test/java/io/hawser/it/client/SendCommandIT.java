package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.agentb.AgentB;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.client.HawserClient;
import io.hawser.client.ReceivedObject;
import io.hawser.client.Receiver;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.observe.Json;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code hawser send}, as a script sees it. */
class SendCommandIT {
    private static final int FRAGMENT = 1 << 20;
    private static final int QUOTA_BYTES = 8 * FRAGMENT;

    @TempDir
    Path directory;

    private LocalChain chain;
    private Path into;
    private Path state;

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory, LocalStoreConfig.defaults().withQuota(QUOTA_BYTES));
        into = directory.resolve("into");
        state = directory.resolve("state");
    }

    @AfterEach
    void stop() {
        chain.close();
    }

    private CommandResult send(String... arguments) {
        return CommandResult.of(command(arguments));
    }

    private List<String> command(String... arguments) {
        List<String> words = new ArrayList<>(List.of("send"));
        words.addAll(List.of("--broker", chain.address().toString(), "--state", state.toString(), "--to", "site-b"));
        words.addAll(List.of(arguments));
        return words;
    }

    private Path file(String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(name.hashCode()).nextBytes(bytes);
        Path path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.write(path, bytes);
    }

    private static Set<String> below(Path root) throws IOException {
        Set<String> found = new TreeSet<>();
        try (var paths = Files.walk(root)) {
            paths.map(path -> root.relativize(path).toString())
                    .filter(name -> !name.isEmpty() && !name.startsWith(".hawser"))
                    .forEach(found::add);
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"spooled", "brokered", "landed", "delivered"})
    void itEndsWhenTheFilesAreAsSafeAsAskedFor(String level) throws Exception {
        Path file = file("f", 2 * FRAGMENT + 5);
        boolean farEnd = level.equals("landed") || level.equals("delivered");
        if (level.equals("spooled")) {
            chain.stopBroker();
        }
        AgentB agent = farEnd ? chain.agentB("site-b", "b", into) : null;
        try {
            CommandResult result = send(file.toString(), "--wait", level);
            assertThat(result.code()).as(result::err).isZero();
            assertThat(result.out()).startsWith("1 of 1 " + level + ", 2.0 MiB in ");
            assertThat(state.resolve("node.id")).exists();
            if (level.equals("delivered")) {
                assertThat(into.resolve("f")).hasSameBinaryContentAs(file);
            }
        } finally {
            if (agent != null) {
                agent.stop();
            }
            if (level.equals("spooled")) {
                chain.restartBroker();
            }
        }
    }

    @Test
    void treesAndOddNamesArrive() throws Exception {
        file("tree/a b.txt", 10);
        file("tree/größe/鍵", FRAGMENT);
        file("tree/-rf", 3);
        file("tree/empty", 0);
        Files.createDirectories(directory.resolve("tree/nothing/in it"));
        Files.createSymbolicLink(directory.resolve("tree/link"), Path.of("empty"));
        Path alone = file("-alone", 7);
        AgentB agent = chain.agentB("site-b", "b", into);
        try {
            CommandResult result =
                    send("--wait", "delivered", "--", directory.resolve("tree").toString(), alone.toString());
            assertThat(result.code()).as("the link was not sent").isEqualTo(1);
            assertThat(result.out()).startsWith("6 of 6 delivered");
            assertThat(result.err()).contains("left out", "tree/link: a symbolic link");
        } finally {
            agent.stop();
        }
        Set<String> sent = below(directory.resolve("tree"));
        sent.remove("link");
        assertThat(below(into.resolve("tree"))).isEqualTo(sent);
        for (String name : List.of("a b.txt", "größe/鍵", "-rf", "empty")) {
            assertThat(into.resolve("tree").resolve(name))
                    .hasSameBinaryContentAs(directory.resolve("tree").resolve(name));
        }
        assertThat(into.resolve("-alone")).hasSameBinaryContentAs(alone);
    }

    @Test
    void jsonIsOneLineForEachTransfer() throws Exception {
        Path one = file("one", 10);
        Path large = file("large", QUOTA_BYTES + 1);

        CommandResult result = send("--json", one.toString(), large.toString());

        Map<String, JsonNode> lines = objects(result.out());
        assertThat(lines).containsOnlyKeys("one", "large");
        JsonNode first = lines.get("one");
        assertThat(first.get("level").asText()).isEqualTo("brokered");
        assertThat(first.get("key").asText()).matches("[0-9a-f]+/[0-9a-f]+|[0-9a-f.:-]+");
        assertThat(first.get("problem").isNull()).isTrue();
        JsonNode second = lines.get("large");
        assertThat(second.get("level").asText()).isEqualTo("failed");
        assertThat(second.get("problem").asText()).contains("quota");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void jsonTellsOfEachFileAlsoWithoutABroker() throws Exception {
        Path one = file("one", 10);
        Path two = file("two", FRAGMENT + 1);
        chain.stopBroker();
        try {
            CommandResult result = send("--json", one.toString(), two.toString(), "--connect-timeout", "300ms");

            assertThat(result.code()).isEqualTo(3);
            assertThat(objects(result.out())).containsOnlyKeys("one", "two").allSatisfy((name, line) -> {
                assertThat(line.get("level").asText()).isIn("accepted", "spooled", "none");
                assertThat(line.get("problem").asText()).contains("cannot connect to the broker");
            });
        } finally {
            chain.restartBroker();
        }
    }

    /** The lines about objects, by their names. */
    private static Map<String, JsonNode> objects(String out) throws IOException {
        Map<String, JsonNode> objects = new ConcurrentSkipListMap<>();
        for (String line : out.lines().toList()) {
            JsonNode node = tree(line);
            if (node.get("event").asText().equals("object")) {
                assertThat(objects.put(node.get("name").asText(), node))
                        .as("said twice: " + line)
                        .isNull();
            }
        }
        return objects;
    }

    /** The only one of these lines. */
    private static JsonNode object(String out) throws IOException {
        Map<String, JsonNode> objects = objects(out);
        assertThat(objects).hasSize(1);
        return objects.values().iterator().next();
    }

    private static JsonNode tree(String line) throws IOException {
        return Json.tree(line.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatHoldsItBackIsSaidOnceAlsoWithJson() throws Exception {
        assertThat(send(file("first", 5 * FRAGMENT).toString()).code()).isZero();
        Path second = file("second", 5 * FRAGMENT);
        StringWriter err = new StringWriter();
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Hawser.run(
                ServiceLoader.load(Subcommand.class),
                Map.of(),
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                command("--json", "--wait", "delivered", second.toString()).toArray(String[]::new)));
        AgentB agent = null;
        try {
            await().until(() -> err.toString().contains("hawser: waiting: second: NO_SPACE: "));
            agent = chain.agentB("site-b", "b", into);
            assertThat(code.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isZero();
        } finally {
            if (agent != null) {
                agent.stop();
            }
        }
        assertThat(err.toString().lines().filter(line -> line.contains("NO_SPACE")))
                .hasSize(1);
        assertThat(into.resolve("second")).hasSameBinaryContentAs(second);
    }

    @Test
    void mistakesAreOneLineAndSendNothing() throws Exception {
        String file = file("f", 10).toString();
        assertThat(send(file, "--wait", "soon").code()).isEqualTo(2);
        assertThat(send(file, "--to", "").code()).isEqualTo(2);
        assertThat(send().code()).isEqualTo(2);
        assertThat(send(file, "-odd").code()).isEqualTo(2);
        assertThat(send(file, "--streams", "0").code()).isEqualTo(2);
        CommandResult missing = send(file, directory.resolve("gone").toString());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err())
                .isEqualTo("hawser: there is no file " + directory.resolve("gone") + System.lineSeparator());
        CommandResult dashed = send("--", file, "-odd");
        assertThat(dashed.code()).isEqualTo(1);
        assertThat(dashed.err()).contains("there is no file -odd");
        assertThat(state).doesNotExist();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void filesThatWouldReplaceEachOtherAreRefusedBeforeAnythingIsSent() throws Exception {
        Path one = file("a/x", 10);
        Path other = file("b/x", 11);
        CommandResult result = send(one.toString(), other.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains(one.toString(), other.toString(), "Nothing was sent");
        assertThat(state).doesNotExist();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void anEmptyFileThatHasContentIsNotSentAsEmpty() {
        CommandResult result = send("/proc/version");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .contains("/proc/version has content, but its size is 0")
                .hasLineCount(1);
        assertThat(result.out()).startsWith("0 of 1 brokered");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatAFarEndDidNotDeliverIsSentAnewByAPlainRerun() throws Exception {
        String file = file("f", 10).toString();
        List<String> keys = new CopyOnWriteArrayList<>();
        try (HawserClient consumer = chain.client("consumer")) {
            Receiver receiver = consumer.receive("site-b", "consumer", object -> {
                keys.add(object.id().toString());
                if (keys.size() == 1) {
                    object.reject("not today");
                } else {
                    object.ack();
                }
            });
            receiver.subscribed().get(TestTimes.SECONDS, TimeUnit.SECONDS);
            CommandResult failed = send(file, "--wait", "delivered");
            assertThat(failed.code()).isEqualTo(1);
            assertThat(failed.err()).contains("f: not delivered: consumer: ", "not today");

            CommandResult again = send("--json", file);
            assertThat(again.code()).as(again::err).isZero();
            assertThat(object(again.out()).get("sent").asText()).isEqualTo("now");
            await().until(() -> keys.size() == 2);
            assertThat(keys.get(1)).isEqualTo(object(again.out()).get("key").asText());
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aDeadLetterEndsTheWaitAndTheSameCommandSendsItAnew() throws Exception {
        Path file = file("f", 10);
        Files.createDirectories(into.resolve("f"));
        AgentB agent = chain.agentB("site-b", "b", into);
        try {
            CommandResult dead = send(file.toString(), "--wait", "delivered");
            assertThat(dead.code()).as(dead::err).isEqualTo(1);
            assertThat(dead.err()).contains("f: not delivered: b: on its dead-letter list: ", "hawser dead retry ");

            Files.delete(into.resolve("f"));
            CommandResult again = send(file.toString(), "--wait", "delivered");
            assertThat(again.code()).as(again::err).isZero();
            assertThat(again.out()).startsWith("1 of 1 delivered, ");
            assertThat(into.resolve("f")).hasSameBinaryContentAs(file);
        } finally {
            agent.stop();
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whenTheTimeIsOverTheExitCodeIs7AndTheSameCommandGoesOn() throws Exception {
        String file = file("f", 2 * FRAGMENT).toString();
        CommandResult late = send("--json", file, "--wait", "delivered", "--timeout", "2s");
        assertThat(late.code()).isEqualTo(7);
        assertThat(late.err()).contains("stays so", "run the same command again");
        JsonNode line = object(late.out());
        assertThat(line.get("level").asText()).isEqualTo("brokered");
        assertThat(line.get("problem").asText())
                .isEqualTo("not delivered within 2 s: the broker has it; site-b has no subscription yet");

        try (Consumer consumer = new Consumer(Set.of())) {
            CommandResult again = send("--json", file, "--wait", "delivered");
            assertThat(again.code()).as(again::err).isZero();
            assertThat(object(again.out()).get("sent").asText()).isEqualTo("resumed");
            assertThat(consumer.keys.get("f")).containsExactly(line.get("key").asText());
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aTopicWithoutASubscriptionIsAWarning() throws Exception {
        String file = file("f", 10).toString();
        CommandResult first = send(file);
        assertThat(first.code()).isZero();
        assertThat(first.err())
                .contains("warning: f: no subscription is on its topic yet")
                .hasLineCount(1);
        assertThat(object(send("--json", file).out()).get("warning").asText()).contains("--retain-unclaimed");

        try (Consumer consumer = new Consumer(Set.of())) {
            await().until(() -> consumer.keys.getOrDefault("f", Set.of()).size() == 2);
            CommandResult last = send("--json", file);
            assertThat(object(last.out()).get("warning").isNull()).isTrue();
            assertThat(last.err()).isEmpty();
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void twoCommandsUseOneStateDirectoryAtOnce() throws Exception {
        List<String> waits = command(file("waits", 10).toString(), "--wait", "delivered");
        try (JavaProcess first = JavaProcess.start(directory, "first", Map.of(), Hawser.class, waits)) {
            await().until(() -> first.err().contains("has no subscription yet"));
            CommandResult second = send(file("second", 10).toString());
            assertThat(second.code()).as(second::err).isZero();
            CommandResult unfinished = unfinished("--wait", "delivered", "--timeout", "1s");
            assertThat(unfinished.code()).isEqualTo(6);
            assertThat(unfinished.err()).contains(state + " is in use by another process");
            assertThat(unfinished.out()).doesNotContain("nothing is left");
            try (Consumer consumer = new Consumer(Set.of())) {
                assertThat(first.await()).isZero();
                await().until(() -> consumer.keys.keySet().equals(Set.of("waits", "second")));
            }
        }
    }

    /** The two would publish as two nodes, and the first one's file, which is larger, would often arrive last. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void ofTwoCommandsThatSendOneNameTheSecondIsRefused() throws Exception {
        List<String> waits = command(file("a/f", 5 * FRAGMENT).toString(), "--wait", "delivered");
        Path later = file("b/f", 10);
        try (JavaProcess first = JavaProcess.start(directory, "first", Map.of(), Hawser.class, waits)) {
            await().until(() -> first.err().contains("has no subscription yet"));
            CommandResult second = send(later.toString(), "--wait", "delivered", "--timeout", "2s");
            assertThat(second.code()).as(second::err).isEqualTo(6);
            assertThat(second.err()).contains("another hawser send", "is sending 'f'", "Nothing was sent");
            AgentB agent = chain.agentB("site-b", "b", into);
            try {
                assertThat(first.await()).isZero();
                CommandResult again = send(later.toString(), "--wait", "delivered");
                assertThat(again.code()).as(again::err).isZero();
                assertThat(into.resolve("f")).hasSameBinaryContentAs(later);
            } finally {
                agent.stop();
            }
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsMeantForOneBrokerDoesNotGoToAnother() throws Exception {
        Path left = file("left", 2 * FRAGMENT);
        String first = chain.address().toString();
        chain.stopBroker();
        assertThat(send(left.toString(), "--connect-timeout", "300ms").code()).isEqualTo(3);

        try (LocalChain other = new LocalChain(directory.resolve("other"));
                HawserClient there = other.client("consumer")) {
            Set<String> names = ConcurrentHashMap.newKeySet();
            there.receive("site-b", "consumer", object -> {
                        names.add(object.name());
                        object.ack();
                    })
                    .subscribed()
                    .get(TestTimes.SECONDS, TimeUnit.SECONDS);
            CommandResult elsewhere = CommandResult.of(List.of(
                    "send",
                    file("f", 10).toString(),
                    "--to",
                    "site-b",
                    "--wait",
                    "delivered",
                    "--state",
                    state.toString(),
                    "--broker",
                    other.address().toString()));
            assertThat(elsewhere.code()).as(elsewhere::err).isZero();
            assertThat(elsewhere.err())
                    .contains(
                            "may not all be there yet",
                            "hawser send --unfinished --broker " + first + " --state " + state);
            assertThat(names).containsExactly("f");
        }

        chain.restartBroker();
        try (Consumer consumer = new Consumer(Set.of())) {
            CommandResult finished = unfinished("--wait", "delivered");
            assertThat(finished.code()).as(finished::err).isZero();
            assertThat(finished.out()).startsWith("1 of 1 delivered, 2 MiB in ");
            assertThat(finished.err()).doesNotContain("may not all be there");
            assertThat(consumer.keys).containsOnlyKeys("left");
            assertThat(unfinished().out()).isEqualTo("nothing is left for " + first + System.lineSeparator());
            assertThat(send(left.toString(), "--wait", "delivered").out())
                    .startsWith("1 of 1 delivered (1 sent earlier)");
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void unfinishedWaitsForTheLevelThatIsAskedFor() throws Exception {
        try (Consumer consumer = new Consumer(Set.of("killed"))) {
            List<String> command = command(file("killed", 2 * FRAGMENT).toString(), "--wait", "delivered");
            try (JavaProcess run = JavaProcess.start(directory, "run", Map.of(), Hawser.class, command)) {
                await().until(() -> consumer.keys.containsKey("killed"));
                run.interrupt();
                assertThat(run.await()).isEqualTo(130);
            }

            assertThat(unfinished("--wait", "brokered").code()).isZero();
            CommandResult late = unfinished("--wait", "delivered", "--timeout", "1s");
            assertThat(late.code()).as(late::err).isEqualTo(7);
            assertThat(late.err()).contains("hawser: killed: not delivered within 1 s");

            consumer.release();
            CommandResult finished = unfinished("--wait", "delivered");
            assertThat(finished.code()).as(finished::err).isZero();
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void unfinishedLooksIntoSettledSlotsForWhatIsNotDelivered() throws Exception {
        assertThat(send(file("f", 10).toString()).code()).isZero();
        assertThat(unfinished().out()).isEqualTo("nothing is left for " + chain.address() + System.lineSeparator());
        try (Consumer consumer = new Consumer(Set.of())) {
            CommandResult finished = unfinished("--wait", "delivered");
            assertThat(finished.code()).as(finished::err).isZero();
            assertThat(finished.out()).startsWith("1 of 1 delivered, ");
            assertThat(consumer.keys).containsOnlyKeys("f");
            assertThat(unfinished("--wait", "delivered").out())
                    .isEqualTo("nothing is left for " + chain.address() + System.lineSeparator());
        }
    }

    /** Another run has heard of it meanwhile, and had nothing to do with it. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void unfinishedSaysWhatHasFailedMeanwhile() throws Exception {
        Path file = file("rejected", 10);
        assertThat(send(file.toString(), "--wait", "delivered", "--timeout", "1s")
                        .code())
                .isEqualTo(7);
        try (Consumer consumer = new Consumer(Set.of())) {
            assertThat(send(file("g", 10).toString(), "--wait", "delivered").code())
                    .isZero();
            consumer.awaitNothingPending();
        }

        CommandResult unfinished = unfinished("--wait", "delivered");

        assertThat(unfinished.code()).isEqualTo(1);
        assertThat(unfinished.err()).contains("hawser: rejected failed in an earlier run, and is not delivered");
        assertThat(unfinished.out()).doesNotContain("nothing is left");
    }

    private CommandResult unfinished(String... arguments) {
        List<String> words = new ArrayList<>(List.of("--unfinished"));
        words.addAll(List.of(arguments));
        return send(words.toArray(String[]::new));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aFileThatIsGoneWhenItIsResumedFailsInWords() throws Exception {
        Path file = file("f", 2 * FRAGMENT);
        chain.stopBroker();
        assertThat(send(file.toString(), "--wait", "spooled").code()).isZero();
        Files.delete(file);
        chain.restartBroker();

        CommandResult gone = unfinished();
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.err()).startsWith("hawser: f: " + file + " is gone");
        assertThat(unfinished().out()).startsWith("nothing is left");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void anAnswerThatCannotBeWrittenIsNoSuccess() throws Exception {
        StringWriter err = new StringWriter();
        int code = Hawser.run(
                ServiceLoader.load(Subcommand.class),
                Map.of(),
                new PrintWriter(new FileOutputStream("/dev/full"), true, StandardCharsets.UTF_8),
                new PrintWriter(err),
                command("--json", file("f", 10).toString()).toArray(String[]::new));
        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("standard output could not be written");
    }

    @Test
    void whatTheBrokerRefusesIsExitCode4AndTheRestIsSent() throws Exception {
        Path large = file("large", QUOTA_BYTES + 1);
        CommandResult result = send(large.toString());
        assertThat(result.code()).isEqualTo(4);
        assertThat(result.err()).startsWith("hawser: large: ").contains("quota").hasLineCount(1);

        Path gone = file("gone", 10);
        String name = "x".repeat(200);
        CommandResult mixed =
                send(gone.toString(), large.toString(), file(name, 10).toString());
        assertThat(mixed.code()).isEqualTo(4);
        assertThat(mixed.out()).startsWith("2 of 3 brokered");
    }

    @Test
    void withoutABrokerItIsExitCode3AndTheSameCommandGoesOnLater() throws Exception {
        file("tree/small", 10);
        file("tree/large", 2 * FRAGMENT);
        String tree = directory.resolve("tree").toString();
        chain.stopBroker();
        CommandResult failed = send(tree, "--connect-timeout", "300ms");
        assertThat(failed.code()).isEqualTo(3);
        assertThat(failed.err())
                .startsWith("hawser: cannot connect to the broker " + chain.address())
                .contains("run the same command again")
                .hasLineCount(1);

        chain.restartBroker();
        try (Consumer consumer = new Consumer(Set.of())) {
            // Another command brings the journal's transfers to their end, and the first one is to know of it.
            assertThat(send(file("other", 10).toString(), "--wait", "delivered").code())
                    .isZero();
            await().until(() -> consumer.keys.size() == 3);
            assertThat(send(tree, "--wait", "delivered").code()).isZero();
            consumer.awaitNothingPending();
            assertThat(consumer.keys.keySet()).containsExactly("other", "tree/large", "tree/small");
            assertThat(consumer.keys.values()).allMatch(keys -> keys.size() == 1);

            // The command is complete: from now on it is a new one, also where nothing has changed.
            assertThat(send(tree, "--wait", "delivered").out()).startsWith("2 of 2 delivered, ");
            assertThat(consumer.keys.get("tree/large")).hasSize(2);
            assertThat(consumer.keys.get("tree/small")).hasSize(2);
        }
    }

    @Test
    void afterCtrlCTheSameCommandSendsNothingAgainThatWasFinished() throws Exception {
        file("tree/done-empty", 0);
        file("tree/done-large", 2 * FRAGMENT);
        Path changed = file("tree/done-then-changed", 10);
        for (int i = 0; i < 20; i++) {
            file("tree/done-" + i, 1000 + i);
            file("tree/held-" + i, 1000 + i);
        }
        file("tree/held-large", FRAGMENT + 1);
        String tree = directory.resolve("tree").toString();
        try (Consumer consumer = new Consumer(Set.of("tree/held-"))) {
            List<String> command = command(tree, "--wait", "delivered");
            try (JavaProcess run = JavaProcess.start(directory, "run", Map.of(), Hawser.class, command)) {
                await().until(() -> run.err().contains("23 of 44 files"));
                run.interrupt();
                assertThat(run.await()).isEqualTo(130);
                assertThat(run.err()).contains("interrupted; run the same command again to continue");
                assertThat(run.err()).containsPattern(" durable at the broker, .* at consumer, 23 of 44 files, ");
            }
            Files.setLastModifiedTime(changed, FileTime.fromMillis(0));
            consumer.release();
            CommandResult again = send(tree, "--wait", "delivered");
            assertThat(again.code()).as(again::err).isZero();
            assertThat(again.out()).startsWith("44 of 44 delivered (22 sent earlier), ");
            consumer.awaitNothingPending();
            assertThat(consumer.keys).hasSize(44);
            consumer.keys.forEach(
                    (name, keys) -> assertThat(keys).as(name).hasSize(name.equals("tree/done-then-changed") ? 2 : 1));
        }
    }

    /** An application that takes what is sent, but for what it holds back, and remembers which transfers brought it. */
    private final class Consumer implements AutoCloseable {
        private final Map<String, Set<String>> keys = new ConcurrentSkipListMap<>();
        private final Set<ReceivedObject> heldBack = ConcurrentHashMap.newKeySet();
        private final Set<String> prefixes;
        private final HawserClient client;
        private boolean released;

        Consumer(Set<String> heldPrefixes) throws Exception {
            prefixes = heldPrefixes;
            client = chain.client("consumer");
            Receiver receiver = client.receive("site-b", "consumer", this::take);
            receiver.subscribed().get(TestTimes.SECONDS, TimeUnit.SECONDS);
        }

        private synchronized void take(ReceivedObject object) {
            keys.computeIfAbsent(object.name(), name -> ConcurrentHashMap.newKeySet())
                    .add(object.id().toString());
            if (object.name().equals("rejected")) {
                object.reject("not wanted");
            } else if (!released && prefixes.stream().anyMatch(object.name()::startsWith)) {
                heldBack.add(object);
            } else {
                object.ack();
            }
        }

        synchronized void release() {
            released = true;
            heldBack.forEach(ReceivedObject::ack);
        }

        /** Waits until the sender's journal has nothing more on its way, so that nothing more can come. */
        void awaitNothingPending() throws IOException {
            try (HawserClient sender =
                    HawserClient.connect(chain.options("sender").withState(state))) {
                await().until(() -> sender.pending().isEmpty());
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
