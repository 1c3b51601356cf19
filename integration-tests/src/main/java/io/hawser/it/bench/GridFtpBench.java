package io.hawser.it.bench;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The same upload by {@code globus-url-copy} to agent-a, until its final reply (spooled: on stable storage there), and straight
 * to a {@code globus-gridftp-server}, which leaves the bytes in the page cache. In pairs, the first of a pair by turns, after one that is not counted: first while the broker is away, as if
 * agent-a had the machine to itself; then with all three nodes on it, where the next upload begins when the last one has been
 * delivered.
 */
final class GridFtpBench implements Bench {
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private final ProcessChain chain;
    private final Path directory;
    private final long sizeBytes;
    private final int pairs;
    private final Path source;
    private final Path serverRoot;
    private final GlobusPrograms globus;
    private double limit;
    private int serverPort;

    /**
     * @param hawser to agent-a, where the bytes are on stable storage then
     * @param direct to the server
     * @param forced to the server, and then until a force of its file has returned
     */
    private record Pair(double hawser, double direct, double forced) {}

    GridFtpBench(ProcessChain chain, Path directory, long sizeBytes, int pairs) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.pairs = pairs;
        this.source = directory.resolve("source");
        this.serverRoot = directory.resolve("direct");
        this.globus = new GlobusPrograms(directory);
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        SampleFile.write(source, sizeBytes, 1);
        Files.createDirectories(serverRoot);
        limit = DiskBaseline.bytesPerSecond(directory, 1, sizeBytes, false) / 1e6;
        serverPort = globus.startServer(
                Map.of(),
                List.of("-aa", "-anonymous-user", System.getProperty("user.name"), "-home-dir", serverRoot.toString()));
        chain.startAll();
        chain.stop(Part.BROKER);
        boolean equal = pairs(report, "the broker away", "alone-", false);
        chain.start(Part.BROKER);
        for (int i = 0; i <= pairs; i++) {
            equal &= arrivesWhole("alone-" + i);
        }
        equal &= pairs(report, "all three nodes at work", "chain-", true);
        return report.noteEqual(equal);
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
            double forceSeconds = directFirst ? GlobusPrograms.force(direct) : 0;
            double hawserSeconds = upload(chain.ftp() + "/" + name);
            if (delivered) {
                equal &= arrivesWhole(name);
            }
            if (!directFirst) {
                directSeconds = upload(directUrl);
                forceSeconds = GlobusPrograms.force(direct);
            }
            equal &= Files.mismatch(source, direct) < 0;
            Files.delete(direct);
            if (i > 0) {
                results.add(new Pair(hawserSeconds, directSeconds, directSeconds + forceSeconds));
            }
        }
        report.add(rate(when, "to agent-a, until 226", results, Pair::hawser)
                .also("x the server's time", MedianAndRange.median(results, pair -> pair.hawser() / pair.direct()))
                .also(
                        "x its time until forced",
                        MedianAndRange.median(results, pair -> pair.hawser() / pair.forced())));
        report.add(rate(when, "to globus-gridftp-server", results, Pair::direct));
        report.add(rate(when, "to globus-gridftp-server, until forced", results, Pair::forced));
        return equal;
    }

    private Measurement rate(String when, String what, List<Pair> results, ToDoubleFunction<Pair> seconds) {
        return Measurement.of(
                        Map.of("run", when + ": " + what),
                        "MB/s",
                        results,
                        pair -> sizeBytes / 1e6 / seconds.applyAsDouble(pair))
                .limited(limit, "one forced writer on the same disk; what is not forced may be faster");
    }

    @Override
    public void end() {
        globus.end();
        chain.end();
    }

    private double upload(String to) throws IOException, InterruptedException {
        return globus.copy(Map.of(), List.of(), "file://" + source, "ftp://" + to);
    }

    /** Waits until it is delivered, compares, and removes it. */
    private boolean arrivesWhole(String name) throws IOException, InterruptedException {
        chain.awaitDelivered(name, LIMIT);
        Path delivered = chain.target().resolve(name);
        boolean equal = Files.mismatch(source, delivered) < 0;
        Files.delete(delivered);
        return equal;
    }
}
