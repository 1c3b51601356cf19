package io.hawser.common.landing;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.digest.DigestThreads;
import io.hawser.common.hop.Fragment;
import io.hawser.common.hop.Refusal;
import io.hawser.common.integrity.Crc32c;
import io.hawser.common.integrity.TreeDigest;
import io.hawser.common.model.Commit;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.model.TransferKind;
import io.hawser.common.storage.DiskStorage;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Measures the landing area alone, fed from memory: {@code LandingBenchmark DIRECTORY [MiB] [small files] [rounds]}. Prints
 * MB/s of one transfer until its receipt, everything read back and verified, and files/s of small ones.
 */
public final class LandingBenchmark {
    private static final int FRAGMENT_BYTES = 1 << 20;
    private static final int SMALL_BYTES = 4096;
    private static final int POOL = 32;
    private static final int PATTERNS = 8;
    private static final int WINDOW = 2048;

    private final ExecutorService loop = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "hawser-net");
        thread.setDaemon(true);
        return thread;
    });
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, POOL);
    private final ByteBuffer[] patterns = new ByteBuffer[PATTERNS];
    private final byte[][] leaves = new byte[PATTERNS][];
    private final int[] crcs = new int[PATTERNS];
    private final Semaphore receipts = new Semaphore(0);
    private final DigestThreads digestThreads = DigestThreads.start().warmUp();
    private long number = System.nanoTime();

    private LandingBenchmark() {
        for (int i = 0; i < PATTERNS; i++) {
            byte[] bytes = new byte[FRAGMENT_BYTES];
            new Random(i).nextBytes(bytes);
            patterns[i] = ByteBuffer.allocateDirect(FRAGMENT_BYTES).put(bytes).flip();
            leaves[i] = TreeDigest.leaf(patterns[i]);
            crcs[i] = Crc32c.of(patterns[i]);
        }
    }

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int mebibytes = args.length > 1 ? Integer.parseInt(args[1]) : 1024;
        int files = args.length > 2 ? Integer.parseInt(args[2]) : 10_000;
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
        LandingBenchmark benchmark = new LandingBenchmark();
        for (int round = 1; round <= rounds; round++) {
            Path into = Files.createTempDirectory(directory, "landing-bench");
            LandingArea[] opened = new LandingArea[1];
            LandingArea area = LandingArea.open(
                    new DiskStorage(),
                    LandingOptions.below(into, "bench"),
                    new DirectoryTarget(new DiskStorage(), into),
                    benchmark.digestThreads,
                    benchmark.loop,
                    receipt -> benchmark.take(opened[0], receipt));
            opened[0] = area;
            benchmark.loop.submit(area::start).get();
            benchmark.large(area, round, mebibytes);
            benchmark.small(area, round, files);
            area.close();
        }
        benchmark.loop.shutdown();
        benchmark.digestThreads.close();
    }

    /** A sender acks at once. */
    private void take(LandingArea area, Receipt receipt) {
        if (receipt.status().isFinal()) {
            loop.execute(() -> area.receiptAcked(receipt.key(), receipt.subscription(), receipt.status()));
            receipts.release();
        }
    }

    private void large(LandingArea area, int round, int mebibytes) throws InterruptedException {
        Manifest manifest = manifest("large", (long) mebibytes << 20);
        TreeDigest.Builder tree = new TreeDigest.Builder();
        Semaphore durable = new Semaphore(0);
        long start = System.nanoTime();
        loop.execute(() -> area.open(manifest, outcome -> check(outcome.refusal())));
        for (int i = 0; i < mebibytes; i++) {
            int pattern = i % PATTERNS;
            tree.add(leaves[pattern]);
            FragmentBuffer buffer = acquire();
            buffer.payload(0, FRAGMENT_BYTES).put(patterns[pattern].duplicate());
            Fragment fragment =
                    new Fragment(manifest.key(), i, FRAGMENT_BYTES, crcs[pattern], leaves[pattern], buffer, 0);
            loop.execute(() -> {
                area.fragment(fragment, outcome -> {
                    check(outcome.refusal());
                    durable.release();
                });
                buffer.release();
            });
        }
        durable.acquire(mebibytes);
        Commit commit = new Commit(manifest.sizeBytes(), mebibytes, tree.root(manifest.sizeBytes(), FRAGMENT_BYTES));
        loop.execute(() -> area.commit(manifest.key(), commit, outcome -> check(outcome.refusal())));
        receipts.acquire();
        double seconds = (System.nanoTime() - start) / 1e9;
        print("round %d: one transfer of %d MiB: %.0f MB/s%n", round, mebibytes, manifest.sizeBytes() / seconds / 1e6);
    }

    private void small(LandingArea area, int round, int files) throws InterruptedException {
        byte[] leaf = TreeDigest.leaf(patterns[0].slice(0, SMALL_BYTES));
        int crc = Crc32c.of(patterns[0].slice(0, SMALL_BYTES));
        Commit commit = new Commit(SMALL_BYTES, 1, TreeDigest.ofSingle(leaf, SMALL_BYTES, FRAGMENT_BYTES));
        Semaphore window = new Semaphore(WINDOW);
        FragmentBuffer buffer = acquire();
        buffer.payload(0, SMALL_BYTES).put(patterns[0].slice(0, SMALL_BYTES));
        long start = System.nanoTime();
        for (int i = 0; i < files; i++) {
            window.acquire();
            Manifest manifest = manifest("small/d" + i / 1000 + "/f" + i, SMALL_BYTES);
            Fragment fragment = new Fragment(manifest.key(), 0, SMALL_BYTES, crc, leaf, buffer, 0);
            loop.execute(() -> area.small(manifest, fragment, commit, outcome -> {
                check(outcome.refusal());
                window.release();
            }));
        }
        receipts.acquire(files);
        double seconds = (System.nanoTime() - start) / 1e9;
        buffer.release();
        print("round %d: %d files of 4 KiB: %.0f files/s%n", round, files, files / seconds);
    }

    private FragmentBuffer acquire() throws InterruptedException {
        while (true) {
            FragmentBuffer buffer = pool.tryAcquire();
            if (buffer != null) {
                return buffer;
            }
            Semaphore free = new Semaphore(0);
            pool.whenAvailable(free::release);
            free.acquire();
        }
    }

    private Manifest manifest(String name, long sizeBytes) {
        number++;
        return new Manifest(
                new TransferKey(new NodeId(1, 2), new TransferId(3, number)),
                number,
                new Topic("bench"),
                TransferKind.FILE,
                name,
                List.of(name),
                sizeBytes,
                FRAGMENT_BYTES,
                Map.of("mtime", "1700000000000"));
    }

    private static void check(@Nullable Refusal refusal) {
        if (refusal != null) {
            throw new IllegalStateException(refusal.detail());
        }
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
