package io.hawser.it.bench;

import io.hawser.core.tls.KeyDirectory;
import io.hawser.it.bench.links.SecureLinkBench;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.it.harness.ChainUpload;
import io.hawser.ops.keys.KeyMaker;
import io.hawser.ptcp.TlsProviders;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What TLS costs, always by turns with the same without it: uploads through three nodes with mutual TLS between them, by the code that a node
 * uses here and by the JDK's, from the first byte to the receipt <i>delivered</i>; GridFTP with protected data connections to agent-a and to
 * a globus-gridftp-server; and, with an emulator, the nodes again over a link of 1 Gbit/s.
 */
final class TlsBench implements Bench {
    private static final int MOST_WARM_UPS = 2;

    /** How the nodes speak with each other. */
    private enum Way {
        PLAIN("plain between the nodes"),
        BY_DEFAULT("mutual TLS between the nodes"),
        BY_JDK("the same by the JDK");

        private final String what;

        Way(String what) {
            this.what = what;
        }
    }

    /** How much longer it may take on loopback, where nothing but the processors bounds it. */
    private static final double AIM = 1.25;

    private final Path directory;
    private final long sizeBytes;
    private final int runs;
    private final int warmUps;
    private final Map<Way, ProcessChain> chains = new EnumMap<>(Way.class);
    private final GridTlsBench grid;
    private final @Nullable SecureLinkBench link;

    TlsBench(Path directory, long sizeBytes, int runs, Optional<Path> emulator) throws IOException {
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
        this.warmUps = Math.min(MOST_WARM_UPS, runs);
        for (Way way : Way.values()) {
            chains.put(way, chain(way));
        }
        this.grid = new GridTlsBench(directory.resolve("grid"), sizeBytes, runs);
        this.link = emulator.isEmpty()
                ? null
                : new SecureLinkBench(emulator.get(), directory.resolve("link"), sizeBytes, runs);
    }

    private ProcessChain chain(Way way) throws IOException {
        ProcessChain chain = new ProcessChain(directory.resolve(way.name().toLowerCase(Locale.ROOT)));
        for (Part part : Part.values()) {
            List<String> options =
                    new ArrayList<>(part == Part.BROKER ? NodeProcess.BROKER_OPTIONS : NodeProcess.NODE_OPTIONS);
            options.add("-D" + TlsProviders.JDK_PROPERTY + "=" + (way == Way.BY_JDK));
            chain.withJvmOptions(part, options);
        }
        return chain;
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        boolean equal = chains(report);
        equal &= grid.run(report);
        SecureLinkBench far = link;
        if (far != null) {
            equal &= far.run(report);
        }
        return report.noteEqual(equal);
    }

    private boolean chains(BenchReport report) throws IOException, InterruptedException {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        new KeyMaker(Set.of("localhost", "127.0.0.1"), Duration.ofDays(2), Instant.now()).fill(keys);
        for (Way way : Way.values()) {
            ProcessChain chain = Objects.requireNonNull(chains.get(way));
            if (way != Way.PLAIN) {
                chain.withTls(keys.path());
            }
            chain.startAll();
        }
        boolean equal = true;
        Map<Way, List<ChainUpload>> uploads = new EnumMap<>(Way.class);
        for (int i = -warmUps; i < runs; i++) {
            String name = "run" + (i + warmUps);
            for (int turn = 0; turn < Way.values().length; turn++) {
                Way way = Way.values()[Math.floorMod(turn + i, Way.values().length)]; // the first of a round by turns
                ChainUpload upload =
                        ChainUpload.of(Objects.requireNonNull(chains.get(way)), name, sizeBytes, i + warmUps);
                equal &= upload.equal();
                if (i >= 0) {
                    uploads.computeIfAbsent(way, unused -> new ArrayList<>()).add(upload);
                }
            }
        }
        for (ProcessChain chain : chains.values()) {
            chain.killAll();
        }
        show(report, uploads);
        return equal;
    }

    private void show(BenchReport report, Map<Way, List<ChainUpload>> uploads) {
        List<ChainUpload> plain = uploads.getOrDefault(Way.PLAIN, List.of());
        Measurement without = figure(Way.PLAIN.what, plain);
        report.add(without);
        for (Way way : List.of(Way.BY_DEFAULT, Way.BY_JDK)) {
            List<ChainUpload> secure = uploads.getOrDefault(way, List.of());
            Measurement with = figure(
                            way == Way.BY_DEFAULT ? way.what + " by " + TlsProviders.name() : way.what, secure)
                    .also("x the plain time", MedianAndRange.medianRatio(seconds(secure), seconds(plain)));
            report.add(way == Way.BY_DEFAULT ? with.aimed(without.spread().median() / AIM) : with);
        }
    }

    private static List<Double> seconds(List<ChainUpload> uploads) {
        return uploads.stream().map(ChainUpload::deliveredSeconds).toList();
    }

    private Measurement figure(String what, List<ChainUpload> uploads) {
        Map<String, String> of = Map.of("run", "loopback, client to delivered: " + what);
        return Measurement.of(of, "MB/s", uploads, each -> sizeBytes / 1e6 / each.deliveredSeconds())
                .also(
                        "core-seconds",
                        uploads.stream()
                                        .flatMap(run -> run.cpuSeconds().values().stream())
                                        .mapToDouble(Double::doubleValue)
                                        .sum()
                                / Math.max(1, uploads.size()));
    }

    @Override
    public void end() {
        chains.values().forEach(ProcessChain::end);
        grid.end();
        SecureLinkBench far = link;
        if (far != null) {
            far.end();
        }
    }
}
