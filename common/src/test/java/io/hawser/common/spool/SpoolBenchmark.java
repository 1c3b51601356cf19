package io.hawser.common.spool;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.digest.DigestThreads;
import io.hawser.common.hop.Fragment;
import io.hawser.common.model.Commit;
import io.hawser.common.model.FragmentRange;
import io.hawser.common.model.FragmentRanges;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.ReceiptStatus;
import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferKey;
import io.hawser.common.model.TransferKind;
import io.hawser.common.storage.DiskStorage;
import io.hawser.common.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the spool alone can take: uploads of 1 GiB from memory, small sends, files in place. Run it as a program:
 * {@code java -Xmx64m -cp … io.hawser.common.spool.SpoolBenchmark DIR}.
 */
public final class SpoolBenchmark {
    private static final int FRAGMENT = 1 << 20;
    private static final long UPLOAD_BYTES = 1L << 30;
    private static final int SENDS = 10_000;
    private static final int SEND_BYTES = 4096;
    private static final int WINDOW = 1024;
    private static final Topic TOPIC = new Topic("bench");

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT, 24);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final DigestThreads digests = DigestThreads.start().warmUp();
    private final DiskSpool spool;

    private SpoolBenchmark(Path directory) throws StorageException {
        spool = DiskSpool.open(new DiskStorage(), directory, SpoolConfig.defaults(), pool, digests, loop);
    }

    /** Runs all of it. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(arguments.length > 0 ? arguments[0] : "."), "spool-bench");
        SpoolBenchmark bench = new SpoolBenchmark(directory);
        try {
            bench.loop.execute(() -> bench.spool.start(new Taker(bench.spool)));
            for (int round = 0; round < 4; round++) {
                bench.upload(round);
            }
            for (int round = 0; round < 6; round++) {
                bench.sends(round);
            }
            for (int round = 0; round < 3; round++) {
                bench.references(directory.resolve("source"), round);
            }
        } finally {
            bench.spool.close();
            bench.loop.shutdown();
            bench.digests.close();
            try (Stream<Path> all = Files.walk(directory)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            }
        }
    }

    private void upload(int round) throws InterruptedException {
        long started = System.nanoTime();
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            Upload upload = spool.begin(new UploadRequest(
                            TOPIC,
                            TransferKind.FILE,
                            "up" + round,
                            List.of("up" + round),
                            Manifest.UNKNOWN_SIZE,
                            FRAGMENT,
                            Map.of()))
                    .get();
            new Feeder(upload, done).pump();
        });
        done.await();
        print("upload of 1 GiB", round, UPLOAD_BYTES / 1e6, "MB/s", started);
    }

    private final class Feeder {
        private final Upload upload;
        private final CountDownLatch done;
        private long index;

        Feeder(Upload upload, CountDownLatch done) {
            this.upload = upload;
            this.done = done;
        }

        void pump() {
            while (index < UPLOAD_BYTES / FRAGMENT) {
                FragmentBuffer buffer = pool.tryAcquire();
                if (buffer == null) {
                    pool.whenAvailable(() -> loop.execute(this::pump));
                    return;
                }
                buffer.payload(0, 8).putLong(0, index);
                if (!upload.reserve()) {
                    throw new IllegalStateException("no space");
                }
                upload.write(index++, buffer, FRAGMENT, durable -> {
                    durable.get();
                    if (durable.get() == UPLOAD_BYTES / FRAGMENT - 1) {
                        upload.finish(UPLOAD_BYTES, commit -> {
                            commit.get();
                            done.countDown();
                        });
                    }
                });
                buffer.release();
            }
        }
    }

    private void sends(int round) throws InterruptedException {
        long started = System.nanoTime();
        CountDownLatch done = new CountDownLatch(SENDS);
        ByteBuffer content = ByteBuffer.allocate(SEND_BYTES);
        loop.execute(() -> sendMore(round, new int[1], content, done));
        done.await();
        print(SENDS + " sends of 4 KiB", round, SENDS, "/s", started);
    }

    private void sendMore(int round, int[] sent, ByteBuffer content, CountDownLatch done) {
        while (sent[0] < SENDS && sent[0] - (SENDS - done.getCount()) < WINDOW) {
            String name = "m" + round + "/" + sent[0]++;
            spool.sendSmall(UploadRequest.file(TOPIC, name, Map.of()), content, commit -> {
                        commit.get();
                        done.countDown();
                        sendMore(round, sent, content, done);
                    })
                    .get();
        }
    }

    private void references(Path source, int round) throws Exception {
        if (round == 0) {
            try (var out = Files.newOutputStream(source)) {
                for (int i = 0; i < UPLOAD_BYTES / FRAGMENT; i++) {
                    out.write(new byte[FRAGMENT]);
                }
            }
        }
        long started = System.nanoTime();
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> spool.reference(UploadRequest.file(TOPIC, "ref" + round, Map.of()), source, commit -> {
                    commit.get();
                    done.countDown();
                })
                .get());
        done.await();
        print("1 GiB in place", round, UPLOAD_BYTES / 1e6, "MB/s", started);
    }

    private static void print(String what, int round, double amount, String unit, long started) {
        double seconds = (System.nanoTime() - started) / 1e9;
        System.out.printf("%s, round %d: %.0f %s (%.2f s)%n", what, round, amount / seconds, unit, seconds);
    }

    /** A next hop that commits at once, so that the spool stays empty. */
    private static final class Taker implements SpoolListener {
        private final DiskSpool spool;

        Taker(DiskSpool spool) {
            this.spool = spool;
        }

        @Override
        public void pending(Manifest manifest, FragmentRanges durable, @Nullable Commit commit, boolean fresh) {
            if (commit != null) {
                committed(manifest.key(), commit);
            }
        }

        @Override
        public void small(Manifest manifest, Commit commit, Fragment inMemory) {
            committed(manifest.key(), commit);
        }

        @Override
        public void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory) {}

        @Override
        public void committed(TransferKey key, Commit commit) {
            spool.committed(key, List.of());
            spool.receipt(new Receipt(key, "s", ReceiptStatus.DELIVERED, "", 1), () -> {});
        }

        @Override
        public void cancelled(TransferKey key, String reason) {}

        @Override
        public void suspended(TransferKey key) {}

        @Override
        public void resumed(TransferKey key) {}

        @Override
        public void storageFailed(StorageException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
