package io.hawser.it.bench;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Many small files through the Java API: from the first {@code send} until the sender has the receipt <i>delivered</i> of
 * each, so that all are durable at the far end. The first run is cold, the others are warm.
 *
 * <p>Thread: main only.
 */
final class SmallBench {
    private static final long LIMIT_SECONDS = 600;

    private final Chain chain;
    private final Path directory;
    private final int files;
    private final int fileBytes;
    private final int runs;
    private final PrintWriter out;

    SmallBench(Chain chain, Path directory, int files, int fileBytes, int runs, PrintWriter out) {
        this.chain = chain;
        this.directory = directory;
        this.files = files;
        this.fileBytes = fileBytes;
        this.runs = runs;
        this.out = out;
    }

    /** Measures and prints; returns whether all files arrived. */
    boolean run() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
        byte[] content = new byte[fileBytes];
        new SplittableRandom(1).nextBytes(content);
        ClientOptions options = ClientOptions.of(chain.brokerPtcp()).withState(directory.resolve("state"));
        try (HawserClient client = HawserClient.connect(options)) {
            for (int run = 0; run <= runs; run++) {
                once(client, run, content);
            }
        }
        long arrived = count(chain.target());
        long expected = (long) files * (runs + 1);
        out.println(arrived == expected ? "all " + arrived + " files arrived" : "ONLY " + arrived + " of " + expected);
        return arrived == expected;
    }

    private void once(HawserClient client, int run, byte[] content) throws Exception {
        List<SentTransfer> sent = new ArrayList<>(files);
        long began = System.nanoTime();
        for (int i = 0; i < files; i++) {
            sent.add(client.send(Chain.TOPIC, "run-" + run + "/" + i / 1000 + "/" + i, content));
        }
        double handedOver = seconds(began);
        all(sent.stream().map(SentTransfer::brokered));
        double brokered = seconds(began);
        all(sent.stream().map(SentTransfer::delivered));
        double delivered = seconds(began);
        out.println(String.format(
                Locale.ROOT,
                "%-7s %6.0f files/s   first send to last receipt, %.2f s | handed over %.2f s | brokered %.2f s",
                run == 0 ? "cold" : "warm " + run,
                files / delivered,
                delivered,
                handedOver,
                brokered));
        out.flush();
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
            return paths.filter(path -> !target.relativize(path).startsWith(".hawser-landing-" + Chain.SUBSCRIPTION))
                    .filter(Files::isRegularFile)
                    .count();
        }
    }

    /** The line above the numbers: what was run, and where. */
    static String title(int files, int fileBytes, int runs, Path directory) {
        return String.format(
                Locale.ROOT,
                "bench small: %d files of %d bytes through the Java API, 1 cold and %d warm runs, %d processors, Java %s, in %s",
                files,
                fileBytes,
                runs,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                directory);
    }
}
