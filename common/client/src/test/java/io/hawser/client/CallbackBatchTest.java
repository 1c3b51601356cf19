package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class CallbackBatchTest {
    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();
    private final CallbackBatch batch = new CallbackBatch(loop::add, callbacks::add);

    @Test
    void callbacksOfOnePassOfTheLoopAreOneTaskInOrder() {
        batch.execute(() -> ran.add("1"));
        batch.execute(() -> ran.add("2"));
        assertThat(callbacks).isEmpty();

        loop.remove().run();
        batch.execute(() -> ran.add("3"));
        loop.remove().run();

        assertThat(loop).isEmpty();
        assertThat(callbacks).hasSize(2);
        callbacks.remove().run();
        assertThat(ran).containsExactly("1", "2");
        callbacks.remove().run();
        assertThat(ran).containsExactly("1", "2", "3");
    }

    @Test
    void aCallbackThatThrowsDoesNotStopTheOthers() {
        batch.execute(() -> {
            throw new IllegalStateException("planted");
        });
        batch.execute(() -> ran.add("2"));

        loop.remove().run();
        callbacks.remove().run();

        assertThat(ran).containsExactly("2");
    }
}
