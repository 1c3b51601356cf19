package io.hawser.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A role with one kind of record: what is needed of its journal stays, whatever fails meanwhile. */
class JournalCleanerTest {
    private static final int CONTENT_BYTES = 8192;
    private static final long SEGMENT_BYTES = 8L * 4096 * 4;
    private static final RecordKinds<Said> KINDS = new RecordKinds<Said>("toy journal")
            .add(1, Said.class, (said, out) -> out.string(said.text()), (key, in) -> new Said(key, in.string()));

    @TempDir
    Path directory;

    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final FragmentBufferPool pool = new FragmentBufferPool(CONTENT_BYTES, 4);
    private final Map<TransferKey, Toy> transfers = new LinkedHashMap<>();
    private final JournalUse use = new JournalUse();
    private final AtomicBoolean readsFail = new AtomicBoolean();
    private final AtomicBoolean deletesFail = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private TransferJournal<Said> journal;
    private JournalCleaner<Said> cleaner;

    /** What is said of a transfer. */
    record Said(TransferKey key, String text) implements JournalRecord {}

    /** A transfer whose last record says all. */
    private static final class Toy implements JournaledTransfer<Said> {
        private final JournalFootprint footprint = new JournalFootprint();
        private final Said said;
        private boolean changing;
        private @Nullable LogPosition position;
        private int contentBytes = CONTENT_BYTES;

        Toy(Said said) {
            this.said = said;
        }

        @Override
        public JournalFootprint footprint() {
            return footprint;
        }

        @Override
        public boolean isAtRest() {
            return !changing && footprint.isAtRest();
        }

        @Override
        public List<Said> toRecords() {
            return List.of(said);
        }

        @Override
        public @Nullable JournaledContent content() {
            LogPosition at = position;
            return at == null ? null : new JournaledContent(at, contentBytes);
        }

        @Override
        public void apply(Said record, LogPosition at, long lengthBytes) {
            footprint.replace(at.segment(), lengthBytes);
            position = at;
        }
    }

    @BeforeEach
    void open() throws StorageException {
        Storage storage = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            boolean isSegment =
                    arguments.length > 0 && String.valueOf(arguments[0]).endsWith(".log");
            if (isSegment
                    && ((method.equals("open") && arguments[1] == OpenMode.READ && readsFail.get())
                            || ((method.equals("delete") || method.equals("rename")) && deletesFail.get()))) {
                failures.incrementAndGet();
                throw new StorageException("the disk fails");
            }
            return real.call();
        });
        LogConfig config = LogConfig.of(directory.resolve("journal"), 1, "toy-log", TestRuntime.threads())
                .withSegments(SEGMENT_BYTES, 0);
        journal = TransferJournal.open(storage, config, KINDS, loop, cause -> {});
        cleaner = new JournalCleaner<>(journal, use, transfers::values, List::of, pool, Runnable::run, loop);
    }

    @AfterEach
    void close() throws InterruptedException {
        journal.close();
        loop.shutdown();
        assertThat(loop.awaitTermination(1, TimeUnit.MINUTES))
                .as("a cleaning that is under way touches the directory")
                .isTrue();
    }

    private static TransferKey key(long number) {
        return new TransferKey(new NodeId(1, 1), new TransferId(1, number));
    }

    private <T> T onLoop(Supplier<T> action) {
        return CompletableFuture.supplyAsync(action, loop).join();
    }

    /** Appends a transfer with its bytes, durably. */
    private void append(long number) {
        CompletableFuture<Boolean> durable = new CompletableFuture<>();
        FragmentBuffer buffer = pool.tryAcquire();
        ByteBuffer bytes = buffer.payload(0, CONTENT_BYTES);
        Fragment content =
                new Fragment(key(number), 0, CONTENT_BYTES, Crc32c.of(bytes), TreeDigest.leaf(bytes), buffer, 0);
        loop.execute(() -> {
            Toy toy = new Toy(new Said(key(number), "n" + number));
            transfers.put(key(number), toy);
            use.add(toy.footprint());
            journal.append(
                    toy.said,
                    content,
                    (position, lengthBytes) -> {
                        toy.apply(toy.said, position, lengthBytes);
                        durable.complete(true);
                    },
                    durable::completeExceptionally);
        });
        durable.join();
        buffer.release();
    }

    /** Sixty transfers in several segments, of which only the first is live. */
    private void fill() {
        for (int number = 1; number <= 60; number++) {
            append(number);
        }
        onLoop(() -> List.copyOf(transfers.keySet()).stream()
                .filter(key -> !key.equals(key(1)))
                .allMatch(this::forget));
    }

    private long firstSegment() {
        return journal.sealedSegments().stream()
                .mapToLong(SegmentInfo::number)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void clean() {
        loop.execute(cleaner::tick);
    }

    private boolean forget(TransferKey key) {
        use.remove(Objects.requireNonNull(transfers.remove(key)).footprint());
        return true;
    }

    private List<String> replayed() throws StorageException {
        List<String> texts = new ArrayList<>();
        journal.replay((said, position, lengthBytes) -> texts.add(said.text()));
        return texts;
    }

    @Test
    void whatIsLiveIsCarriedOnWithItsBytes() throws Exception {
        fill();
        long before = firstSegment();

        clean();

        await().until(() -> firstSegment() > before);
        assertThat(replayed()).contains("n1");
        onLoop(() -> forget(key(1)));
        clean();
        await().until(() -> journal.sealedSegments().isEmpty());
    }

    @Test
    void withoutABufferItIsDoneAnotherTime() {
        fill();
        long before = firstSegment();
        List<FragmentBuffer> taken = new ArrayList<>();
        for (FragmentBuffer next = pool.tryAcquire(); next != null; next = pool.tryAcquire()) {
            taken.add(next);
        }

        clean();
        onLoop(() -> true); // the first look, and what it decides, are over after a few turns
        onLoop(() -> true);
        onLoop(() -> true);
        assertThat(firstSegment()).isEqualTo(before);

        taken.forEach(FragmentBuffer::release);
        await().until(() -> {
            clean();
            return firstSegment() > before;
        });
    }

    @Test
    void whatCannotBeReadKeepsItsSegment() throws Exception {
        fill();
        long before = firstSegment();
        readsFail.set(true);

        clean();
        onLoop(() -> true);
        onLoop(() -> true);
        onLoop(() -> true);
        assertThat(firstSegment()).isEqualTo(before);

        readsFail.set(false);
        await().until(() -> {
            clean();
            return firstSegment() > before;
        });
        assertThat(replayed()).contains("n1");
    }

    /** Else it would be carried with the bytes of another. */
    @Test
    void aRecordWithOtherBytesKeepsItsSegment() throws Exception {
        fill();
        long before = firstSegment();
        onLoop(() -> transfers.get(key(1)).contentBytes = CONTENT_BYTES - 1);

        clean();
        onLoop(() -> true);
        onLoop(() -> true);
        onLoop(() -> true);

        assertThat(firstSegment()).isEqualTo(before);
        assertThat(replayed()).filteredOn("n1"::equals).hasSize(1);
    }

    @Test
    void whatIsChangingIsCarriedAnotherTime() {
        fill();
        long before = firstSegment();
        onLoop(() -> transfers.get(key(1)).changing = true);

        clean();
        onLoop(() -> true);
        onLoop(() -> true);
        onLoop(() -> true);
        assertThat(firstSegment()).isEqualTo(before);

        onLoop(() -> transfers.get(key(1)).changing = false);
        await().until(() -> {
            clean();
            return firstSegment() > before;
        });
    }

    @Test
    void aSegmentThatCannotBeDeletedIsTriedAgain() {
        fill();
        onLoop(() -> forget(key(1)));
        deletesFail.set(true);

        await().until(() -> {
            clean();
            return failures.get() > 1;
        });
        deletesFail.set(false);
        await().until(() -> {
            clean();
            return journal.sealedSegments().isEmpty();
        });
    }

    @Test
    void aKindIsNeverGivenTwice() {
        assertThatThrownBy(() -> new RecordKinds<Said>("j")
                        .add(1, Said.class, (said, out) -> {}, (key, in) -> new Said(key, ""))
                        .add(1, Said.class, (said, out) -> {}, (key, in) -> new Said(key, "")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RecordKinds<Said>("j")
                        .add(1, Said.class, (said, out) -> {}, (key, in) -> new Said(key, ""))
                        .add(2, Said.class, (said, out) -> {}, (key, in) -> new Said(key, "")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
