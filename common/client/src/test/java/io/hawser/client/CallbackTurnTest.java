package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class CallbackTurnTest {
    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final CallbackTurn turn = new CallbackTurn(loop::add, callbacks::add);

    @Test
    void whatIsToldInOneTurnGoesTogetherInItsOrder() {
        turn.execute(() -> told.add("1"));
        turn.execute(() -> told.add("2"));
        assertThat(callbacks).isEmpty();

        loop.remove().run();
        turn.execute(() -> told.add("3"));
        loop.remove().run();

        assertThat(loop).isEmpty();
        assertThat(callbacks).hasSize(2);
        callbacks.remove().run();
        assertThat(told).containsExactly("1", "2");
        callbacks.remove().run();
        assertThat(told).containsExactly("1", "2", "3");
    }

    @Test
    void whatOneThrowsKeepsTheOthersFromNothing() {
        turn.execute(() -> {
            throw new IllegalStateException("planted");
        });
        turn.execute(() -> told.add("2"));

        loop.remove().run();
        callbacks.remove().run();

        assertThat(told).containsExactly("2");
    }
}
