package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One life of a landing area, with a loop of its own, fed by hand. Its answers are waited for. */
final class LandingRig implements AutoCloseable {
    static final int FRAGMENT_BYTES = 8192;
    static final NodeId PUBLISHER = new NodeId(7, 8);

    final LandingArea area;
    /** Final ones. */
    final List<Receipt> receipts = Collections.synchronizedList(new ArrayList<>());

    final List<Receipt> landed = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService loop;
    final DigestThreads digestThreads = DigestThreads.start(2);
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 64);

    LandingRig(Storage storage, LandingOptions options, DeliveryTarget target, CrashPoints crashPoints)
            throws StorageException {
        this(storage, options, target, System::nanoTime, crashPoints);
    }

    LandingRig(
            Storage storage,
            LandingOptions options,
            DeliveryTarget target,
            LongSupplier steadyNanos,
            CrashPoints crashPoints)
            throws StorageException {
        this.loop = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "test-loop");
            thread.setDaemon(true);
            return thread;
        });
        try {
            StoreRuntime runtime = LandingArea.runtime(digestThreads)
                    .withClocks(InstantSource.system(), steadyNanos)
                    .withCrashPoints(crashPoints);
            this.area = LandingArea.open(storage, options, target, runtime, loop, this::take);
        } catch (StorageException | RuntimeException e) {
            loop.shutdown();
            digestThreads.close();
            throw e;
        }
        loop.execute(area::start);
    }

    private void take(Receipt receipt) {
        (receipt.status().isFinal() ? receipts : landed).add(receipt);
    }

    /** Into {@code root}, with its default landing directory. */
    static LandingRig into(Storage storage, Path root) throws StorageException {
        return new LandingRig(
                storage, LandingOptions.below(root, "sub"), new DirectoryTarget(storage, root), CrashPoints.NONE);
    }

    static TransferKey key(long number) {
        return new TransferKey(PUBLISHER, new TransferId(1, number));
    }

    static Manifest file(long number, String name, long sizeBytes) {
        return manifest(number, TransferKind.FILE, name, sizeBytes, Map.of());
    }

    static Manifest manifest(
            long number, TransferKind kind, String name, long sizeBytes, Map<String, String> attributes) {
        return new Manifest(
                key(number),
                number,
                new Topic("site-b"),
                kind,
                name,
                List.of(name),
                sizeBytes,
                FRAGMENT_BYTES,
                attributes);
    }

    static Manifest rename(long number, String from, String to) {
        return new Manifest(
                key(number),
                number,
                new Topic("site-b"),
                TransferKind.RENAME,
                from,
                List.of(from, to),
                0,
                FRAGMENT_BYTES,
                Map.of(Attributes.RENAMED_TO, to));
    }

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Commit commitOf(byte[] content) {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        for (int from = 0; from < content.length; from += FRAGMENT_BYTES) {
            int length = Math.min(FRAGMENT_BYTES, content.length - from);
            tree.add(TreeDigest.leaf(ByteBuffer.wrap(content, from, length).slice()));
        }
        return new Commit(content.length, tree.count(), tree.root(content.length, FRAGMENT_BYTES));
    }

    /** Fragment {@code index} of {@code content}, in a buffer of its own whose only reference the caller has. */
    Fragment fragment(TransferKey key, byte[] content, int index) {
        FragmentBuffer buffer = acquire();
        int from = index * FRAGMENT_BYTES;
        int length = Math.min(FRAGMENT_BYTES, content.length - from);
        buffer.payload(0, length).put(content, from, length);
        ByteBuffer payload = buffer.payload(0, length);
        return new Fragment(key, index, length, Crc32c.of(payload), TreeDigest.leaf(payload), buffer, 0);
    }

    private FragmentBuffer acquire() {
        while (true) {
            FragmentBuffer buffer = pool.tryAcquire();
            if (buffer != null) {
                return buffer;
            }
            Thread.onSpinWait();
        }
    }

    /** Whether no buffer is in use, asked on the loop: what it has answered before has given its buffers back. */
    boolean allBuffersAreFree() {
        return onLoop(() -> pool.available() == pool.capacity());
    }

    CompletableFuture<Outcome<Manifest>> open(Manifest manifest) {
        return ask(done -> area.open(manifest, done));
    }

    CompletableFuture<Outcome<Fragment>> offer(Fragment fragment) {
        return ask(done -> {
            area.fragment(fragment, done);
            fragment.buffer().release();
        });
    }

    CompletableFuture<Outcome<Fragment>> offer(TransferKey key, byte[] content, int index) {
        return offer(fragment(key, content, index));
    }

    CompletableFuture<Outcome<List<String>>> commit(TransferKey key, byte[] content) {
        return ask(done -> area.commit(key, commitOf(content), done));
    }

    CompletableFuture<Outcome<StoredTransfer>> lookup(TransferKey key) {
        return ask(done -> area.lookup(key, done));
    }

    CompletableFuture<Outcome<TransferKey>> cancel(TransferKey key) {
        return cancel(key, "test");
    }

    CompletableFuture<Outcome<TransferKey>> cancel(TransferKey key, String reason) {
        return ask(done -> area.cancel(key, reason, done));
    }

    CompletableFuture<Outcome<TransferKey>> retryDead(TransferKey key) {
        return ask(done -> area.retryDead(key, done));
    }

    CompletableFuture<Outcome<TransferKey>> dropDead(TransferKey key) {
        return ask(done -> area.dropDead(key, done));
    }

    CompletableFuture<Outcome<Receipt>> cancelWhole(TransferKey key) {
        return ask(done -> area.cancelWhole(key, "not needed", done));
    }

    CompletableFuture<Outcome<List<String>>> small(Manifest manifest, byte[] content) {
        Fragment fragment = fragment(manifest.key(), content, 0);
        return ask(done -> {
            area.small(manifest, fragment, commitOf(content), done);
            fragment.buffer().release();
        });
    }

    /** Opens, sends all fragments and commits, pipelined as a hop does. */
    CompletableFuture<Outcome<List<String>>> send(Manifest manifest, byte[] content) {
        return send(manifest, content, index -> {});
    }

    /** The same, and tells which fragments were acked. */
    CompletableFuture<Outcome<List<String>>> send(Manifest manifest, byte[] content, Consumer<Long> acked) {
        CompletableFuture<Outcome<Manifest>> opened = open(manifest);
        List<CompletableFuture<Outcome<Fragment>>> stored = new ArrayList<>();
        for (int i = 0; i * FRAGMENT_BYTES < content.length; i++) {
            long index = i;
            stored.add(offer(manifest.key(), content, i).thenApply(outcome -> {
                if (!outcome.isRefused()) {
                    acked.accept(index);
                }
                return outcome;
            }));
        }
        return opened.thenCompose(unused -> CompletableFuture.allOf(stored.toArray(CompletableFuture<?>[]::new)))
                .thenCompose(unused -> {
                    Refusal refusal = firstRefusal(opened, stored);
                    return refusal == null
                            ? commit(manifest.key(), content)
                            : CompletableFuture.completedFuture(Outcome.refused(refusal));
                });
    }

    /** Nothing is committed of which something was refused. */
    private static @Nullable Refusal firstRefusal(
            CompletableFuture<Outcome<Manifest>> opened, List<CompletableFuture<Outcome<Fragment>>> stored) {
        if (opened.join().isRefused()) {
            return opened.join().refusal();
        }
        for (CompletableFuture<Outcome<Fragment>> fragment : stored) {
            if (fragment.join().isRefused()) {
                return fragment.join().refusal();
            }
        }
        return null;
    }

    /** Calls {@code question} on the loop. */
    <T> CompletableFuture<Outcome<T>> ask(Consumer<Outcome.Callback<T>> question) {
        CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
        loop.execute(() -> question.accept(answer::complete));
        return answer;
    }

    /** Asks on the loop. */
    <T> T onLoop(Supplier<T> question) {
        return get(CompletableFuture.supplyAsync(question, loop));
    }

    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(TestTimes.SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    /** Waits for success. */
    static <T> T ok(CompletableFuture<Outcome<T>> future) {
        Outcome<T> outcome = get(future);
        assertThat(outcome.refusal()).isNull();
        return outcome.get();
    }

    /** Waits for a refusal. */
    static <T> Refusal refused(CompletableFuture<Outcome<T>> future) {
        Refusal refusal = get(future).refusal();
        if (refusal == null) {
            throw new AssertionError("it was not refused");
        }
        return refusal;
    }

    void awaitReceipts(int count) {
        org.awaitility.Awaitility.await().until(() -> receipts.size() >= count);
    }

    /** Stops the loop at once: nothing that is posted to it is run any more. */
    void stopLoop() {
        loop.shutdownNow();
    }

    @Override
    public void close() {
        area.close();
        loop.shutdown();
        digestThreads.close();
    }

    private boolean loopEnded() {
        try {
            return loop.awaitTermination(TestTimes.SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Closes it after a life that nothing has cut short: all memory has come back. */
    void closeInOrder() {
        close();
        // What the loop still runs gives back the buffers of what was answered at once.
        assertThat(loopEnded()).as("the loop has ended").isTrue();
        assertThat(pool.available()).as("buffers that came back").isEqualTo(pool.capacity());
    }
}
