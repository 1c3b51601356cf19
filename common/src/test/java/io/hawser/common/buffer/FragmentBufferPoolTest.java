package io.hawser.common.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The bound on memory, and who is woken when some is given back. */
class FragmentBufferPoolTest {
    private final FragmentBufferPool pool = new FragmentBufferPool(4096, 1);

    @Test
    void thereAreNoMoreThanItsCapacity() {
        FragmentBuffer only = Objects.requireNonNull(pool.tryAcquire());
        assertThat(pool.tryAcquire()).isNull();
        only.retain();
        only.release();
        assertThat(pool.available()).isZero();

        only.release();

        assertThat(pool.tryAcquire()).isSameAs(only);
    }

    @Test
    void aWaiterWhoseThreadHasEndedDoesNotKeepTheOthersAsleep() {
        FragmentBuffer only = Objects.requireNonNull(pool.tryAcquire());
        List<String> woken = new ArrayList<>();
        pool.whenAvailable(() -> {
            throw new RejectedExecutionException("its loop has ended");
        });
        pool.whenAvailable(() -> woken.add("second"));

        only.release();

        assertThat(woken).containsExactly("second");
    }
}
