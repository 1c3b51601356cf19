package io.hawser.it.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A broker, an agent-a and two agent-b, with a {@link ChaosProxy} in front of the broker for each of them and for the API. Thread: one. */
final class Deployment implements AutoCloseable {
    static final String TOPIC = "site-b";
    static final List<String> SUBSCRIPTIONS = List.of("b1", "b2");

    final Member broker;
    final Member agentA;
    final Map<String, Member> agentsB = new LinkedHashMap<>();
    final Map<String, ChaosProxy> links = new LinkedHashMap<>();
    private final Path directory;

    Deployment(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory);
        broker = member("broker", () -> List.of("--listen", address("ptcp"), "--data", data("broker")));
        agentA = member(
                "agent-a",
                () -> List.of("--broker", link("agent-a"), "--spool", data("agent-a"), "--ftp", ftp(), "--to", TOPIC));
        link("agent-a");
        link("api");
        for (String subscription : SUBSCRIPTIONS) {
            Files.createDirectories(target(subscription));
            String name = "agent-" + subscription;
            agentsB.put(
                    subscription,
                    member(
                            name,
                            "agent-b",
                            () -> List.of(
                                    "--broker",
                                    link(name),
                                    "--data",
                                    data(name),
                                    "--subscribe",
                                    TOPIC,
                                    "--into",
                                    target(subscription).toString(),
                                    "--name",
                                    subscription)));
        }
    }

    private interface Arguments {
        List<String> get() throws IOException;
    }

    private Member member(String name, Arguments arguments) {
        return member(name, name, arguments);
    }

    private Member member(String name, String command, Arguments arguments) {
        Member[] made = new Member[1];
        made[0] = new Member(name, directory.resolve(name + ".log"), () -> {
            try {
                List<String> all = new ArrayList<>(
                        List.of(command, "--admin", made[0].address("admin").toString()));
                all.addAll(arguments.get());
                return all;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return made[0];
    }

    private String address(String what) {
        return broker.address(what).toString();
    }

    private String ftp() {
        return agentA.address("ftp").toString();
    }

    private String data(String name) {
        return directory.resolve(name).toString();
    }

    /** Where {@code who} finds the broker. */
    String link(String who) throws IOException {
        ChaosProxy link = links.get(who);
        if (link == null) {
            link = new ChaosProxy(who, () -> broker.address("ptcp"));
            links.put(who, link);
        }
        return link.address().toString();
    }

    Path target(String subscription) {
        return directory.resolve("delivered-" + subscription);
    }

    List<Member> members() {
        List<Member> all = new ArrayList<>(List.of(broker, agentA));
        all.addAll(agentsB.values());
        return all;
    }

    /** The broker, then the others at once. */
    void startAll() throws Exception {
        broker.start();
        List<CompletableFuture<?>> starts = new ArrayList<>();
        for (Member member : members()) {
            if (member != broker) {
                starts.add(
                        CompletableFuture.supplyAsync(() -> startUnchecked(member), task -> new Thread(task).start()));
            }
        }
        for (CompletableFuture<?> start : starts) {
            start.get();
        }
    }

    private static long startUnchecked(Member member) {
        try {
            return member.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the index of a broker that does not run; returns whether there was one. */
    boolean deleteIndex() throws IOException {
        try (var paths = Files.walk(directory.resolve("broker"))) {
            List<Path> files =
                    paths.filter(path -> path.toString().endsWith(".mv.db")).toList();
            for (Path file : files) {
                Files.delete(file);
            }
            return !files.isEmpty();
        }
    }

    @Override
    public void close() throws IOException {
        members().forEach(Member::kill);
        for (ChaosProxy link : links.values()) {
            link.close();
        }
    }
}
