package io.hawser.it.bench;

import io.hawser.common.observe.TransferStatus;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Figure;
import io.hawser.it.bench.report.Spread;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.SampleFile;
import java.io.IOException;
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
import java.util.Map;
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
final class GridFtpBench implements Bench {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long POLL_MILLIS = 50;
    private static final int STREAMS = 4;

    private final Chain chain;
    private final Path directory;
    private final long sizeBytes;
    private final int pairs;
    private final Path source;
    private final Path serverRoot;
    private double limit;
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

    GridFtpBench(Chain chain, Path directory, long sizeBytes, int pairs) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.pairs = pairs;
        this.source = directory.resolve("source");
        this.serverRoot = directory.resolve("direct");
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        SampleFile.write(source, sizeBytes, 1);
        Files.createDirectories(serverRoot);
        limit = DiskBaseline.bytesPerSecond(directory, 1, sizeBytes, false) / 1e6;
        serverPort = startServer();
        chain.startAll();
        chain.stop(Part.BROKER);
        boolean equal = pairs(report, "the broker away", "alone-", false);
        chain.start(Part.BROKER);
        for (int i = 0; i <= pairs; i++) {
            equal &= arrivesWhole("alone-" + i);
        }
        equal &= pairs(report, "all three nodes at work", "chain-", true);
        report.note(equal ? "all bytes compared equal" : "NOT EQUAL");
        return equal;
    }

    private boolean pairs(BenchReport report, String when, String prefix, boolean delivered)
            throws IOException, InterruptedException {
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
            if (i > 0) {
                results.add(new Pair(hawserSeconds, directSeconds, directSeconds + forceSeconds));
            }
        }
        report.add(rate(when, "to agent-a, until 226", results, Pair::hawser)
                .also("x the server's time", median(results, pair -> pair.hawser() / pair.direct()))
                .also("x its time until forced", median(results, pair -> pair.hawser() / pair.forced())));
        report.add(rate(when, "to globus-gridftp-server", results, Pair::direct));
        report.add(rate(when, "to globus-gridftp-server, until forced", results, Pair::forced));
        return equal;
    }

    private Figure rate(String when, String what, List<Pair> results, ToDoubleFunction<Pair> seconds) {
        List<Double> rates = results.stream()
                .map(pair -> sizeBytes / 1e6 / seconds.applyAsDouble(pair))
                .toList();
        return Figure.of(Map.of("run", when + ": " + what), "MB/s", rates)
                .limited(limit, "one forced writer on the same disk; what is not forced may be faster");
    }

    private static double median(List<Pair> results, ToDoubleFunction<Pair> ratio) {
        return Spread.of(results.stream().mapToDouble(ratio).boxed().toList()).median();
    }

    /** Ends the server and the nodes. */
    @Override
    public void end() {
        Process running = server;
        if (running != null) {
            running.destroyForcibly();
        }
        chain.end();
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
}
