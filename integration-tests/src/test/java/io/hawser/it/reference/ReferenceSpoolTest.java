package io.hawser.it.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolOutlet;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the reference reads of a spool whose process has ended, or whose power was cut, is what the spool says when it is opened again. */
class ReferenceSpoolTest extends ReferenceLives {
    private static final Path DIRECTORY = Path.of("/spool");
    private static final Topic TOPIC = new Topic("site-b");
    private static final NodeId BROKER = new NodeId(5, 6);
    private static final int FRAGMENT = UploadRequest.MIN_FRAGMENT_SIZE_BYTES;
    private static final List<ReceiptStatus> STATUSES = List.of(ReceiptStatus.values());
    private static final int STEPS = 90;
    /** A hop sender that has a session, or none. */
    private static final class Hop implements SpoolOutlet {
        boolean connected;

        @Override
        public void pending(Manifest manifest, FragmentRanges durable, @Nullable Commit commit, boolean fresh) {}

        @Override
        public void small(Manifest manifest, Commit commit, Fragment inMemory) {}

        @Override
        public void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory) {}

        @Override
        public void committed(TransferKey key, Commit commit) {}

        @Override
        public boolean cancelled(TransferKey key, String reason) {
            return connected;
        }

        @Override
        public void recalled(TransferKey key, String reason) {}

        @Override
        public boolean held(TransferKey key, boolean holds) {
            return true;
        }

        @Override
        public void prioritised(TransferKey key, int priority) {}

        @Override
        public void withdrawn(TransferKey key) {}

        @Override
        public void suspended(TransferKey key) {}

        @Override
        public void resumed(TransferKey key) {}

        @Override
        public void storageFailed(StorageException cause) {}
    }

    private final FragmentBufferPool pool = new FragmentBufferPool(1 << 20, 24);
    private final Hop hop = new Hop();
    private final List<Upload> uploads = new ArrayList<>();
    private int names;

    ReferenceSpoolTest() {
        super(DIRECTORY.resolve("journal"), 4, 12, 12);
    }

    @Override
    void begin(long seed) {
        names = 0;
    }

    @Override
    void life(String name, ReferenceLog left) throws Exception {
        ReferenceSpool expected = ReferenceSpool.read(storage, DIRECTORY);
        try (StoreLoop loop = new StoreLoop();
                DigestThreads digests = DigestThreads.start(1);
                DiskSpool spool = DiskSpool.open(
                        storage,
                        DIRECTORY,
                        SpoolConfig.defaults().withJournal(128 << 10, 0),
                        pool,
                        digests,
                        loop.executor())) {
            assertThat(loop.call(() -> SpoolComparison.differences(expected, spool)))
                    .as(name)
                    .isEmpty();
            loop.run(() -> spool.start(hop));
            uploads.clear();
            for (int step = 0; step < STEPS; step++) {
                step(loop, spool);
            }
            end(loop, spool);
        }
    }

    private void end(StoreLoop loop, DiskSpool spool) {
        boolean torn = random.nextBoolean();
        if (torn) { // half of a write, and then nothing more
            storage.failCall(1 + random.nextInt(3), FaultyStorage.Fault.SHORT, true);
            for (int sends = 0; sends < 3; sends++) {
                UploadRequest request = request().withSize(5 * FRAGMENT);
                var unused = loop.<Commit>answer(done -> {
                    Outcome<TransferKey> unusedKey = spool.sendSmall(request, ByteBuffer.allocate(5 * FRAGMENT), done);
                });
            }
            small(loop, spool);
        }
        end(torn ? 2 : 3);
        storage.heal();
    }

    private UploadRequest request() {
        String name = "dir/" + names++;
        return new UploadRequest(
                TOPIC,
                TransferKind.FILE,
                name,
                List.of(name),
                random.nextBoolean() ? Manifest.UNKNOWN_SIZE : 3 * FRAGMENT + 100,
                FRAGMENT,
                Map.of("mtime", "17", "account", "me"),
                UploadRequest.Keyed.NONE);
    }

    private void step(StoreLoop loop, DiskSpool spool) {
        hop.connected = random.nextBoolean();
        List<TransferSnapshot> all = loop.call(spool::states);
        TransferSnapshot any = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> small(loop, spool);
            case 3 -> inPlace(loop, spool);
            case 4 -> uploads.add(loop.call(() -> spool.begin(request())).get());
            case 5, 6, 7 -> upload(loop);
            default -> {
                if (any != null) {
                    change(loop, spool, any);
                }
            }
        }
    }

    private void small(StoreLoop loop, DiskSpool spool) {
        byte[] bytes = new byte[random.nextInt(FRAGMENT)];
        random.nextBytes(bytes);
        UploadRequest request = request().withSize(bytes.length);
        loop.<Commit>ask(done -> {
            Refusal atOnce =
                    spool.sendSmall(request, ByteBuffer.wrap(bytes), done).refusal();
            if (atOnce != null) { // the journal has failed; nothing else is answered
                done.accept(Outcome.refused(atOnce));
            }
        });
    }

    /** A file that is read in place; the process may end before all of it is. */
    private void inPlace(StoreLoop loop, DiskSpool spool) {
        UploadRequest request = request();
        Path source = Path.of("/source" + names);
        int length = FRAGMENT * (17 + random.nextInt(3)) + random.nextInt(2) * 100;
        try (StorageFile file = storage.open(source, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.allocate(length), 0);
            file.force(true);
            storage.forceDirectory(Path.of("/"));
        } catch (StorageException e) {
            throw new AssertionError(e);
        }
        CompletableFuture<Outcome<Commit>> done = loop.answer(committed -> {
            Outcome<TransferKey> unused = spool.reference(request.withSize(length), source, committed);
        });
        if (random.nextInt(4) > 0) {
            StoreLoop.get(done);
        }
    }

    private void upload(StoreLoop loop) {
        if (uploads.isEmpty()) {
            return;
        }
        Upload upload = uploads.get(random.nextInt(uploads.size()));
        int from = (int) loop.call(upload::durableEndBytes).longValue() / FRAGMENT;
        boolean whole = random.nextBoolean();
        for (int index = from; whole && index < 4; index++) {
            write(loop, upload, index, index == 3 ? 100 : FRAGMENT);
        }
        if (!whole) {
            write(loop, upload, random.nextInt(3), FRAGMENT);
            if (random.nextInt(3) > 0) {
                return;
            }
        }
        uploads.remove(upload);
        switch (random.nextInt(4)) {
            case 0 -> loop.run(() -> upload.abandon("it broke off"));
            case 1 -> loop.run(() -> upload.cancel("not wanted"));
            default -> loop.<Commit>ask(done -> upload.finish(3L * FRAGMENT + 100, done));
        }
    }

    private void write(StoreLoop loop, Upload upload, int index, int length) {
        byte[] bytes = new byte[length];
        new Random(upload.key().id().low() + index).nextBytes(bytes);
        loop.<Long>ask(done -> {
            FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
            buffer.payload(0, length).put(bytes);
            upload.write(index, buffer, length, done);
            buffer.release();
        });
    }

    private void change(StoreLoop loop, DiskSpool spool, TransferSnapshot any) {
        TransferKey key = any.key();
        loop.run(() -> {
            switch (any.phase()) {
                case INCOMPLETE -> {
                    if (random.nextInt(4) == 0) {
                        spool.cancel(key, "no more");
                    } else {
                        Outcome<Upload> resumed = spool.resume(key);
                        if (!resumed.isRefused()) {
                            uploads.add(resumed.get());
                        }
                    }
                }
                case SPOOLED -> {
                    if (random.nextInt(3) > 0) {
                        spool.toCheck(BROKER);
                        spool.committed(key, random.nextBoolean() ? List.of("one") : List.of("one", "two"));
                    } else if (random.nextBoolean()) {
                        spool.refused(key, new Refusal(ErrorCode.ID_USED, "it was used"));
                    } else {
                        spool.cancel(key, "not any more", outcome -> {});
                    }
                }
                case BROKERED -> {
                    if (random.nextInt(6) == 0) {
                        spool.checked(Set.of(key), Set.of());
                    } else if (random.nextInt(8) == 0) {
                        spool.cancel(key, "too late", outcome -> {});
                    } else {
                        ReceiptStatus status = STATUSES.get(random.nextInt(STATUSES.size()));
                        String of = random.nextBoolean() ? "one" : "two";
                        spool.receipt(
                                new Receipt(key, of, status, random.nextBoolean() ? "why" : "", random.nextInt(1000)),
                                () -> {});
                    }
                }
                case CANCELLED, REFUSED -> {
                    if (random.nextBoolean()) {
                        spool.cancelled(key);
                    } else if (any.commit() != null && random.nextBoolean()) {
                        spool.committed(key, List.of("one"));
                    } else {
                        spool.cancel(key, "once more", outcome -> {});
                    }
                }
                case RECEIVING, FINISHED -> {}
            }
        });
    }
}
