package io.hawser.common.log;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.hop.Fragment;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.storage.DiskStorage;
import io.hawser.common.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.zip.CRC32C;

/**
 * Measures durable appends: 1 MiB fragments in MB/s, and 4 KiB records a second. Argument: a directory on the disk in
 * question.
 */
public final class LogAppendThroughput {
    private static final int FRAGMENT_BYTES = 1 << 20;
    private static final int SMALL_BYTES = 4 << 10;
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private LogAppendThroughput() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(args.length > 0 ? args[0] : "."), "throughput");
        for (int round = 1; round <= 3; round++) {
            bulk(directory.resolve("bulk" + round), 2_000);
            small(directory.resolve("small" + round), 200_000);
        }
    }

    private static void bulk(Path directory, int count) throws Exception {
        FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 24);
        Semaphore free = new Semaphore(24);
        try (SegmentLog log = open(directory)) {
            CRC32C crc = new CRC32C();
            crc.update(new byte[FRAGMENT_BYTES]);
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                free.acquire();
                FragmentBuffer buffer = pool.tryAcquire();
                while (buffer == null) { // its last user is just about to let go
                    Thread.onSpinWait();
                    buffer = pool.tryAcquire();
                }
                log.append(
                        1,
                        new Fragment(KEY, i, FRAGMENT_BYTES, (int) crc.getValue(), new byte[32], buffer, 0),
                        new byte[9],
                        releasing(free));
                buffer.release();
            }
            free.acquire(24);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("1 MiB fragments: %.0f MB/s%n", count * (double) FRAGMENT_BYTES / 1e6 / seconds);
        }
    }

    private static void small(Path directory, int count) throws Exception {
        Semaphore free = new Semaphore(2_048);
        try (SegmentLog log = open(directory)) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                free.acquire();
                log.append(2, KEY, i, new byte[SMALL_BYTES], releasing(free));
            }
            free.acquire(2_048);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("4 KiB records: %.0f a second%n", count / seconds);
        }
    }

    private static SegmentLog open(Path directory) throws StorageException {
        return SegmentLog.open(
                new DiskStorage(), LogConfig.of(directory, 1, "hawser-log-writer"), LogObserver.NONE, cause -> {});
    }

    private static AppendCallback releasing(Semaphore free) {
        return new AppendCallback() {
            @Override
            public void durable(long sequence, LogPosition position) {
                free.release();
            }

            @Override
            public void failed(StorageException cause) {
                throw new IllegalStateException(cause);
            }
        };
    }
}
