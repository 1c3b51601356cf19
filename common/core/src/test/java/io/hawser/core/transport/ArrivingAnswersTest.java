package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Parts come in any order, and no byte is written twice. */
class ArrivingAnswersTest {
    private final FragmentBufferPool pool = new FragmentBufferPool(100, 2);
    private final FragmentBuffer memory = Objects.requireNonNull(pool.tryAcquire());
    private final ArrivingAnswers answers = new ArrivingAnswers();

    @Test
    void anAnswerIsCompleteWithItsLastPartWhicheverThatIs() {
        assertThat(answers.begin(1, memory, 60, 40, 100)).isTrue();
        assertThat(answers.begin(1, memory, 0, 30, 100)).isTrue();
        assertThat(answers.isCompletedBy(1, memory, 40)).isFalse();
        assertThat(answers.begin(1, memory, 30, 30, 100)).isTrue();
        assertThat(answers.isCompletedBy(1, memory, 30)).isFalse();

        assertThat(answers.isCompletedBy(1, memory, 30)).isTrue();
        assertThat(answers.knows(1)).isFalse();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void anAnswerInScatteredBytesIsNotRead() {
        FragmentBuffer large = Objects.requireNonNull(new FragmentBufferPool(1 << 20, 1).tryAcquire());
        for (int part = 0; part < 4096; part++) {
            assertThat(answers.begin(1, large, 2 * part, 1, 1 << 20)).isTrue();
        }

        assertThat(answers.begin(1, large, 2 * 4096, 1, 1 << 20)).isFalse();
    }

    @Test
    void anEmptyAnswerIsCompleteToo() {
        assertThat(answers.begin(1, memory, 0, 0, 0)).isTrue();
        assertThat(answers.isCompletedBy(1, memory, 0)).isTrue();
    }

    @Test
    void whatHasComeOrIsComingIsNotReadOver() {
        assertThat(answers.begin(1, memory, 0, 50, 100)).isTrue();

        assertThat(answers.begin(1, memory, 0, 50, 100)).isFalse();
        assertThat(answers.begin(1, memory, 49, 10, 100)).isFalse();
        assertThat(answers.begin(1, memory, 10, 1, 100)).isFalse();
        assertThat(answers.begin(1, memory, 50, 50, 100)).isTrue();
    }

    @Test
    void partsOfAnotherWholeAreNotTaken() {
        FragmentBuffer other = Objects.requireNonNull(pool.tryAcquire());
        assertThat(answers.begin(1, memory, 0, 50, 100)).isTrue();

        assertThat(answers.begin(1, memory, 50, 40, 90)).isFalse();
        assertThat(answers.begin(1, other, 50, 50, 100)).isFalse();
        assertThat(answers.isCompletedBy(1, other, 50)).isFalse();
    }

    @Test
    void aPartOfWhatWasForgottenCompletesNothing() {
        assertThat(answers.begin(1, memory, 0, 50, 50)).isTrue();
        answers.forget(1);

        assertThat(answers.isCompletedBy(1, memory, 50)).isFalse();
        assertThat(answers.knows(1)).isFalse();
    }
}
