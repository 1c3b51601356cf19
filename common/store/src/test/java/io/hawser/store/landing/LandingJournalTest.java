package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LandingJournalTest {
    private static final int TRANSFERS = 2_000;
    private static final int KEPT_EVERY = 10;
    private static final int WINDOW = 64;

    @TempDir
    Path directory;

    private final ExecutorService loop = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        loop.shutdown();
    }

    private LandingContext context() throws StorageException {
        return LandingContext.open(
                new DiskStorage(),
                LandingOptions.in(directory, "sub"),
                StoreRuntime.of(new ThreadedDisk("landing", 2)),
                loop);
    }

    @Test
    void oldSegmentsAreGivenUpAndWhatIsStillKnownIsCarriedOn() throws Exception {
        Set<LandingRecord> expected = Collections.synchronizedSet(new HashSet<>());
        try (LandingContext context = context();
                LandingJournal journal = LandingJournal.open(context, cause -> {
                    throw new AssertionError(cause);
                })) {
            Semaphore window = new Semaphore(WINDOW);
            for (int i = 1; i <= TRANSFERS; i++) {
                int number = i;
                window.acquire();
                loop.execute(() -> append(journal, number, expected, window::release));
            }
            window.acquire(WINDOW);
            await().until(() -> segmentBytes() < 40L << 20);
        }

        try (LandingContext context = context();
                LandingJournal journal = LandingJournal.open(context, cause -> {})) {
            assertThat(new HashSet<>(journal.records())).isEqualTo(expected);
        }
    }

    @Test
    void manyShortLivesLeaveNoMoreSegmentsThanOne() throws Exception {
        for (int life = 1; life <= 20; life++) {
            int number = life;
            try (LandingContext context = context();
                    LandingJournal journal = LandingJournal.open(context, cause -> {})) {
                Semaphore durable = new Semaphore(0);
                loop.execute(() -> append(journal, number, new HashSet<>(), durable::release));
                durable.acquire();
                if (life == 20) {
                    await().until(() -> segmentBytes() < 40L << 20);
                }
            }
        }
    }

    /** 30 KB for each transfer: 60 MB in all, most of which is no longer needed. */
    private static void append(LandingJournal journal, int number, Set<LandingRecord> expected, Runnable durable) {
        LandingRecord opened = opened(number);
        if (number % KEPT_EVERY == 0) {
            journal.append(opened, durable);
            expected.add(opened);
        } else {
            journal.append(opened, () -> {});
            journal.append(new LandingRecord.Dropped(opened.key()), durable);
        }
    }

    private static LandingRecord opened(int number) {
        Map<String, String> attributes = Map.of("x-filler", "f".repeat(30_000));
        Manifest manifest = LandingRig.manifest(number, TransferKind.FILE, "n" + number, 1, attributes);
        return new LandingRecord.Opened(manifest, number);
    }

    /** The cleaner carries on a few hundred at a time; the rest may be dropped meanwhile. */
    @Test
    void whatIsDroppedWhileOthersAreCarriedOnDoesNotComeBack() throws Exception {
        int kept = 2_000;
        try (LandingContext context = context();
                LandingJournal journal = LandingJournal.open(context, cause -> {
                    throw new AssertionError(cause);
                })) {
            Semaphore durable = new Semaphore(0);
            loop.execute(() -> {
                for (int number = 1; number <= kept; number++) {
                    journal.append(small(number), () -> {});
                }
            });
            for (int round = 0; round < 8; round++) { // more than three dead bytes for each live one
                for (int i = 0; i < 100; i++) {
                    LandingRecord opened = opened(10_000);
                    loop.execute(() -> journal.append(opened, durable::release));
                }
                durable.acquire(100);
            }
            loop.execute(() -> {
                for (int number = 1; number <= kept; number++) {
                    journal.append(new LandingRecord.Dropped(LandingRig.key(number)), durable::release);
                }
            });
            durable.acquire(kept);
            await().until(() -> segmentBytes() < 20L << 20);
        }

        try (LandingContext context = context();
                LandingJournal journal = LandingJournal.open(context, cause -> {})) {
            assertThat(journal.records()).hasSize(1);
        }
    }

    private static LandingRecord small(int number) {
        return new LandingRecord.Opened(LandingRig.file(number, "n" + number, 1), number);
    }

    private long segmentBytes() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("journal"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
    }
}
