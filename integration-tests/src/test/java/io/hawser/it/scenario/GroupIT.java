package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.MemberStatus;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several agent-b share one subscription, each with a directory of its own. */
class GroupIT extends Scenario {
    private static final String GROUP = "workers";
    private static final int FILES = 30;

    private final Map<String, NodeProcess> members = new HashMap<>();
    private final Map<String, Path> sources = new TreeMap<>();

    @BeforeEach
    void startBrokerAndAgentA() throws IOException {
        chain.with(Part.BROKER, "--member-patience", "2s");
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
    }

    @AfterEach
    void endMembers() {
        members.values().forEach(NodeProcess::close);
    }

    private Path target(String member) {
        return directory.resolve(member);
    }

    private void startMember(String member, String... more) throws IOException {
        startMemberInto(member, Files.createDirectories(target(member)).toString(), more);
    }

    private void startMemberInto(String member, String into, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "agent-b",
                "--broker",
                chain.brokerPtcp().toString(),
                "--data",
                directory.resolve(member + "-data").toString(),
                "--subscribe",
                ProcessChain.TOPIC,
                "--into",
                into,
                "--name",
                GROUP,
                "--member",
                member,
                "--admin",
                "127.0.0.1:0"));
        command.addAll(List.of(more));
        members.put(member, NodeProcess.start(directory.resolve(member + ".log"), command));
    }

    private SubscriptionStatus status() throws IOException {
        return Json.readList(
                        page(Part.BROKER, "/subscriptions").getBytes(StandardCharsets.UTF_8), SubscriptionStatus.class)
                .stream()
                .filter(each -> each.name().equals(GROUP))
                .findFirst()
                .orElseThrow();
    }

    private MemberStatus status(String member) throws IOException {
        return status().members().stream()
                .filter(each -> each.name().equals(member))
                .findFirst()
                .orElseThrow();
    }

    private void awaitMembers(int count) {
        await("the members")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"" + GROUP + "\"")
                        && status().members().stream()
                                        .filter(MemberStatus::connected)
                                        .count()
                                == count);
    }

    private void publish(String name, long size, long seed) throws Exception {
        Path source = sample("source-" + name, size, seed);
        sources.put(name, source);
        upload(source, name);
    }

    /** Which members have which file. */
    private Map<String, List<String>> holders(Collection<String> of) throws IOException {
        Map<String, List<String>> holders = new TreeMap<>();
        for (String member : of) {
            for (String name : visible(target(member))) {
                holders.computeIfAbsent(name, unused -> new ArrayList<>()).add(member);
            }
        }
        return holders;
    }

    private void assertEachOnceAndWhole(Collection<String> of) throws IOException {
        Map<String, List<String>> holders = holders(of);
        assertThat(holders.keySet()).isEqualTo(sources.keySet());
        for (Map.Entry<String, List<String>> held : holders.entrySet()) {
            assertThat(held.getValue()).as(held.getKey()).hasSize(1);
            Path copy = target(held.getValue().get(0)).resolve(held.getKey());
            assertThat(Files.mismatch(copy, sources.get(held.getKey())))
                    .as(held.getKey())
                    .isEqualTo(-1);
        }
    }

    @Test
    void membersShareTheWorkAndOneThatIsKilledInTheMiddleLeavesItsShareToTheOthers() throws Exception {
        List<String> names = List.of("w1", "w2", "w3");
        for (String member : names) {
            startMember(member, "--max-rate", "3MB/s");
        }
        awaitMembers(names.size());
        chain.kill(Part.BROKER);
        for (int i = 0; i < FILES; i++) { // agent-a has them, and all come at once
            publish(String.format(Locale.ROOT, "work-%02d", i), i % 3 == 0 ? 8 * MIB : 300_000 + i, i + 1);
        }
        chain.start(Part.BROKER);
        String victim = awaitOneInTheMiddle();
        List<String> others =
                names.stream().filter(each -> !each.equals(victim)).toList();

        members.get(victim).kill();
        Map<String, List<String>> before = holders(names);

        // All but what the dead one alone may have delivered.
        await("the others have its share").until(() -> {
            MemberStatus dead = status(victim);
            return !dead.connected()
                    && status().backlog().pendingTransfers() == dead.assigned().pinnedTransfers();
        });
        String shown = CommandRun.of(
                        "subscriptions",
                        "list",
                        "--admin",
                        chain.admin(Part.BROKER).orElseThrow().toString())
                .succeeded()
                .out();
        assertThat(shown)
                .containsPattern("member " + others.get(0) + "  connected  has nothing, delivered ")
                .containsPattern("member " + victim + "  away since \\S+Z  has .*, delivered");
        assertThat(holders(others).size())
                .as("files that the others have now, and those that they had")
                .isGreaterThan((int) before.values().stream()
                        .filter(held -> !held.contains(victim))
                        .count());

        startMember(victim);
        await("what only it could deliver").until(() -> status().backlog().pendingTransfers() == 0);
        assertEachOnceAndWhole(names);
        await("what it had a part of is dropped")
                .until(() -> landingFiles(target(victim)).isEmpty());
        holders(names).forEach((name, held) -> chain.status(Part.AGENT_A, name)
                .ifPresent(known -> assertThat(known.receipts())
                        .as(name)
                        .allSatisfy(receipt -> assertThat(receipt.reason()).isEqualTo("member " + held.get(0)))));
    }

    /** Which of them get much depends on who is back first. The one that is meant has something that another may get. */
    private String awaitOneInTheMiddle() {
        AtomicReference<String> found = new AtomicReference<>();
        await("a member in the middle of its work").until(() -> {
            status().members().stream()
                    .filter(each -> each.delivered().deliveredTransfers() > 0
                            && each.assigned().transfers() > each.assigned().pinnedTransfers() + 1)
                    .findFirst()
                    .ifPresent(each -> found.set(each.name()));
            return found.get() != null;
        });
        return found.get();
    }

    /** Files of transfers that are not finished. */
    private static List<Path> landingFiles(Path target) throws IOException {
        try (Stream<Path> paths = Files.walk(target)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> path.getParent().toString().contains(".hawser-landing"))
                    .filter(path -> path.getFileName().toString().endsWith(".part"))
                    .toList();
        }
    }

    @Test
    void whatADeadMemberMayHaveDeliveredWaitsForItAlsoWhenTheBrokerIsKilledUntilTheOperatorSaysItIsLost()
            throws Exception {
        startMemberInto("w1", "ftp://127.0.0.1:" + closedPort() + "/in");
        awaitMembers(1);
        publish("pinned", 3 * MIB, 1);
        await("its permit").until(() -> status("w1").assigned().pinnedTransfers() == 1);
        members.get("w1").kill();
        chain.kill(Part.BROKER);
        chain.start(Part.BROKER);

        startMember("w2");
        awaitMembers(1);
        publish("free", 2 * MIB, 2);
        await("the other file").until(() -> visible(target("w2")).equals(List.of("free")));
        await("who waits for whom").until(() -> {
            SubscriptionStatus group = status();
            return group.backlog().pendingTransfers() == 1
                    && status("w1").assigned().pinnedTransfers() == 1;
        });

        String admin = chain.admin(Part.BROKER).orElseThrow().toString();
        assertThat(CommandRun.of("subscriptions", "lost", GROUP, "w1", "--admin", admin)
                        .succeeded()
                        .out())
                .contains("lost: member w1 of " + GROUP);
        await("what it had").until(() -> status().backlog().pendingTransfers() == 0);
        assertEachOnceAndWhole(List.of("w2"));
        await("its receipt").until(() -> receipts("pinned", "delivered") == 1);
        assertThat(chain.status(Part.AGENT_A, "pinned").orElseThrow().receipts())
                .singleElement()
                .satisfies(receipt -> assertThat(receipt.reason()).isEqualTo("member w2"));

        startMemberInto("w1", "ftp://127.0.0.1:" + closedPort() + "/in");
        await("the lost one is not let in").until(() -> members.get("w1").log().contains("declared lost"));
        assertThat(status().members()).extracting(MemberStatus::name).containsExactly("w2");
    }

    /** A port at which nobody listens. */
    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
