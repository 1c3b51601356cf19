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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The same upload by {@code globus-url-copy} to agent-a, until its final reply (spooled: on stable storage there), and straight
 * to a {@code globus-gridftp-server}, which leaves the bytes in the page cache. In pairs, the first of a pair by turns, after one that is not counted: first while the broker is away, as if
 * agent-a had the machine to itself; then with all three nodes on it, where the next upload begins when the last one has been
 * delivered.
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
    private final Path source;
    private final Path serverRoot;
    private int serverPort;
    private volatile @Nullable Process server;

    /**
     * Seconds of the two uploads of a pair.
     *
     * @param hawser to agent-a, where the bytes are on stable storage then
     * @param direct to the server
     * @param forced to the server, and then until a force of its file has returned
     */
    private record Pair(double hawser, double direct, double forced) {}

    GridFtpBench(Chain chain, Path directory, long sizeBytes, int pairs, PrintWriter out) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.pairs = pairs;
        this.out = out;
        this.source = directory.resolve("source");
        this.serverRoot = directory.resolve("direct");
    }

    /** Measures and prints; returns whether every file arrived with the right bytes. */
    boolean run() throws IOException, InterruptedException {
        SampleFile.write(source, sizeBytes, 1);
        Files.createDirectories(serverRoot);
        serverPort = startServer();
        try {
            chain.startAll();
            chain.stop(Part.BROKER);
            say("agent-a, while its broker is away:");
            boolean equal = pairs("alone-", false);
            chain.start(Part.BROKER);
            for (int i = 0; i <= pairs; i++) {
                equal &= arrivesWhole("alone-" + i);
            }
            say("agent-a, with broker and agent-b at work on the same processors:");
            equal &= pairs("chain-", true);
            say(equal ? "all bytes compared equal" : "NOT EQUAL");
            return equal;
        } finally {
            end();
        }
    }

    /** Prints each pair, and the median ratio. */
    private boolean pairs(String prefix, boolean delivered) throws IOException, InterruptedException {
        boolean equal = true;
        List<Pair> results = new ArrayList<>();
        for (int i = 0; i <= pairs; i++) {
            String name = prefix + i;
            Path direct = serverRoot.resolve(name);
            String directUrl = "127.0.0.1:" + serverPort + direct;
            boolean directFirst = i % 2 == 0;
            double directSeconds = directFirst ? upload(directUrl) : 0;
            double forceSeconds = directFirst ? force(direct) : 0;
            double hawserSeconds = upload(chain.ftp() + "/" + name);
            if (delivered) {
                equal &= arrivesWhole(name);
            }
            if (!directFirst) {
                directSeconds = upload(directUrl);
                forceSeconds = force(direct);
            }
            equal &= Files.mismatch(source, direct) < 0;
            Files.delete(direct);
            Pair pair = new Pair(hawserSeconds, directSeconds, directSeconds + forceSeconds);
            print(i, pair);
            if (i > 0) {
                results.add(pair);
            }
        }
        say(
                "  median ratio of times %.2f; to a forced file %.2f (of %d pairs)",
                median(results, pair -> pair.hawser() / pair.direct()),
                median(results, pair -> pair.hawser() / pair.forced()),
                pairs);
        return equal;
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
                "  %-9s to agent-a, until 226 %6.0f MB/s | to globus-gridftp-server %6.0f MB/s, until forced %6.0f MB/s",
                pair == 0 ? "warm-up" : "pair " + pair,
                sizeBytes / seconds.hawser() / 1e6,
                sizeBytes / seconds.direct() / 1e6,
                sizeBytes / seconds.forced() / 1e6);
    }

    private static double median(List<Pair> results, ToDoubleFunction<Pair> ratio) {
        List<Double> ratios =
                results.stream().mapToDouble(ratio).sorted().boxed().toList();
        int middle = ratios.size() / 2;
        return ratios.size() % 2 == 1 ? ratios.get(middle) : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
    }

    private int startServer() throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> command = new ArrayList<>(List.of("globus-gridftp-server", "-aa", "-allow-root"));
        command.addAll(List.of("-anonymous-user", System.getProperty("user.name"), "-home-dir", serverRoot.toString()));
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
    private double upload(String to) throws IOException, InterruptedException {
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

    /** Seconds until what a server left in the page cache is on stable storage. */
    private static double force(Path file) throws IOException {
        long began = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        return (System.nanoTime() - began) / 1e9;
    }

    /** Waits until it is delivered, compares, and removes it. */
    private boolean arrivesWhole(String name) throws IOException, InterruptedException {
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
        Path delivered = chain.target().resolve(name);
        boolean equal = Files.mismatch(source, delivered) < 0;
        Files.delete(delivered);
        return equal;
    }

    private void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
