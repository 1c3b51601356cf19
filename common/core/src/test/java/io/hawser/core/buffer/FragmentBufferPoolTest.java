package io.hawser.core.buffer;

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

    @Test
    void whatIsSetAsideTakesNobodysPlaceUntilItIsGivenBack() {
        FragmentBufferPool two = new FragmentBufferPool(4096, 1, 1);
        FragmentBuffer kept = Objects.requireNonNull(two.tryAcquire());
        List<String> woken = new ArrayList<>();
        two.whenAvailable(() -> woken.add("who waited"));

        assertThat(kept.setAside()).isTrue();
        assertThat(woken).containsExactly("who waited");
        assertThat(two.available()).isOne();
        FragmentBuffer second = Objects.requireNonNull(two.tryAcquire());

        assertThat(second.setAside()).as("there is room for one").isFalse();
        assertThat(two.tryAcquire()).isNull();
        kept.release();

        assertThat(two.aside()).isZero();
        assertThat(two.available()).as("the second one is in use").isZero();
        assertThat(second.setAside()).isTrue();
        second.release();
        assertThat(two.available()).isOne();
        assertThat(two.tryAcquire()).as("one of the two that were made").isIn(kept, second);
    }

    @Test
    void settingAsideTwiceTakesOnePlace() {
        FragmentBufferPool pool = new FragmentBufferPool(4096, 2, 1);
        FragmentBuffer kept = Objects.requireNonNull(pool.tryAcquire());

        assertThat(kept.setAside()).isTrue();
        assertThat(kept.setAside()).isTrue();

        assertThat(pool.aside()).isOne();
        kept.release();
        assertThat(pool.available()).isEqualTo(2);
    }
}
