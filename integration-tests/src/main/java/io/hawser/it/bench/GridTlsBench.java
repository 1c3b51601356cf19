package io.hawser.it.bench;

import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code globus-url-copy -p 4} with {@code gsiftp://}, data connections protected (PROT P) and only authenticated (PROT C), to and from agent-a
 * and a globus-gridftp-server by turns. agent-a, whose broker is away meanwhile, has uploads on stable storage at its final reply and
 * reads downloads from there; the server has both in the page cache.
 *
 * <p>Thread: main; {@link #end} any.
 */
final class GridTlsBench {
    private static final int MOST_WARM_UPS = 2;
    private static final String UPLOAD = "upload";

    /** Who is at the other end, and what goes over the data connections. */
    private enum Way {
        OURS_PRIVATE("agent-a, PROT P", true, true),
        THEIRS_PRIVATE("globus-gridftp-server, PROT P", false, true),
        OURS_CLEAR("agent-a, PROT C", true, false),
        THEIRS_CLEAR("globus-gridftp-server, PROT C", false, false);

        private final String title;
        private final boolean ours;
        private final boolean encrypted;

        Way(String title, boolean ours, boolean encrypted) {
            this.title = title;
            this.ours = ours;
            this.encrypted = encrypted;
        }
    }

    /** What a way has taken: up, up until forced, and down. */
    private record Seconds(List<Double> up, List<Double> forced, List<Double> down) {}

    private final Path directory;
    private final long sizeBytes;
    private final int runs;
    private final Path source;
    private final Map<Way, Seconds> taken = new EnumMap<>(Way.class);
    private final GlobusPrograms globus;
    private Map<String, String> user = Map.of();
    private int serverPort;
    private volatile @Nullable ProcessChain chain;

    GridTlsBench(Path directory, long sizeBytes, int runs) {
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
        this.source = directory.resolve("source");
        this.globus = new GlobusPrograms(directory);
    }

    private Seconds of(Way way) {
        return taken.computeIfAbsent(
                way, unused -> new Seconds(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
    }

    /** Returns whether all bytes were equal; without the programs nothing is measured, and that is noted. */
    boolean run(BenchReport report) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        List<String> missing = GridKeys.missing();
        if (!missing.isEmpty()) {
            report.note("GridFTP with PROT P: left out, not on the PATH: %s", String.join(", ", missing));
            return true;
        }
        SampleFile.write(source, sizeBytes, 1);
        GridKeys keys = GridKeys.make(directory.resolve("keys"));
        user = keys.ofUser();
        serverPort = globus.startServer(keys.ofServer(), List.of());
        ProcessChain started = startAgent(keys);
        boolean equal = true;
        for (int i = -Math.min(MOST_WARM_UPS, runs); i < runs; i++) {
            for (int turn = 0; turn < Way.values().length; turn++) {
                equal &= once(started, Way.values()[Math.floorMod(turn + i, Way.values().length)], i);
            }
        }
        end();
        for (Way way : Way.values()) {
            report.add(figure(UPLOAD, way, Seconds::up));
            if (!way.ours) {
                report.add(figure("upload until forced", way, Seconds::forced));
            }
        }
        for (Way way : Way.values()) {
            report.add(figure("download", way, Seconds::down));
        }
        return equal;
    }

    private Measurement figure(String what, Way way, Function<Seconds, List<Double>> which) {
        List<Double> seconds = which.apply(of(way));
        Map<String, String> of = Map.of("run", "gsiftp, " + what + ": " + way.title);
        Measurement figure = Measurement.of(of, "MB/s", seconds, each -> sizeBytes / 1e6 / each);
        if (!way.ours) {
            return figure;
        }
        Seconds theirs = of(way.encrypted ? Way.THEIRS_PRIVATE : Way.THEIRS_CLEAR);
        Measurement beside =
                figure.also("x the server's time", MedianAndRange.medianRatio(seconds, which.apply(theirs)));
        if (what.equals(UPLOAD)) {
            beside = beside.also("x its time until forced", MedianAndRange.medianRatio(seconds, theirs.forced()));
        }
        return way.encrypted
                ? beside.aimed(
                        sizeBytes / 1e6 / MedianAndRange.of(which.apply(theirs)).median())
                : beside;
    }

    private boolean once(ProcessChain started, Way way, int run) throws IOException, InterruptedException {
        String name = way.name() + run;
        Path there = directory.resolve(name);
        Path back = directory.resolve("back");
        String url = way.ours
                ? "gsiftp://127.0.0.1:"
                        + started.node(Part.AGENT_A).address("gridftp").port() + "/" + name
                : "gsiftp://127.0.0.1:" + serverPort + there;
        double upSeconds = copy(way, "file://" + source, url);
        double forceSeconds = way.ours ? 0 : GlobusPrograms.force(there);
        double downSeconds = copy(way, url, "file://" + back);
        boolean equal = Files.mismatch(source, back) < 0;
        Files.delete(back);
        Files.deleteIfExists(there);
        if (run >= 0) {
            of(way).up().add(upSeconds);
            of(way).forced().add(upSeconds + forceSeconds);
            of(way).down().add(downSeconds);
        }
        return equal;
    }

    private double copy(Way way, String from, String to) throws IOException, InterruptedException {
        return globus.copy(user, way.encrypted ? List.of("-dcpriv") : List.of(), from, to);
    }

    private ProcessChain startAgent(GridKeys made) throws IOException {
        ProcessChain started = new ProcessChain(directory.resolve("chain"));
        chain = started;
        started.with(
                Part.AGENT_A,
                "--gridftp",
                "127.0.0.1:0",
                "--host-cert",
                made.host().toString(),
                "--host-key",
                made.host().toString(),
                "--trusted-cas",
                made.trusted().toString(),
                "--grid-mapfile",
                made.map().toString());
        started.start(Part.BROKER);
        started.start(Part.AGENT_A);
        int unused = started.stop(Part.BROKER);
        return started;
    }

    void end() {
        globus.end();
        ProcessChain started = chain;
        if (started != null) {
            started.end();
        }
    }
}
