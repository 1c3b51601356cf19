package io.hawser.it.bench;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.harness.ChainUpload;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Uploads by FTP at full speed through three processes, from the first byte until the broker has the receipt
 * <i>delivered</i>: then all three copies are durable, and the far one has been read back and verified. The first run is
 * cold (JVMs that have just started), the others are warm.
 */
record ChainBench(ProcessChain chain, Path directory, long sizeBytes, int runs) implements Bench {
    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        double before = sayWhatTheDiskDoes(report, "disk");
        chain.startAll();
        boolean equal = true;
        List<ChainUpload> results = new ArrayList<>();
        for (int i = 0; i <= runs; i++) {
            ChainUpload run = ChainUpload.of(chain, "bench-" + i, sizeBytes, i);
            results.add(run);
            print(report, i == 0 ? "cold" : "warm " + i, run);
            equal &= run.equal();
        }
        chain.killAll();
        double limit = Math.max(before, sayWhatTheDiskDoes(report, "disk again, after the runs"));
        figures(report, "cold", results.subList(0, 1), limit);
        figures(report, "warm", results.subList(1, results.size()), limit);
        return report.noteEqual(equal);
    }

    @Override
    public void end() {
        chain.end();
    }

    /** Bytes per second of each of three writers. */
    private double sayWhatTheDiskDoes(BenchReport report, String when) throws IOException {
        double written = DiskBaseline.bytesPerSecond(directory, DiskBaseline.CHAIN, sizeBytes, false);
        report.note(
                "%s: 3 concurrent forced writers %s each, with one of the files read back %s each",
                when,
                rate(written).strip(),
                rate(DiskBaseline.bytesPerSecond(directory, DiskBaseline.CHAIN, sizeBytes, true))
                        .strip());
        return written;
    }

    private void figures(BenchReport report, String which, List<ChainUpload> some, double diskBytesPerSecond) {
        Map<String, ToDoubleFunction<ChainUpload>> moments = new LinkedHashMap<>();
        moments.put("last byte left the client", ChainUpload::clientSeconds);
        moments.put("final reply (spooled)", ChainUpload::replySeconds);
        moments.put("durable at the broker", ChainUpload::brokerSeconds);
        moments.put("delivered", ChainUpload::deliveredSeconds);
        for (Part part : Part.values()) {
            moments.put("processor time of " + part.command(), run -> run.cpuSeconds()
                    .getOrDefault(part, 0.0));
        }
        moments.forEach((moment, seconds) ->
                report.add(Measurement.of(Map.of("run", which + ": " + moment), Measurement.SECONDS, some, seconds)));
        Map<String, String> whole = Map.of("run", which + ": client to delivered");
        report.add(Measurement.of(whole, "MB/s", some, run -> sizeBytes / 1e6 / run.deliveredSeconds())
                .limited(diskBytesPerSecond / 1e6, "three concurrent forced writers on the same disk, each"));
    }

    private void print(BenchReport report, String what, ChainUpload run) {
        report.say(
                "%-8s %s   client to delivered, %.2f s",
                what, rate(sizeBytes / run.deliveredSeconds()), run.deliveredSeconds());
    }

    private static String rate(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%6.0f MB/s", bytesPerSecond / 1e6);
    }
}
