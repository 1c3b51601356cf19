package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentTest {
    private final AtomicLong nanos = new AtomicLong(-7);
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void anAnswerServesUntilItIsTooOld() throws IOException {
        Recent<Integer> recent = new Recent<>(Duration.ofNanos(10), nanos::get, asked::incrementAndGet);

        assertThat(recent.get()).isEqualTo(1);
        nanos.addAndGet(9);
        assertThat(recent.get()).isEqualTo(1);
        nanos.addAndGet(1);
        assertThat(recent.get()).isEqualTo(2);
    }

    @Test
    void aFailureIsNoAnswer() throws IOException {
        Recent<Integer> recent = new Recent<>(Duration.ofNanos(10), nanos::get, () -> {
            if (asked.incrementAndGet() == 1) {
                throw new IOException("the node is starting");
            }
            return asked.get();
        });

        assertThatThrownBy(recent::get).isInstanceOf(IOException.class);
        assertThat(recent.get()).isEqualTo(2);
    }
}
