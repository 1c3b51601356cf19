package io.hawser.it.bench;

import io.hawser.it.bench.links.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Copies by {@code globus-url-copy} over four data connections, and a {@code globus-gridftp-server} to measure beside. What they say is in
 * files of a directory.
 *
 * <p>Thread: main; {@link #end} any.
 */
final class GlobusPrograms {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long POLL_MILLIS = 50;
    private static final int STREAMS = 4;

    private final Path directory;
    private volatile @Nullable Process server;

    GlobusPrograms(Path directory) {
        this.directory = directory;
    }

    /**
     * Starts the server on a free port of loopback, and waits until it answers.
     *
     * @param environment its certificates and whom it knows; empty without GSI
     * @param flags besides those of its addresses
     * @return its port
     */
    int startServer(Map<String, String> environment, List<String> flags) throws IOException, InterruptedException {
        int port = Programs.freePort();
        List<String> command = new ArrayList<>(List.of("globus-gridftp-server", "-allow-root"));
        command.addAll(List.of("-control-interface", "127.0.0.1", "-data-interface", "127.0.0.1"));
        command.addAll(List.of("-p", Integer.toString(port)));
        command.addAll(flags);
        Process started = start(command, environment, "globus-gridftp-server.log");
        server = started;
        long began = System.nanoTime();
        while (!answers(port)) {
            if (!started.isAlive() || System.nanoTime() - began > LIMIT.toNanos()) {
                throw new IOException("globus-gridftp-server does not start: "
                        + Files.readString(directory.resolve("globus-gridftp-server.log")));
            }
            Thread.sleep(POLL_MILLIS);
        }
        return port;
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Copies a file, whose names are URLs.
     *
     * @param environment whose certificates; empty without GSI
     * @return seconds until the client has ended, which it does at the final reply
     */
    double copy(Map<String, String> environment, List<String> flags, String from, String to)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("globus-url-copy", "-p", Integer.toString(STREAMS)));
        command.addAll(flags);
        command.addAll(List.of(from, to));
        long began = System.nanoTime();
        Process client = start(command, environment, "globus-url-copy.log");
        try {
            if (!client.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || client.exitValue() != 0) {
                throw new IOException("the copy from " + from + " to " + to + " failed: "
                        + Files.readString(directory.resolve("globus-url-copy.log")));
            }
        } finally {
            client.destroyForcibly();
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private Process start(List<String> command, Map<String, String> environment, String log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(log).toFile());
        builder.environment().remove("X509_USER_PROXY"); // of whoever runs the bench
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException(
                    command.get(0) + " cannot be started. Install it (Debian: globus-gass-copy-progs,"
                            + " globus-gridftp-server-progs; servers are in /usr/sbin).",
                    e);
        }
    }

    /** Seconds until what the server left in the page cache is on stable storage. */
    static double force(Path file) throws IOException {
        long began = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        return (System.nanoTime() - began) / 1e9;
    }

    void end() {
        Process running = server;
        if (running != null) {
            running.destroyForcibly();
        }
    }
}
