package io.hawser.it.chaos;

import io.hawser.common.cli.AdminClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A broker, an agent-a and two agent-b, with a {@link ChaosProxy} in front of the broker for each of them and for the API. The broker may be at the far end of
 * an emulated link. Thread: any.
 */
final class Deployment implements AutoCloseable {
    static final String TOPIC = "site-b";
    static final List<String> SUBSCRIPTIONS = List.of("b1", "b2");
    private static final int ROOM_TRIES = 400;
    private static final int ROOM_PAUSE_MILLIS = 100;
    private static final String ADMIN_TOKEN = "whoever runs this chaos may look";

    final Member broker;
    final Member agentA;
    final Map<String, Member> agentsB = new LinkedHashMap<>();
    final Map<String, ChaosProxy> links = new LinkedHashMap<>();
    private final Path directory;
    private final Set<Fault> faults;
    private final Map<String, SmallDisk> disks = new LinkedHashMap<>();
    private final Map<String, NodeClock> clocks = new LinkedHashMap<>();

    /**
     * Prepares a deployment; nothing runs yet.
     *
     * @param faults that it must be built for
     * @param streams what the agents are told to use
     */
    Deployment(Path directory, Set<Fault> faults, String streams) throws IOException {
        this.directory = directory;
        this.faults = faults;
        Files.createDirectories(directory);
        Files.writeString(token(), ADMIN_TOKEN);
        Files.setPosixFilePermissions(token(), PosixFilePermissions.fromString("rw-------"));
        Site far = Site.ofBroker();
        broker = member("broker", "broker", far, () -> {
            List<String> words = new ArrayList<>(List.of("--listen", address("ptcp"), "--data", data("broker")));
            if (!far.isHere()) {
                words.add("--insecure"); // its network has nobody else
            }
            return words;
        });
        agentA = member(
                "agent-a",
                "agent-a",
                Site.HERE,
                () -> List.of(
                        "--broker",
                        link("agent-a"),
                        "--spool",
                        data("agent-a"),
                        "--ftp",
                        ftp(),
                        "--to",
                        TOPIC,
                        "--streams",
                        streams));
        for (String who : List.of("agent-a", "api", "app")) {
            link(who);
        }
        for (String subscription : SUBSCRIPTIONS) {
            String name = "agent-" + subscription;
            agentsB.put(
                    subscription,
                    member(
                            name,
                            "agent-b",
                            Site.HERE,
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
                                    subscription,
                                    "--streams",
                                    streams)));
            link(name);
            Files.createDirectories(target(subscription));
        }
    }

    private interface Arguments {
        List<String> get() throws IOException;
    }

    private Member member(String name, String command, Site site, Arguments arguments) throws IOException {
        if (faults.contains(Fault.DISK)) {
            disks.put(name, new SmallDisk(home(name)));
        }
        Map<String, String> environment = Map.of();
        if (faults.contains(Fault.CLOCK)) {
            NodeClock clock = new NodeClock(directory.resolve(name + ".clock"));
            clocks.put(name, clock);
            environment = clock.environment();
        }
        Member[] made = new Member[1];
        made[0] = new Member(name, directory.resolve(name + ".log"), site, environment, () -> {
            try {
                List<String> all = new ArrayList<>(List.of(
                        command,
                        "--admin",
                        made[0].address("admin").toString(),
                        "--admin-token-file",
                        token().toString()));
                all.addAll(arguments.get());
                return all;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return made[0];
    }

    private Path token() {
        return directory.resolve("admin-token");
    }

    /** The admin pages of a node, which may be at the other end of a link. */
    static AdminClient admin(Member member, Duration timeout) throws IOException {
        return new AdminClient(member.address("admin"), null, timeout, ADMIN_TOKEN);
    }

    private String address(String what) {
        return broker.address(what).toString();
    }

    private String ftp() {
        return agentA.address("ftp").toString();
    }

    /** Where a node keeps all that it keeps. */
    Path home(String name) {
        return directory.resolve(name);
    }

    private String data(String name) {
        return home(name).resolve("data").toString();
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

    /** A node's own links: the broker has all. */
    Collection<ChaosProxy> linksOf(Member member) {
        return member == broker
                ? links.values()
                : links.values().stream()
                        .filter(link -> link.name().equals(member.name()))
                        .toList();
    }

    Path target(String subscription) {
        return home("agent-" + subscription).resolve("delivered");
    }

    List<Member> members() {
        List<Member> all = new ArrayList<>(List.of(broker, agentA));
        all.addAll(agentsB.values());
        return all;
    }

    /** Its file system; only with the fault {@link Fault#DISK}. */
    SmallDisk disk(Member member) {
        return of(disks, member);
    }

    /** Its clock; only with the fault {@link Fault#CLOCK}. */
    NodeClock clock(Member member) {
        return of(clocks, member);
    }

    private static <T> T of(Map<String, T> all, Member member) {
        T found = all.get(member.name());
        if (found == null) {
            throw new IllegalStateException("the deployment was not built for this fault");
        }
        return found;
    }

    /** Whether somebody has filled its file system, now or not long ago. */
    boolean wasFull(Member member) {
        SmallDisk disk = disks.get(member.name());
        return disk != null && disk.wasFull();
    }

    /** Waits until its file system is no longer full; false if it was not. */
    boolean awaitRoom(Member member) throws InterruptedException {
        if (!wasFull(member)) {
            return false;
        }
        for (int i = 0; i < ROOM_TRIES && disk(member).isFull(); i++) {
            Thread.sleep(ROOM_PAUSE_MILLIS);
        }
        return true;
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

    @Override
    public void close() throws IOException {
        members().forEach(Member::close);
        for (ChaosProxy link : links.values()) {
            link.close();
        }
        for (SmallDisk disk : disks.values()) {
            disk.close();
        }
    }
}
