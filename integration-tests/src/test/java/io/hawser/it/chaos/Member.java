package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import io.hawser.it.harness.Shell;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One node in all its lives, at the same addresses. Thread: any. */
final class Member {
    private static final int START_TRIES = 3;
    private static final long TWIN_LIMIT_SECONDS = 2 * TestTimes.SECONDS;
    /** What a node is told an address for. */
    private static final Set<String> ADDRESSES = Set.of("--admin", "--ftp", "--listen");

    private final String name;
    private final Path log;
    private final Site site;
    private final List<String> jvmOptions;
    private final Map<String, String> environment;
    private final Map<String, HostPort> addresses;
    private final Function<Member, List<String>> arguments;
    private @Nullable NodeProcess node;
    private @Nullable NodeProcess first;
    private boolean closed;
    private int lives;
    private int slowStarts;

    /**
     * A node that does not run yet.
     *
     * @param addresses by what is spoken there, for one that others must know before it is ready; the rest it chooses itself
     * @param arguments asked at each start, so that the second one can name the addresses of the first
     */
    Member(
            String name,
            Path log,
            Site site,
            List<String> jvmOptions,
            Map<String, String> environment,
            Map<String, HostPort> addresses,
            Function<Member, List<String>> arguments) {
        this.name = name;
        this.log = log;
        this.site = site;
        this.jvmOptions = jvmOptions;
        this.environment = environment;
        this.addresses = Map.copyOf(addresses);
        this.arguments = arguments;
    }

    String name() {
        return name;
    }

    synchronized int lives() {
        return lives;
    }

    /** How often it was killed since it had not become ready in {@link NodeProcess#START_LIMIT}, and started again. */
    synchronized int slowStarts() {
        return slowStarts;
    }

    /** Starts it; returns the time from the start of the process until it was ready, in ms. */
    synchronized long start() throws IOException {
        requireOpen();
        long began = System.nanoTime();
        for (int i = 1; ; i++) {
            try {
                node = NodeProcess.start(log, site.by(), jvmOptions, environment, arguments.apply(this));
                break;
            } catch (IllegalStateException e) {
                // Somebody else may have got its port while it was away; and a machine may be too busy for any start in
                // time.
                String why = String.valueOf(e.getMessage());
                boolean slow = why.contains("was not ready within");
                slowStarts += slow ? 1 : 0;
                if (i == START_TRIES || !(slow || why.contains("in use"))) {
                    throw e;
                }
            }
        }
        if (first == null) {
            first = node;
        }
        lives++;
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    /** Starts it and does not wait: it is ready when it is its turn. */
    synchronized void begin() throws IOException {
        requireOpen();
        node = NodeProcess.begin(log, site.by(), jvmOptions, environment, arguments.apply(this));
        lives++;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(name + " is not started any more: the run is over");
        }
    }

    /** Whether it serves. */
    synchronized boolean isReady() {
        return node != null && node.isReady();
    }

    /** {@code kill -9}. */
    synchronized void kill() {
        if (node != null) {
            node.kill();
            node = null;
        }
    }

    /** {@code kill -9}, for good: a process that outlived its run would write into the directory of the next one. */
    synchronized void close() {
        closed = true;
        kill();
    }

    synchronized boolean isAlive() {
        return node != null && node.isAlive();
    }

    /** The exit code of a node that ended by itself. */
    synchronized int exitCode() {
        return node == null ? 0 : node.awaitExit(Duration.ofSeconds(1));
    }

    /** Starts a second process with its data, at other addresses: it must end by itself and say why. Returns what is wrong, or nothing. */
    String twinIsRefused() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(arguments.apply(this));
        for (int i = 0; i + 1 < words.size(); i++) {
            if (ADDRESSES.contains(words.get(i))) {
                words.set(i + 1, "127.0.0.1:0");
            }
        }
        Path said = log.resolveSibling(name + "-twin.log");
        Files.deleteIfExists(said);
        Process twin = NodeProcess.launch(said, jvmOptions, environment, words);
        try {
            if (!twin.waitFor(TWIN_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return "a second " + name + " runs on the directory of the first";
            }
            String text = Files.readString(said);
            boolean clear = twin.exitValue() != 0 && text.contains("is in use by another hawser process");
            return clear ? "" : "a second " + name + " ended with " + twin.exitValue() + " and said: " + text;
        } finally {
            twin.destroyForcibly();
        }
    }

    /** STOP or CONT. */
    synchronized void signal(String signal) throws IOException {
        if (node != null) {
            Shell.signal(signal, node.pid());
        }
    }

    /** The address of the first start, which all later ones have; port 0 before. */
    synchronized HostPort address(String what) {
        HostPort fixed = addresses.get(what);
        return fixed != null ? fixed : first == null ? site.anyPort() : first.address(what);
    }
}
