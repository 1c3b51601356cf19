package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.stream.StallDetector.Look;
import io.hawser.ptcp.stream.StallDetector.Verdict;
import io.hawser.ptcp.stream.UnackedPackets.Head;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final long LOOK_NANOS = 500_000_000L;

    private final StallDetector watch = new StallDetector();
    private long now = -7_000_000_000L; // System.nanoTime may be negative

    private Verdict look(Head head, Look... streams) {
        now += LOOK_NANOS;
        return watch.look(now, List.of(streams), head);
    }

    private static Look idle(int stream, long acked) {
        return Look.of(stream, acked, false, 1_000_000);
    }

    private static Look waiting(int stream, long acked) {
        return Look.of(stream, acked, true, 1_000_000);
    }

    /** Looks until something is said, and returns after how many nanoseconds. */
    private long nanosToQuestion(Head head, Look... streams) {
        long begin = now;
        for (int i = 0; i < 10_000; i++) {
            Verdict verdict = look(head, streams);
            assertThat(verdict.givenUp()).isEmpty();
            if (verdict.question() != 0) {
                watch.onAnswer(verdict.question());
                return now - begin;
            }
        }
        throw new AssertionError("nothing was asked");
    }

    @Test
    void streamThatKeepsWhatIsMissingIsGivenUpOnceThePeerHasAnswered() {
        Head head = new Head(100, 1);
        // A relay on the way has taken everything: for the socket nothing is open.
        assertThat(nanosToQuestion(head, idle(0, 5), idle(1, 9))).isLessThan(3_000_000_000L);
        assertThat(look(head, idle(0, 5), idle(1, 9)).givenUp()).isEqualTo(Set.of(1));
    }

    @Test
    void streamsWithoutAcknowledgementsAreGivenUpTogether() {
        Head head = new Head(100, 1);
        nanosToQuestion(head, waiting(0, 5), waiting(1, 9), idle(2, 3));
        assertThat(look(head, waiting(0, 5), waiting(1, 9), idle(2, 3)).givenUp())
                .isEqualTo(Set.of(0, 1));
    }

    @Test
    void nothingIsGivenUpWhileThePeerIsSilent() {
        Head head = new Head(100, 1);
        int questions = 0;
        for (int i = 0; i < 1_000; i++) {
            Verdict verdict = look(head, waiting(1, 9));
            questions += verdict.question() == 0 ? 0 : 1;
            assertThat(verdict.givenUp()).isEmpty();
        }
        assertThat(questions).isEqualTo(1);
    }

    @Test
    void answerToAnOlderQuestionSaysNothing() {
        Head head = new Head(100, 1);
        Verdict first = look(head, idle(1, 9));
        while (first.question() == 0) {
            first = look(head, idle(1, 9));
        }
        look(new Head(200, 1), idle(1, 9)); // it moved
        Verdict second = look(new Head(200, 1), idle(1, 9));
        while (second.question() == 0) {
            second = look(new Head(200, 1), idle(1, 9));
        }
        watch.onAnswer(first.question());
        assertThat(look(new Head(200, 1), idle(1, 9)).givenUp()).isEmpty();
        watch.onAnswer(second.question());
        assertThat(look(new Head(200, 1), idle(1, 9)).givenUp()).isEqualTo(Set.of(1));
    }

    @Test
    void whatMovesIsNotSuspicious() {
        for (int i = 0; i < 100; i++) {
            assertThat(look(new Head(i, 1), idle(0, 5), waiting(1, 7)).question())
                    .isZero(); // the head moves
        }
        for (int i = 0; i < 100; i++) {
            assertThat(look(new Head(100, 1), waiting(1, 8 + i)).question()).isZero(); // acknowledgements come
        }
        for (int i = 0; i < 100; i++) {
            assertThat(look(null, idle(1, 500)).question()).isZero(); // nothing is under way
        }
    }

    @Test
    void streamThatHasMovedMeanwhileIsNotGivenUp() {
        Head head = new Head(100, 1);
        nanosToQuestion(head, idle(1, 9), idle(2, 9));
        Verdict verdict = look(new Head(300, 2), idle(1, 9), idle(2, 9));
        assertThat(verdict.givenUp()).isEmpty();
        assertThat(verdict.question()).isZero();
    }

    @Test
    void longRoundTripsAndSocketsThatDoNotTellHaveMoreTime() {
        Look far = Look.of(1, 9, true, 3_000_000_000L);
        assertThat(nanosToQuestion(new Head(100, 1), far)).isGreaterThan(12_000_000_000L);
        Look silent = new Look(2, -1, false, 20_000_000_000L);
        assertThat(nanosToQuestion(new Head(200, 2), silent)).isGreaterThan(20_000_000_000L);
    }

    @Test
    void whoWasGivenUpMakesItMorePatientForAWhile() {
        long first = nanosToQuestion(new Head(100, 1), idle(1, 9));
        assertThat(look(new Head(100, 1), idle(1, 9)).givenUp()).isEqualTo(Set.of(1));
        long second = nanosToQuestion(new Head(100, 2), idle(2, 9));
        assertThat(look(new Head(100, 2), idle(2, 9)).givenUp()).isEqualTo(Set.of(2));
        long third = nanosToQuestion(new Head(100, 3), idle(3, 9));
        assertThat(second).isGreaterThan(first + 1_000_000_000L);
        assertThat(third).isGreaterThan(second + 1_000_000_000L);
        assertThat(look(new Head(100, 3), idle(3, 9)).givenUp()).isEqualTo(Set.of(3));
        now += 600_000_000_000L;
        assertThat(nanosToQuestion(new Head(200, 4), idle(4, 9))).isEqualTo(first);
    }
}
