package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Records that are read ahead of who takes them. */
class LogReplayTest {
    private static final int MANY = 25_500;
    private static final byte[] LEAF = new byte[32];

    private final DiskExecutor disk = new ThreadedDisk("test", 1);

    private static LogRecord record(long sequence, int bodyBytes) {
        return LogRecords.of(
                1, sequence, 1, new LogPosition(1, sequence * 8), 8, null, 0, LEAF, new byte[bodyBytes], 0, 0);
    }

    @Test
    void allComeInOrderOnTheCallersThread() throws Exception {
        List<Long> seen = new ArrayList<>();
        Thread caller = Thread.currentThread();
        AtomicReference<Thread> reader = new AtomicReference<>();

        new LogReplay(disk, ahead -> {
                    reader.set(Thread.currentThread());
                    for (int i = 1; i <= MANY; i++) {
                        ahead.record(record(i, 0));
                    }
                })
                .run(record -> {
                    assertThat(Thread.currentThread()).isSameAs(caller);
                    seen.add(record.sequence());
                });

        assertThat(seen).hasSize(MANY).isSorted().doesNotHaveDuplicates();
        assertThat(reader.get()).isNotSameAs(caller);
    }

    @Test
    void whatIsReadAheadIsBoundedInNumberAndInBytes() throws Exception {
        for (int bodyBytes : new int[] {0, 1 << 20}) {
            AtomicInteger read = new AtomicInteger();
            AtomicInteger taken = new AtomicInteger();
            int most = bodyBytes == 0 ? 6_000 : 6;
            int records = bodyBytes == 0 ? MANY : 40;

            new LogReplay(disk, ahead -> {
                        for (int i = 1; i <= records; i++) {
                            assertThat(read.incrementAndGet() - taken.get()).isLessThanOrEqualTo(most);
                            ahead.record(record(i, bodyBytes));
                        }
                    })
                    .run(record -> taken.incrementAndGet());

            assertThat(taken.get()).isEqualTo(records);
        }
    }

    @Test
    void aFailureToReadIsTold() {
        StorageException failure = new StorageException("gone");

        assertThatThrownBy(() -> new LogReplay(disk, ahead -> {
                            ahead.record(record(1, 0));
                            throw failure;
                        })
                        .run(record -> {}))
                .isSameAs(failure);
        assertThatThrownBy(() -> new LogReplay(disk, ahead -> {
                            throw new IllegalStateException("a defect");
                        })
                        .run(record -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a defect");
    }

    @Test
    void whoFailsToTakeThemEndsTheReading() {
        AtomicInteger read = new AtomicInteger();
        AtomicReference<Thread> reader = new AtomicReference<>();
        StorageException failure = new StorageException("refused");

        assertThatThrownBy(() -> new LogReplay(disk, ahead -> {
                            reader.set(Thread.currentThread());
                            while (true) {
                                ahead.record(record(read.incrementAndGet(), 0));
                            }
                        })
                        .run(record -> {
                            throw failure;
                        }))
                .isSameAs(failure);

        int then = read.get();
        assertThat(reader.get().isInterrupted()).isFalse();
        assertThat(read.get()).as("nothing is read any more").isEqualTo(then);
    }

    @Test
    void anInterruptIsKeptForTheCaller() throws Exception {
        List<Long> seen = new ArrayList<>();
        Thread.currentThread().interrupt();

        new LogReplay(disk, ahead -> {
                    for (int i = 1; i <= MANY; i++) {
                        ahead.record(record(i, 0));
                    }
                })
                .run(record -> seen.add(record.sequence()));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(seen).hasSize(MANY);
    }
}
