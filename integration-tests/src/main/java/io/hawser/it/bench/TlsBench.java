package io.hawser.it.bench;

import io.hawser.common.tls.KeyDirectory;
import io.hawser.common.tls.KeyMaker;
import io.hawser.it.bench.links.SecureLinkBench;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Figure;
import io.hawser.it.bench.report.Spread;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.ChainUpload;
import io.hawser.it.harness.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What TLS costs, always by turns with the same without it: uploads through three nodes with mutual TLS between them, from the first byte to
 * the receipt <i>delivered</i>; GridFTP with protected data connections to agent-a and to a globus-gridftp-server; and, with an emulator,
 * the nodes again over a link of 1 Gbit/s.
 *
 * <p>Thread: main; {@link #end} any.
 */
final class TlsBench implements Bench {
    private static final int MOST_WARM_UPS = 2;
    /** How much longer it may take on loopback, where nothing but the processors bounds it. */
    private static final double AIM = 1.25;

    private final Path directory;
    private final long sizeBytes;
    private final int runs;
    private final int warmUps;
    private final Chain plain;
    private final Chain secure;
    private final GridTlsBench grid;
    private final @Nullable SecureLinkBench link;

    TlsBench(Path directory, long sizeBytes, int runs, Optional<Path> emulator) throws IOException {
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
        this.warmUps = Math.min(MOST_WARM_UPS, runs);
        this.plain = chain("plain");
        this.secure = chain("secure");
        this.grid = new GridTlsBench(directory.resolve("grid"), sizeBytes, runs);
        this.link = emulator.isEmpty()
                ? null
                : new SecureLinkBench(emulator.get(), directory.resolve("link"), sizeBytes, runs);
    }

    private Chain chain(String name) throws IOException {
        return new Chain(directory.resolve(name)).withJvmOptions(Part.BROKER, NodeProcess.BROKER_OPTIONS);
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        boolean equal = chains(report);
        equal &= grid.run(report);
        SecureLinkBench far = link;
        if (far != null) {
            equal &= far.run(report);
        }
        report.note(equal ? "all bytes compared equal" : "NOT EQUAL");
        return equal;
    }

    private boolean chains(BenchReport report) throws IOException, InterruptedException {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        new KeyMaker(Set.of("localhost", "127.0.0.1"), Duration.ofDays(2), Instant.now()).fill(keys);
        for (Part part : Part.values()) {
            secure.with(part, "--tls", keys.path().toString());
        }
        plain.startAll();
        secure.startAll();
        boolean equal = true;
        List<Double> plainSeconds = new ArrayList<>();
        List<Double> secureSeconds = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        double[] coreSeconds = new double[2];
        for (int i = -warmUps; i < runs; i++) {
            String name = "run" + (i + warmUps);
            ChainUpload[] pair = new ChainUpload[2];
            for (int turn = 0; turn < 2; turn++) {
                int which = Math.floorMod(turn + i, 2); // the first of a pair by turns
                Chain chain = which == 0 ? plain : secure;
                pair[which] = ChainUpload.of(chain, name, sizeBytes, i + warmUps);
                equal &= ChainUpload.arrivedEqual(chain, name, sizeBytes, i + warmUps);
            }
            if (i >= 0) {
                plainSeconds.add(pair[0].deliveredSeconds());
                secureSeconds.add(pair[1].deliveredSeconds());
                ratios.add(pair[1].deliveredSeconds() / pair[0].deliveredSeconds());
                for (int which = 0; which < 2; which++) {
                    coreSeconds[which] += cores(pair[which]) / runs;
                }
            }
        }
        plain.killAll();
        secure.killAll();
        Figure without = rate("plain between the nodes", plainSeconds).also("core-seconds", coreSeconds[0]);
        report.add(without);
        report.add(rate("mutual TLS between the nodes", secureSeconds)
                .aimed(without.spread().median() / AIM)
                .also("x the plain time", Spread.of(ratios).median())
                .also("core-seconds", coreSeconds[1]));
        return equal;
    }

    private static double cores(ChainUpload run) {
        return run.cpuSeconds().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private Figure rate(String what, List<Double> seconds) {
        return Figure.of(
                Map.of("run", "loopback, client to delivered: " + what),
                "MB/s",
                seconds.stream().map(each -> sizeBytes / 1e6 / each).toList());
    }

    @Override
    public void end() {
        plain.end();
        secure.end();
        grid.end();
        SecureLinkBench far = link;
        if (far != null) {
            far.end();
        }
    }
}
