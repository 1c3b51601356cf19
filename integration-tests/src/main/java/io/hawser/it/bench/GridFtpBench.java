package io.hawser.it.bench;

import io.hawser.common.observe.TransferStatus;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.SampleFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The same upload by {@code globus-url-copy} to agent-a, until its final reply (spooled: on stable storage there), and straight
 * to a {@code globus-gridftp-server}, which leaves the bytes in the page cache. In pairs, the first of a pair by turns; the
 * next upload begins when the last one has been delivered. A pair that is not counted warms both.
 *
 * <p>Thread: main; {@link #end} any.
 */
final class GridFtpBench {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long POLL_MILLIS = 50;
    private static final int STREAMS = 4;

    private final Chain chain;
    private final Path directory;
    private final long sizeBytes;
    private final int pairs;
    private final PrintWriter out;
    private volatile @Nullable Process server;

    /** Seconds of the two uploads of a pair. */
    private record Pair(double hawser, double direct) {
        double ratio() {
            return hawser / direct;
        }
    }

    GridFtpBench(Chain chain, Path directory, long sizeBytes, int pairs, PrintWriter out) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.pairs = pairs;
        this.out = out;
    }

    /** Measures and prints; returns whether every file arrived with the right bytes. */
    boolean run() throws IOException, InterruptedException {
        Path source = directory.resolve("source");
        SampleFile.write(source, sizeBytes, 1);
        Path root = Files.createDirectories(directory.resolve("direct"));
        int port = startServer(root);
        try {
            chain.startAll();
            boolean equal = true;
            List<Pair> results = new ArrayList<>();
            for (int i = 0; i <= pairs; i++) {
                Path direct = root.resolve("file-" + i);
                String name = "file-" + i;
                boolean directFirst = i % 2 == 0;
                double directSeconds = directFirst ? upload(source, "127.0.0.1:" + port + direct) : 0;
                double hawserSeconds = upload(source, chain.ftp() + "/" + name);
                awaitDelivery(name);
                if (!directFirst) {
                    directSeconds = upload(source, "127.0.0.1:" + port + direct);
                }
                equal &= Files.mismatch(source, chain.target().resolve(name)) < 0 && Files.mismatch(source, direct) < 0;
                Files.delete(direct);
                Files.delete(chain.target().resolve(name));
                print(i, new Pair(hawserSeconds, directSeconds));
                if (i > 0) {
                    results.add(new Pair(hawserSeconds, directSeconds));
                }
            }
            say("median ratio %.2f, of %d pairs", median(results), pairs);
            say(equal ? "all bytes compared equal" : "NOT EQUAL");
            return equal;
        } finally {
            end();
        }
    }

    /** Ends the server. */
    void end() {
        Process running = server;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    private void print(int pair, Pair seconds) {
        say(
                "%-9s to agent-a, until 226 %6.0f MB/s | to globus-gridftp-server %6.0f MB/s | ratio of times %.2f",
                pair == 0 ? "warm-up" : "pair " + pair,
                sizeBytes / seconds.hawser() / 1e6,
                sizeBytes / seconds.direct() / 1e6,
                seconds.ratio());
    }

    private static double median(List<Pair> results) {
        List<Double> ratios = results.stream().map(Pair::ratio).sorted().toList();
        int middle = ratios.size() / 2;
        return ratios.size() % 2 == 1 ? ratios.get(middle) : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
    }

    private int startServer(Path root) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> command = new ArrayList<>(List.of("globus-gridftp-server", "-aa", "-allow-root"));
        command.addAll(List.of("-anonymous-user", System.getProperty("user.name"), "-home-dir", root.toString()));
        command.addAll(List.of("-control-interface", "127.0.0.1", "-data-interface", "127.0.0.1"));
        command.addAll(List.of("-p", Integer.toString(port)));
        Process started = start(command, "globus-gridftp-server.log");
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

    private Process start(List<String> command, String log) throws IOException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve(log).toFile())
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    command.get(0) + " cannot be started. Install it (Debian: globus-gass-copy-progs,"
                            + " globus-gridftp-server-progs; servers are in /usr/sbin).",
                    e);
        }
    }

    /** Seconds until the client has ended, which it does at the final reply. */
    private double upload(Path source, String to) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process client = start(
                List.of("globus-url-copy", "-p", Integer.toString(STREAMS), "file://" + source, "ftp://" + to),
                "globus-url-copy.log");
        try {
            if (!client.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || client.exitValue() != 0) {
                throw new IOException("the upload to " + to + " failed: "
                        + Files.readString(directory.resolve("globus-url-copy.log")));
            }
        } finally {
            client.destroyForcibly();
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private void awaitDelivery(String name) throws InterruptedException {
        long began = System.nanoTime();
        while (!chain.status(Part.BROKER, name)
                .map(TransferStatus::state)
                .orElse("")
                .equals("delivered")) {
            if (System.nanoTime() - began > LIMIT.toNanos()) {
                throw new IllegalStateException(name + " was not delivered within " + LIMIT.toMinutes() + " minutes");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
