package io.hawser.store.spool;

import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** A spool with a loop, a pool and a clock of its own, and what a client and a hop sender do with it. */
final class SpoolFixture implements AutoCloseable {
    static final int FRAGMENT = 128 << 10;
    static final Topic TOPIC = new Topic("site-b");

    static {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }

    /** The wall clock. */
    final AtomicLong now = new AtomicLong(1_700_000_000_000L);
    /** The clock that is never set, in milliseconds. */
    final AtomicLong steady = new AtomicLong();

    final RecordingListener listener = new RecordingListener();
    final FragmentBufferPool pool;
    final DiskSpool spool;
    private final ExecutorService loop;
    private final DigestThreads digests = DigestThreads.start(2);

    SpoolFixture(Path directory, SpoolConfig config) throws StorageException {
        this(new DiskStorage(), directory, config, 24);
    }

    SpoolFixture(Storage storage, Path directory, SpoolConfig config, int buffers) throws StorageException {
        this.pool = new FragmentBufferPool(Math.max(FRAGMENT, 1 << 20), buffers);
        this.loop = Executors.newSingleThreadExecutor(task -> new Thread(task, "test-loop"));
        try {
            this.spool = DiskSpool.open(
                    storage,
                    directory,
                    config,
                    pool,
                    digests,
                    loop,
                    DiskSpool.runtime(digests)
                            .withClocks(
                                    () -> Instant.ofEpochMilli(now.get()),
                                    () -> TimeUnit.MILLISECONDS.toNanos(steady.get())));
        } catch (StorageException | RuntimeException e) {
            loop.shutdown();
            digests.close();
            throw e;
        }
    }

    /** A configuration with a small journal. */
    static SpoolConfig config() {
        return SpoolConfig.defaults().withJournal(1 << 20, 0);
    }

    SpoolFixture started() {
        onLoop(() -> {
            spool.start(listener);
            return true;
        });
        return this;
    }

    <T> T onLoop(Supplier<T> action) {
        try {
            return CompletableFuture.supplyAsync(action, loop).get(TestTimes.SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    void run(Runnable action) {
        onLoop(() -> {
            action.run();
            return true;
        });
    }

    static UploadRequest request(String name) {
        return request(TransferKind.FILE, name, FRAGMENT, Map.of());
    }

    /** A request with tiny fragments, so that a few kilobytes are a large object. */
    static UploadRequest tiny(String name) {
        return request(TransferKind.FILE, name, UploadRequest.MIN_FRAGMENT_SIZE_BYTES, Map.of());
    }

    static UploadRequest request(String name, String account) {
        return request(TransferKind.FILE, name, FRAGMENT, Map.of(Attributes.ACCOUNT, account));
    }

    static UploadRequest delete(String name) {
        return request(TransferKind.DELETE, name, FRAGMENT, Map.of()).withSize(0);
    }

    static UploadRequest request(TransferKind kind, String name, int fragmentBytes, Map<String, String> attributes) {
        return new UploadRequest(
                TOPIC,
                kind,
                name,
                List.of(name),
                Manifest.UNKNOWN_SIZE,
                fragmentBytes,
                attributes,
                UploadRequest.Keyed.NONE);
    }

    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    Upload begin(UploadRequest request) {
        return onLoop(() -> spool.begin(request)).get();
    }

    /** Writes all fragments of {@code bytes} from {@code position} on, as a client would. */
    List<Answer<Long>> write(Upload upload, byte[] bytes, int position) {
        List<Answer<Long>> written = new ArrayList<>();
        int size = upload.manifest().fragmentSizeBytes();
        for (int at = position / size * size; at < bytes.length; at += size) {
            written.add(writeOne(upload, bytes, at / size));
        }
        return written;
    }

    Answer<Long> writeOne(Upload upload, byte[] bytes, int index) {
        int size = upload.manifest().fragmentSizeBytes();
        int length = Math.min(size, bytes.length - index * size);
        Answer<Long> written = new Answer<>();
        FragmentBuffer buffer = acquire();
        buffer.payload(0, length).put(bytes, index * size, length);
        run(() -> {
            upload.write(index, buffer, length, written);
            buffer.release();
        });
        return written;
    }

    FragmentBuffer acquire() {
        return await().until(pool::tryAcquire, buffer -> buffer != null);
    }

    Outcome<Commit> finish(Upload upload, long sizeBytes) {
        Answer<Commit> done = new Answer<>();
        run(() -> upload.finish(sizeBytes, done));
        return done.outcome();
    }

    Commit upload(String name, byte[] bytes) {
        Upload upload = begin(request(name));
        write(upload, bytes, 0);
        return finish(upload, bytes.length).get();
    }

    Answer<Commit> sendSmall(String name, byte[] bytes) {
        Answer<Commit> done = new Answer<>();
        Outcome<TransferKey> key = onLoop(() -> spool.sendSmall(request(name), ByteBuffer.wrap(bytes), done));
        if (key.refusal() != null) {
            done.accept(new Outcome<>(null, key.refusal()));
        }
        return done;
    }

    /** What a sender would send of it now. */
    byte[] content(TransferKey key) {
        Commit commit = listener.of(key).commit;
        if (commit == null) {
            throw new AssertionError("not committed");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long index = 0; index < commit.fragmentCount(); index++) {
            all.writeBytes(load(key, index).get());
        }
        return all.toByteArray();
    }

    /** Loads one fragment and copies it. */
    Outcome<byte[]> load(TransferKey key, long index) {
        Answer<byte[]> loaded = new Answer<>();
        run(() -> spool.load(key, index, outcome -> {
            if (outcome.refusal() != null) {
                loaded.accept(new Outcome<>(null, outcome.refusal()));
                return;
            }
            Fragment fragment = outcome.get();
            byte[] copy = new byte[fragment.length()];
            fragment.buffer().payload(fragment.offset(), fragment.length()).get(copy);
            fragment.buffer().release();
            loaded.accept(Outcome.of(copy));
        }));
        return loaded.outcome();
    }

    TransferSnapshot state(TransferKey key) {
        return onLoop(() -> spool.state(key)).orElseThrow();
    }

    TransferKey keyOf(String name) {
        return onLoop(() -> spool.states().stream()
                        .filter(state -> state.manifest().name().equals(name))
                        .reduce((older, newer) -> newer))
                .orElseThrow()
                .key();
    }

    void awaitPhase(TransferKey key, SpoolPhase phase) {
        await().until(() -> state(key).phase() == phase);
    }

    @Override
    public void close() {
        spool.close();
        loop.shutdown();
        try {
            loop.awaitTermination(TestTimes.SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        digests.close();
    }
}
