package io.hawser.it.bench;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.core.model.Manifest;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import io.hawser.store.spool.UploadRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long a broker that was killed with {@code kill -9} takes from its command to {@code READY}: with a log of live bytes that are owed
 * to a subscription whose consumer is away, in the middle of taking more; with very many fragments besides, and its index deleted; and both
 * again, owed very many small transfers. Also how long it then looks at the rows of its index before it says what is owed.
 *
 * @param liveBytes how much the broker holds for a subscription whose consumer has gone
 * @param fragments how many small fragments of further files it holds besides, or some more, when its index is deleted
 * @param transfers how many small transfers it is owed besides; 0 for none
 * @param kills how often each is repeated
 */
record RecoveryBench(ProcessChain chain, Path directory, long liveBytes, int fragments, int transfers, int kills)
        implements Bench {
    private static final long FILE_BYTES = 256L << 20;
    private static final int SMALL_FRAGMENT_BYTES = UploadRequest.MIN_FRAGMENT_SIZE_BYTES;
    private static final int SMALL_BYTES = 256;
    private static final int SMALL_ON_THEIR_WAY = 20_000;
    private static final long LIMIT_SECONDS = 600;
    private static final long POLL_MILLIS = 5;
    /** Of kills that come too late. */
    private static final int MORE_TRIES = 10;

    private static final String ROWS_LOOKED_AT = "Index's rows looked at";

    @Override
    public boolean run(BenchReport report) throws Exception {
        chain.start(Part.BROKER);
        double empty = MedianAndRange.of(afterKills(false)).median();
        try (HawserClient client = HawserClient.connect(options("files", Manifest.DEFAULT_FRAGMENT_SIZE_BYTES))) {
            subscribe(client);
            fill(client, liveBytes, Manifest.DEFAULT_FRAGMENT_SIZE_BYTES, report);
            String live = String.format(Locale.ROOT, "%.1f GB live", liveBytes / 1e9);
            add(report, "kill -9 while it takes a file, " + live, afterKills(client), empty);
        }
        try (HawserClient client = HawserClient.connect(options("fragments", SMALL_FRAGMENT_BYTES))) {
            fill(client, (long) fragments * SMALL_FRAGMENT_BYTES, SMALL_FRAGMENT_BYTES, report);
            String more = String.format(Locale.ROOT, "%,d more fragments", fragments);
            add(report, "kill -9 and the index deleted, " + more, afterKills(true), empty);
        }
        if (transfers > 0) {
            runSmall(report, empty);
        }
        return true;
    }

    private void runSmall(BenchReport report, double empty) throws Exception {
        try (HawserClient client = HawserClient.connect(options("small", Manifest.DEFAULT_FRAGMENT_SIZE_BYTES))) {
            fillSmall(client);
            String more = String.format(Locale.ROOT, "%,d more transfers owed", transfers);
            add(report, "kill -9, " + more, afterKills(false), empty);
            report.note("then, before it says what is owed: %s", rowCheck());
            add(report, "kill -9 and the index deleted, " + more, afterKills(true), empty);
        }
    }

    private ClientOptions options(String state, int fragmentBytes) {
        ClientOptions.Limits usual = ClientOptions.Limits.DEFAULT;
        return ClientOptions.of(chain.brokerPtcp().toString())
                .withState(directory.resolve(state))
                .withLimits(new ClientOptions.Limits(fragmentBytes, usual.buffers(), usual.maxPending()));
    }

    @Override
    public void end() {
        chain.end();
    }

    private static void add(BenchReport report, String what, List<Double> seconds, double empty) {
        report.add(Measurement.of(Map.of("death", what), Measurement.SECONDS, seconds)
                .limited(empty, "the same of an empty broker (median), from its command to READY"));
    }

    /** Once delivered to, the subscription is owed all that follows. */
    private void subscribe(HawserClient client) throws Exception {
        chain.start(Part.AGENT_B);
        client.send(ProcessChain.TOPIC, "first", new byte[1]).delivered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        chain.stop(Part.AGENT_B);
    }

    private void fill(HawserClient client, long bytes, int fragmentBytes, BenchReport report) throws Exception {
        Path file = sample();
        long began = System.nanoTime();
        long sent = 0;
        for (; sent < bytes; sent += FILE_BYTES) {
            client.send(ProcessChain.TOPIC, file).brokered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        report.note(
                "%.1f GB more, in %,d fragments of %d KiB, written in %.0f s",
                sent / 1e9, sent / fragmentBytes, fragmentBytes >> 10, (System.nanoTime() - began) / 1e9);
    }

    private Path sample() throws IOException {
        Path file = directory.resolve("sample");
        if (!Files.exists(file)) {
            SampleFile.write(file, FILE_BYTES, 1);
        }
        return file;
    }

    private List<Double> afterKills(HawserClient client) throws Exception {
        List<Double> seconds = new ArrayList<>();
        for (int tries = 0; seconds.size() < kills; tries++) {
            SentTransfer transfer = client.send(ProcessChain.TOPIC, sample());
            String id = transfer.id().toString();
            // Killed with some of its bytes durable and some not.
            while (chain.status(Part.BROKER, id).stream()
                    .flatMap(status -> status.hops().stream())
                    .noneMatch(hop -> hop.bytes().durableBytes() > 0)) {
                Thread.sleep(POLL_MILLIS);
            }
            boolean tooLate = transfer.brokered().isDone();
            double readyAfter = restart(false);
            transfer.brokered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!tooLate) {
                seconds.add(readyAfter);
            } else if (tries >= kills + MORE_TRIES) {
                throw new IllegalStateException("the files were durable before the kills");
            }
        }
        return seconds;
    }

    private void fillSmall(HawserClient client) throws Exception {
        Deque<CompletableFuture<?>> sent = new ArrayDeque<>();
        for (int i = 0; i < transfers; i++) {
            sent.add(client.send(ProcessChain.TOPIC, "small/" + i / 1000 + "/" + i, new byte[SMALL_BYTES])
                    .brokered());
            if (sent.size() > SMALL_ON_THEIR_WAY) {
                sent.remove().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
        for (CompletableFuture<?> each : sent) {
            each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private List<Double> afterKills(boolean withoutIndex) throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            seconds.add(restart(withoutIndex));
        }
        return seconds;
    }

    /** What the broker wrote of it to its log. */
    private String rowCheck() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (System.nanoTime() < deadline) {
            List<String> lines = Files.readAllLines(chain.logFile(Part.BROKER));
            int started = lastWith(lines, "Index opened");
            int looked = lastWith(lines, ROWS_LOOKED_AT);
            if (looked > started) {
                return lines.get(looked).substring(lines.get(looked).indexOf(ROWS_LOOKED_AT));
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IllegalStateException("the broker did not come to the end of it");
    }

    private static int lastWith(List<String> lines, String text) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        return -1;
    }

    private double restart(boolean withoutIndex) throws IOException {
        chain.kill(Part.BROKER);
        if (withoutIndex) {
            try (Stream<Path> index = Files.list(chain.data(Part.BROKER).resolve("index"))) {
                for (Path file : index.toList()) {
                    Files.delete(file);
                }
            }
        }
        long began = System.nanoTime();
        chain.start(Part.BROKER);
        return (System.nanoTime() - began) / 1e9;
    }
}
