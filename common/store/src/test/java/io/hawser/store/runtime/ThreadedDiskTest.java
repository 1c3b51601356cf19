package io.hawser.store.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.runtime.DiskExecutor.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a store may rely on, with threads. */
class ThreadedDiskTest {
    private final ThreadedDisk disk = new ThreadedDisk("test", 2);

    @Test
    void aLaneHasItsThreadsAndShowsWhatWaits() {
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < 5; i++) {
            assertThat(disk.execute(Lane.CONTENT, () -> await(go))).isTrue();
        }

        Awaitility.await().until(() -> disk.running(Lane.CONTENT) == disk.threads(Lane.CONTENT));
        assertThat(disk.waiting(Lane.CONTENT)).isEqualTo(3);
        assertThat(disk.running(Lane.NAMESPACE)).isZero();
        go.countDown();
        disk.close();

        assertThat(disk.waiting(Lane.CONTENT)).isZero();
        assertThat(Arrays.stream(disk.waits(Lane.CONTENT).counts()).sum()).isEqualTo(5);
        assertThat(Arrays.stream(disk.waits(Lane.JOURNAL).counts()).sum()).isZero();
        assertThat(disk.execute(Lane.CONTENT, () -> {})).isFalse();
    }

    @Test
    void aSerialQueueEndsWithWhatItsTasksAdd() {
        List<String> done = new ArrayList<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        CountDownLatch go = new CountDownLatch(1);
        SerialQueue queue = disk.serial(Lane.JOURNAL, "test-journal");
        queue.execute(() -> {
            thread.set(Thread.currentThread());
            await(go);
            throw new IllegalStateException("a defect ends one task");
        });
        queue.execute(() -> queue.execute(() -> done.add("added at the end")));
        queue.execute(() -> done.add("second"));
        Awaitility.await().until(() -> disk.running(Lane.JOURNAL) == 1 && disk.waiting(Lane.JOURNAL) == 2);
        Thread.currentThread().interrupt();
        go.countDown();

        queue.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).containsExactly("second", "added at the end");
        assertThat(thread.get().getName()).isEqualTo("test-journal");
        assertThat(thread.get().isAlive()).isFalse();
        assertThat(queue.execute(() -> {})).isFalse();
        assertThat(disk.running(Lane.JOURNAL)).isZero();
        assertThat(Arrays.stream(disk.waits(Lane.JOURNAL).counts()).sum()).isEqualTo(4);
    }

    @Test
    void whatIsDelayedIsDroppedAtTheEnd() {
        CountDownLatch soon = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        disk.after(Duration.ofHours(1), never::countDown);
        disk.after(Duration.ofMillis(1), soon::countDown);
        await(soon);

        disk.close();
        disk.after(Duration.ZERO, never::countDown);

        assertThat(never.getCount()).isOne();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
