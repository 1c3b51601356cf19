package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ReadSchedulerTest {
    private static final long MIB = 1 << 20;

    private record UnderWay(String who, int priority, long bytes) {}

    private final ReadScheduler scheduler = new ReadScheduler();
    private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();
    private final List<String> begun = new ArrayList<>();

    private void ask(String who, int priority, int count) {
        for (int i = 0; i < count; i++) {
            scheduler.ask(who, priority, MIB, () -> {
                begun.add(who);
                underWay.add(new UnderWay(who, priority, MIB));
            });
        }
    }

    private void end(int count) {
        for (int i = 0; i < count; i++) {
            UnderWay first = underWay.removeFirst();
            scheduler.done(first.priority(), first.bytes());
        }
    }

    private static long of(List<String> begun, Predicate<String> who) {
        return begun.stream().filter(who).count();
    }

    @Test
    void ofOnePriorityEverythingIsBegunAtOnce() {
        ask("a", 5, 100);
        ask("b", 5, 100);

        assertThat(begun).hasSize(200);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void theHigherPriorityIsReadFirstAndTheLowerGetsAnEighth() {
        ask("high", 9, 8); // as much as is under way at once
        ask("low", 1, 1000);
        ask("high", 9, 1000);
        begun.clear();

        end(400);

        assertThat(begun).hasSize(400);
        assertThat(of(begun, "low"::equals)).isEqualTo(400 / ReadScheduler.TURNS);
    }

    @Test
    void whoHasTheLowestPriorityIsNeverStarvedByManyHigherOnes() {
        ask("high", 9, 20);
        ask("low", 1, 3);
        for (int i = 0; i < 100 && of(begun, "low"::equals) < 3; i++) {
            ask("high", 9, 1); // one comes for each that ends
            end(1);
        }

        assertThat(of(begun, "low"::equals)).isEqualTo(3);
    }

    @Test
    void thoseOfOnePriorityTakeTurns() {
        ask("first", 9, 8);
        ask("low", 1, 200);
        ask("a", 5, 200);
        ask("b", 5, 200);
        begun.clear();

        end(100);

        assertThat(begun).hasSize(100).contains("low");
        assertThat(of(begun, "a"::equals)).isBetween(40L, 60L);
        assertThat(of(begun, "b"::equals)).isBetween(40L, 60L);
    }

    @Test
    void whatIsLeftGoesToTheLowerOneWhenTheHigherWantsNothing() {
        ask("high", 9, 8);
        ask("low", 1, 50);
        assertThat(of(begun, "low"::equals)).isZero();

        end(8);

        assertThat(of(begun, "low"::equals)).isEqualTo(50);
        end(50);
        assertThat(scheduler.waiting()).isZero();
    }
}
