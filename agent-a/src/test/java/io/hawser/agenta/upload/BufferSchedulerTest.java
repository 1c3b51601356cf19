package io.hawser.agenta.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BufferSchedulerTest {
    private final FragmentBufferPool pool = new FragmentBufferPool(4096, 2);
    private final ArrayDeque<Runnable> posted = new ArrayDeque<>();
    private final List<Runnable> timers = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5; // a clock may begin anywhere
    private final BufferScheduler turns =
            new BufferScheduler(pool, posted::add, (millis, task) -> timers.add(task), () -> now);
    private final List<String> told = new ArrayList<>();

    private void turnTheLoop() {
        while (!posted.isEmpty()) {
            posted.remove().run();
        }
    }

    private void pass(long nanos) {
        now += nanos;
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
        turnTheLoop();
    }

    private FragmentBuffer acquire() {
        return Objects.requireNonNull(turns.tryAcquire());
    }

    /** One who takes a buffer when it is his turn and gives it back when he is told to. */
    private void wait(String name) {
        turns.whenFree(() -> {
            told.add(name);
            hold(name, acquire());
        });
    }

    private BufferScheduler.Hold hold(String name, FragmentBuffer buffer) {
        return turns.hold(() -> {
            told.add("not " + name);
            buffer.release();
        });
    }

    @Test
    void buffersAreGivenInTheOrderInWhichTheyWereAskedFor() {
        FragmentBuffer one = acquire();
        FragmentBuffer two = acquire();
        assertThat(turns.tryAcquire()).isNull();
        wait("a");
        wait("b");
        wait("c");

        one.release();
        assertThat(turns.isFree()).isFalse();
        assertThat(turns.tryAcquire()).as("others came before").isNull();
        turnTheLoop();
        assertThat(told).containsExactly("a");
        two.release();
        turnTheLoop();

        assertThat(told).containsExactly("a", "b");
    }

    @Test
    void aTurnThatIsNotUsedGoesToTheNext() {
        FragmentBuffer one = acquire();
        acquire();
        turns.whenFree(() -> told.add("gone meanwhile"));
        wait("b");

        one.release();
        turnTheLoop();

        assertThat(told).containsExactly("gone meanwhile", "b");
    }

    @Test
    void nobodyIsToldWhileNobodyWaits() {
        hold("a", acquire());
        hold("b", acquire());

        pass(100 * BufferScheduler.MAX_HOLD_NANOS);

        assertThat(told).isEmpty();
        assertThat(timers).isEmpty();
    }

    @Test
    void whoStandsStillIsToldAndTheLongestFirst() {
        BufferScheduler.Hold a = hold("a", acquire());
        hold("b", acquire());
        now += BufferScheduler.IDLE_NANOS / 2;
        a.touched();
        wait("c");
        turnTheLoop();
        assertThat(told).as("a pause is no standstill").isEmpty();

        pass(BufferScheduler.IDLE_NANOS / 2);
        assertThat(told).containsExactly("not b", "c");

        wait("d");
        pass(BufferScheduler.IDLE_NANOS / 2);
        assertThat(told).containsExactly("not b", "c", "not a", "d");
    }

    @Test
    void whoFillsItSlowlyIsToldWhenItsTurnIsOver() {
        BufferScheduler.Hold a = hold("a", acquire());
        acquire();
        wait("c");
        turnTheLoop();
        for (long held = 0; held + BufferScheduler.IDLE_NANOS / 2 < BufferScheduler.MAX_HOLD_NANOS; ) {
            pass(BufferScheduler.IDLE_NANOS / 2);
            held += BufferScheduler.IDLE_NANOS / 2;
            a.touched();
            assertThat(told).isEmpty();
        }

        pass(BufferScheduler.IDLE_NANOS / 2);

        assertThat(told).containsExactly("not a", "c");
    }

    @Test
    void noMoreAreToldThanWait() {
        hold("a", acquire());
        hold("b", acquire());
        now += BufferScheduler.IDLE_NANOS;
        wait("c");

        turnTheLoop();

        assertThat(told).containsExactly("not a", "c");
    }

    @Test
    void whoHasHandedItsBufferOverIsNotTold() {
        BufferScheduler.Hold a = hold("a", acquire());
        acquire();
        a.end();
        now += BufferScheduler.MAX_HOLD_NANOS;
        wait("c");

        turnTheLoop();

        assertThat(told).isEmpty();
    }
}
