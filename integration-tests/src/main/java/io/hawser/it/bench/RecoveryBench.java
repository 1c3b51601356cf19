package io.hawser.it.bench;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.SampleFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long a broker that was killed with {@code kill -9} takes from its command to {@code READY}: with a log of live bytes
 * that are owed to a subscription whose consumer is away, in the middle of taking more; owed very many transfers; and with its index
 * deleted, over these. Also how long it then looks at the rows of its index before it says what is owed.
 *
 * <p>Thread: main only.
 */
final class RecoveryBench {
    private static final long FILE_BYTES = 256L << 20;
    private static final int SMALL_BYTES = 256;
    private static final int SMALL_ON_THEIR_WAY = 20_000;
    private static final long LIMIT_SECONDS = 600;
    private static final long POLL_MILLIS = 5;
    /** Of kills that come too late. */
    private static final int MORE_TRIES = 10;

    private static final String ROWS_LOOKED_AT = "Index's rows looked at";

    private final Chain chain;
    private final Path directory;
    private final PrintWriter out;

    RecoveryBench(Chain chain, Path directory, PrintWriter out) {
        this.chain = chain;
        this.directory = directory;
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @param liveBytes how much the broker holds for a subscription whose consumer has gone
     * @param fragments how many fragments, each a transfer of its own, when the index is deleted
     * @param kills how often each is repeated
     */
    void run(long liveBytes, int fragments, int kills) throws Exception {
        chain.start(Part.BROKER);
        ClientOptions options = ClientOptions.of(chain.brokerPtcp()).withState(directory.resolve("state"));
        try (HawserClient client = HawserClient.connect(options)) {
            subscribe(client);
            fill(client, liveBytes);
            say("kill -9 while it takes a file, %.1f GB live", liveBytes / 1e9, afterKills(client, kills));
            fillSmall(client, fragments);
            say("kill -9, %,.0f more fragments owed", fragments, afterKills(kills));
            out.println("    then, before it says what is owed: " + rowCheck());
            say("the same and the index deleted, %,.0f more fragments", fragments, withoutIndex(kills));
        }
    }

    /** Once delivered to, the subscription is owed all that follows. */
    private void subscribe(HawserClient client) throws Exception {
        chain.start(Part.AGENT_B);
        client.send(Chain.TOPIC, "first", new byte[1]).delivered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        chain.stop(Part.AGENT_B);
    }

    private void fill(HawserClient client, long liveBytes) throws Exception {
        Path file = sample();
        for (long sent = 0; sent < liveBytes; sent += FILE_BYTES) {
            client.send(Chain.TOPIC, file).brokered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private Path sample() throws IOException {
        Path file = directory.resolve("sample");
        if (!Files.exists(file)) {
            SampleFile.write(file, FILE_BYTES, 1);
        }
        return file;
    }

    private List<Double> afterKills(HawserClient client, int kills) throws Exception {
        List<Double> seconds = new ArrayList<>();
        for (int tries = 0; seconds.size() < kills; tries++) {
            SentTransfer transfer = client.send(Chain.TOPIC, sample());
            String id = transfer.key().toString();
            // Killed with some of its bytes durable and some not.
            while (chain.status(Part.BROKER, id).stream()
                    .flatMap(status -> status.hops().stream())
                    .noneMatch(hop -> hop.durableBytes() > 0)) {
                Thread.sleep(POLL_MILLIS);
            }
            boolean tooLate = transfer.brokered().isDone();
            double readyAfter = restart();
            transfer.brokered().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!tooLate) {
                seconds.add(readyAfter);
            } else if (tries >= kills + MORE_TRIES) {
                throw new IllegalStateException("the files were durable before the kills");
            }
        }
        return seconds;
    }

    private void fillSmall(HawserClient client, int fragments) throws Exception {
        Deque<CompletableFuture<?>> sent = new ArrayDeque<>();
        for (int i = 0; i < fragments; i++) {
            sent.add(client.send(Chain.TOPIC, "small/" + i / 1000 + "/" + i, new byte[SMALL_BYTES])
                    .brokered());
            if (sent.size() > SMALL_ON_THEIR_WAY) {
                sent.remove().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
        for (CompletableFuture<?> each : sent) {
            each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private List<Double> afterKills(int kills) throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            seconds.add(restart());
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

    private List<Double> withoutIndex(int kills) throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            chain.kill(Part.BROKER);
            try (Stream<Path> index = Files.list(chain.data(Part.BROKER).resolve("index"))) {
                for (Path file : index.toList()) {
                    Files.delete(file);
                }
            }
            seconds.add(start());
        }
        return seconds;
    }

    private double restart() throws IOException {
        chain.kill(Part.BROKER);
        return start();
    }

    private double start() throws IOException {
        long began = System.nanoTime();
        chain.start(Part.BROKER);
        return (System.nanoTime() - began) / 1e9;
    }

    private void say(String what, double number, List<Double> seconds) {
        List<Double> sorted = new ArrayList<>(seconds);
        Collections.sort(sorted);
        out.println(String.format(
                Locale.ROOT,
                "%-55s ready after %.2f s (median), %.2f s (longest of %d)",
                String.format(Locale.ROOT, what, number),
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() - 1),
                sorted.size()));
        out.flush();
    }
}
