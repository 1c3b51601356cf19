package io.hawser.core.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DigestThreadsTest {
    @Test
    void tasksRunOnDigestThreads() throws Exception {
        try (DigestThreads threads = DigestThreads.start(1)) {
            CompletableFuture<String> name = new CompletableFuture<>();
            threads.execute(() -> name.complete(Thread.currentThread().getName()));

            assertThat(name.get(60, TimeUnit.SECONDS)).isEqualTo("hawser-digest-1");
        }
    }

    @Test
    void closeFinishesWhatIsQueued() {
        AtomicInteger done = new AtomicInteger();
        try (DigestThreads threads = DigestThreads.start(2).warmUp()) {
            for (int i = 0; i < 100; i++) {
                threads.execute(done::incrementAndGet);
            }
        }

        assertThat(done).hasValue(100);
    }
}
