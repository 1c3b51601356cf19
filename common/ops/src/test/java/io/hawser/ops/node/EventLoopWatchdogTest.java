package io.hawser.ops.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopWatchdogTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // wraps around
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private final EventLoopWatchdog watchdog = new EventLoopWatchdog(loop, Duration.ofMillis(1), nanos::get);

    @AfterEach
    void end() {
        loop.shutdownNow();
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void loopThatStandsStillIsAProblemUntilItTurnsAgain() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        loop.execute(() -> {
            waits.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waits.await();

        nanos.addAndGet(EventLoopWatchdog.LONGEST.toNanos());
        assertThat(watchdog.problem()).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(12).toNanos());
        assertThat(watchdog.problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("stood still for 42 s"));

        answer.countDown();
        await().until(() -> watchdog.problem().isEmpty());
    }
}
