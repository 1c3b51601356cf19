package io.hawser.it.bench;

import io.hawser.broker.kafka.KafkaStore;
import io.hawser.broker.kafka.KafkaStoreConfig;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The broker's two stores, and Kafka's own producer and consumer with the same durability, by turns: the same bytes until all are
 * acknowledged, and all of them read again. The first turn of each is not counted.
 */
final class BrokerStoreBench implements Bench {
    /** As many as the store over Kafka has partitions of payloads. */
    static final int TRANSFERS = KafkaStoreConfig.DEFAULT_PARTITIONS;

    private static final int NODES = 3;
    private static final int READ_BUFFERS = 8;
    private static final double AIM = 0.8;
    /** The nodes of Kafka are measured, and so they may compile as long as they like. */
    private static final List<String> NODE_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=4");

    private static final String BARE = "Kafka's producer and consumer";
    private static final String OVER_KAFKA = "KafkaStore";

    private final Path directory;
    private final int fragments;
    private final int runs;
    private final ExecutorService loop = Executors.newSingleThreadExecutor(DaemonThreads.named("bench-loop"));
    private final AtomicReference<StorageException> died = new AtomicReference<>();
    private final Map<String, List<Double>> written = new LinkedHashMap<>();
    private final Map<String, List<Double>> read = new LinkedHashMap<>();
    private Optional<KafkaCluster> cluster = Optional.empty();
    private boolean ended;

    BrokerStoreBench(Path directory, long sizeBytes, int runs) {
        this.directory = directory;
        this.fragments = (int) Math.max(1, sizeBytes / StoreWork.FRAGMENT_BYTES / TRANSFERS);
        this.runs = runs;
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        byte[] content = new byte[StoreWork.FRAGMENT_BYTES];
        new SplittableRandom(1).nextBytes(content);
        report.say("starting three nodes of Kafka");
        KafkaCluster kafka = startKafka();
        try (BrokerStore local = openLocal();
                BrokerStore overKafka = openOverKafka(kafka);
                BareKafka bare = new BareKafka(kafka.bootstrap(), TRANSFERS, content)) {
            Map<String, Contestant> contestants = new LinkedHashMap<>();
            contestants.put("LocalStore", new StoreWork(local, loop, content));
            contestants.put(BARE, bare);
            contestants.put(OVER_KAFKA, new StoreWork(overKafka, loop, content));
            for (int run = 0; run <= runs; run++) {
                for (Map.Entry<String, Contestant> each : contestants.entrySet()) {
                    turn(report, each.getKey(), run > 0, each.getValue());
                }
            }
        }
        tell(report, "written until acknowledged", written);
        tell(report, "read again", read);
        StorageException problem = died.get();
        if (problem != null) {
            report.note("a store has died: %s", String.valueOf(problem.getMessage()));
        }
        return problem == null;
    }

    private synchronized KafkaCluster startKafka() throws IOException, InterruptedException {
        if (ended) {
            throw new IllegalStateException("the bench was ended");
        }
        KafkaCluster started =
                KafkaCluster.start(Files.createDirectories(directory.resolve("kafka")), NODES, NODE_OPTIONS);
        cluster = Optional.of(started);
        return started;
    }

    private BrokerStore openLocal() throws IOException {
        return LocalStore.open(
                new DiskStorage(),
                Files.createDirectories(directory.resolve("local")),
                1,
                LocalStoreConfig.defaults(),
                new FragmentBufferPool(StoreWork.FRAGMENT_BYTES, READ_BUFFERS),
                loop,
                died::set);
    }

    private BrokerStore openOverKafka(KafkaCluster kafka) throws IOException {
        return KafkaStore.open(
                new DiskStorage(),
                Files.createDirectories(directory.resolve("index")),
                KafkaStoreConfig.of(kafka.bootstrap()).withName("bench"),
                new FragmentBufferPool(StoreWork.FRAGMENT_BYTES, READ_BUFFERS),
                loop,
                died::set,
                StoreOpeningListener.UNSEEN,
                TransferEvents.NONE);
    }

    /** One that has its turn. */
    interface Contestant {
        /** Writes so many fragments to each of so many transfers, until all are acknowledged. */
        void write(int transfers, int fragments) throws InterruptedException;

        /** Reads what was written last, and checks it. */
        void read() throws InterruptedException;

        /** Nobody needs it any more. */
        void forget() throws InterruptedException;
    }

    private void turn(BenchReport report, String who, boolean counts, Contestant contestant)
            throws InterruptedException {
        long began = System.nanoTime();
        contestant.write(TRANSFERS, fragments);
        long half = System.nanoTime();
        contestant.read();
        long over = System.nanoTime();
        contestant.forget();
        double in = rate(half - began);
        double out = rate(over - half);
        report.say("%-32s %-8s written at %6.1f MB/s, read at %6.1f MB/s", who, counts ? "" : "warm-up", in, out);
        if (counts) {
            written.computeIfAbsent(who, unused -> new ArrayList<>()).add(in);
            read.computeIfAbsent(who, unused -> new ArrayList<>()).add(out);
        }
    }

    private double rate(long nanos) {
        return (long) fragments * TRANSFERS * StoreWork.FRAGMENT_BYTES / 1e6 / (nanos / 1e9);
    }

    private static void tell(BenchReport report, String what, Map<String, List<Double>> all) {
        double bare = MedianAndRange.of(all.getOrDefault(BARE, List.of())).median();
        all.forEach((who, values) -> {
            Measurement figure = Measurement.of(Measurement.labels("work", what, "by", who), "MB/s", values);
            Measurement compared = who.equals(BARE)
                    ? figure
                    : figure.limited(bare, "the median of Kafka's producer and consumer here, acks=all");
            report.add(who.equals(OVER_KAFKA) ? compared.aimed(AIM * bare) : compared);
        });
    }

    @Override
    public synchronized void end() {
        ended = true;
        cluster.ifPresent(KafkaCluster::close);
    }
}
