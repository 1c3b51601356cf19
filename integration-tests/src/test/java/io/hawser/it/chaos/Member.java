package io.hawser.it.chaos;

import io.hawser.common.config.HostPort;
import io.hawser.it.harness.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One node in all its lives, at the same addresses. Thread: any. */
final class Member {
    private static final int START_TRIES = 3;

    private final String name;
    private final Path log;
    private final Supplier<List<String>> arguments;
    private @Nullable NodeProcess node;
    private @Nullable NodeProcess first;
    private int lives;

    /** @param arguments asked at each start, so that the second one can name the addresses of the first */
    Member(String name, Path log, Supplier<List<String>> arguments) {
        this.name = name;
        this.log = log;
        this.arguments = arguments;
    }

    String name() {
        return name;
    }

    synchronized int lives() {
        return lives;
    }

    /** Starts it; returns the time from the start of the process until it was ready, in ms. */
    synchronized long start() throws IOException {
        long began = System.nanoTime();
        for (int i = 1; ; i++) {
            try {
                node = NodeProcess.start(log, NodeProcess.NODE_OPTIONS, Map.of(), arguments.get());
                break;
            } catch (IllegalStateException e) {
                // Somebody else may have got its port while it was away.
                if (i == START_TRIES || !String.valueOf(e.getMessage()).contains("in use")) {
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

    /** {@code kill -9}. */
    synchronized void kill() {
        if (node != null) {
            node.kill();
            node = null;
        }
    }

    synchronized boolean isAlive() {
        return node != null && node.isAlive();
    }

    /** The exit code of a node that ended by itself. */
    synchronized int exitCode() {
        return node == null ? 0 : node.awaitExit(Duration.ofSeconds(1));
    }

    /** STOP or CONT. */
    synchronized void signal(String signal) throws IOException, InterruptedException {
        if (node != null) {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(node.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IOException("kill -" + signal + " " + name + " failed");
            }
        }
    }

    /** The address of the first start, which all later ones have; port 0 before. */
    synchronized HostPort address(String what) {
        return first == null ? new HostPort("127.0.0.1", 0) : first.address(what);
    }
}
