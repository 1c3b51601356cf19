package io.hawser.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PongCallbacksTest {
    private final List<String> heard = new ArrayList<>();
    private final PongCallbacks signs = new PongCallbacks();

    @Test
    void anAnswerIsForThoseWhoHadAskedWhenItsQuestionLeft() {
        long near = Long.MAX_VALUE - 10; // nanoseconds of no known beginning may run over
        signs.onSent(near, () -> heard.add("first"));
        signs.onSent(near + 20, () -> heard.add("second"));
        signs.onSent(near + 30, () -> heard.add("third"));

        answer(near - 5); // a heartbeat's, which left before
        assertThat(heard).isEmpty();
        answer(near + 20);
        assertThat(heard).containsExactly("first", "second");
        answer(near + 20);
        assertThat(heard).hasSize(2);
        answer(near + 40);
        assertThat(heard).containsExactly("first", "second", "third");
    }

    private void answer(long tokenNanos) {
        signs.onAnswered(tokenNanos).forEach(Runnable::run);
    }
}
