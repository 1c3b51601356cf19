package io.hawser.it.bench;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Many small files through the Java API: from the first {@code send} until the sender has the receipt <i>delivered</i> of
 * each, so that all are durable at the far end. The first run is cold, the others are warm.
 */
record SmallBench(ProcessChain chain, Path directory, int files, int fileBytes, int runs) implements Bench {
    private static final int MOST_ON_THEIR_WAY = 6_000;
    private static final long LIMIT_SECONDS = 600;

    /** Seconds from the first send until all are handed over, durable at the broker, delivered. */
    private record Run(double handedOver, double brokered, double delivered) {}

    @Override
    public boolean run(BenchReport report) throws Exception {
        double limit = SmallBaseline.filesPerSecond(directory, files, fileBytes);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
        byte[] content = new byte[fileBytes];
        new SplittableRandom(1).nextBytes(content);
        List<Run> results = new ArrayList<>();
        ClientOptions options = ClientOptions.of(chain.brokerPtcp().toString()).withState(directory.resolve("state"));
        try (HawserClient client = HawserClient.connect(options)) {
            for (int run = 0; run <= runs; run++) {
                Run result = once(client, run, content);
                results.add(result);
                report.say(
                        "%-7s %6.0f files/s   first send to last receipt, %.2f s",
                        run == 0 ? "cold" : "warm " + run, files / result.delivered(), result.delivered());
            }
        }
        figure(report, "cold", results.subList(0, 1), limit);
        figure(report, "warm", results.subList(1, results.size()), limit);
        long arrived = count(chain.target());
        long expected = (long) files * (runs + 1);
        report.note(arrived == expected ? "all " + arrived + " files arrived" : "ONLY " + arrived + " of " + expected);
        return arrived == expected;
    }

    @Override
    public void end() {
        chain.end();
    }

    private void figure(BenchReport report, String which, List<Run> some, double limit) {
        Map<String, String> of = Map.of("run", which + ": first send to last receipt");
        report.add(Measurement.of(of, "files/s", some, run -> files / run.delivered())
                .limited(
                        limit,
                        "as many files written by 16 threads in batches of 256, each forced, renamed, its directory"
                                + " forced: one copy, and nothing else")
                .also("handed over s", MedianAndRange.median(some, Run::handedOver))
                .also("brokered s", MedianAndRange.median(some, Run::brokered)));
    }

    private Run once(HawserClient client, int run, byte[] content) throws Exception {
        List<SentTransfer> sent = new ArrayList<>(files);
        long began = System.nanoTime();
        for (int i = 0; i < files; i++) {
            if (i >= MOST_ON_THEIR_WAY) { // a program follows no more than some thousands at once
                Object unused = sent.get(i - MOST_ON_THEIR_WAY).delivered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
            sent.add(client.send(ProcessChain.TOPIC, "run-" + run + "/" + i / 1000 + "/" + i, content));
        }
        double handedOver = seconds(began);
        all(sent.stream().map(SentTransfer::brokered));
        double brokered = seconds(began);
        all(sent.stream().map(SentTransfer::delivered));
        return new Run(handedOver, brokered, seconds(began));
    }

    private static void all(Stream<? extends CompletableFuture<?>> futures) throws Exception {
        Object unused = CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static long count(Path target) throws IOException {
        try (Stream<Path> paths = Files.walk(target)) {
            return paths.filter(
                            path -> !target.relativize(path).startsWith(".hawser-landing-" + ProcessChain.SUBSCRIPTION))
                    .filter(Files::isRegularFile)
                    .count();
        }
    }
}
