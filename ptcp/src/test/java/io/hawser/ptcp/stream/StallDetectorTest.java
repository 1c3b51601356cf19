package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.stream.StallDetector.Sample;
import io.hawser.ptcp.stream.StallDetector.Verdict;
import io.hawser.ptcp.stream.UnackedPackets.Head;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final long LOOK_NANOS = 500_000_000L;

    private final StallDetector watch = new StallDetector();
    private long now = -7_000_000_000L; // System.nanoTime may be negative

    private Verdict check(Head head, Sample... streams) {
        now += LOOK_NANOS;
        return watch.check(now, List.of(streams), head);
    }

    private static Sample idle(int stream, long acked) {
        return Sample.of(stream, acked, false, 1_000_000);
    }

    private static Sample waiting(int stream, long acked) {
        return Sample.of(stream, acked, true, 1_000_000);
    }

    /** Looks until something is said, and returns after how many nanoseconds. */
    private long nanosToQuestion(Head head, Sample... streams) {
        long begin = now;
        for (int i = 0; i < 10_000; i++) {
            Verdict verdict = check(head, streams);
            assertThat(verdict.dead()).isEmpty();
            if (verdict.probe() != 0) {
                watch.onProbeAnswered(verdict.probe());
                return now - begin;
            }
        }
        throw new AssertionError("nothing was probed");
    }

    @Test
    void streamThatKeepsWhatIsMissingIsGivenUpOnceThePeerHasAnswered() {
        Head head = new Head(100, 1);
        // A relay on the way has taken everything: for the socket nothing is open.
        assertThat(nanosToQuestion(head, idle(0, 5), idle(1, 9))).isLessThan(3_000_000_000L);
        assertThat(check(head, idle(0, 5), idle(1, 9)).dead()).isEqualTo(Set.of(1));
    }

    @Test
    void streamsWithoutAcknowledgementsAreGivenUpTogether() {
        Head head = new Head(100, 1);
        nanosToQuestion(head, waiting(0, 5), waiting(1, 9), idle(2, 3));
        assertThat(check(head, waiting(0, 5), waiting(1, 9), idle(2, 3)).dead()).isEqualTo(Set.of(0, 1));
    }

    @Test
    void nothingIsGivenUpWhileThePeerIsSilent() {
        Head head = new Head(100, 1);
        int questions = 0;
        for (int i = 0; i < 1_000; i++) {
            Verdict verdict = check(head, waiting(1, 9));
            questions += verdict.probe() == 0 ? 0 : 1;
            assertThat(verdict.dead()).isEmpty();
        }
        assertThat(questions).isEqualTo(1);
    }

    @Test
    void answerToAnOlderQuestionSaysNothing() {
        Head head = new Head(100, 1);
        Verdict first = check(head, idle(1, 9));
        while (first.probe() == 0) {
            first = check(head, idle(1, 9));
        }
        check(new Head(200, 1), idle(1, 9)); // it moved
        Verdict second = check(new Head(200, 1), idle(1, 9));
        while (second.probe() == 0) {
            second = check(new Head(200, 1), idle(1, 9));
        }
        watch.onProbeAnswered(first.probe());
        assertThat(check(new Head(200, 1), idle(1, 9)).dead()).isEmpty();
        watch.onProbeAnswered(second.probe());
        assertThat(check(new Head(200, 1), idle(1, 9)).dead()).isEqualTo(Set.of(1));
    }

    @Test
    void whatMovesIsNotSuspicious() {
        for (int i = 0; i < 100; i++) {
            assertThat(check(new Head(i, 1), idle(0, 5), waiting(1, 7)).probe()).isZero(); // the head moves
        }
        for (int i = 0; i < 100; i++) {
            assertThat(check(new Head(100, 1), waiting(1, 8 + i)).probe()).isZero(); // acknowledgements come
        }
        for (int i = 0; i < 100; i++) {
            assertThat(check(null, idle(1, 500)).probe()).isZero(); // nothing is under way
        }
    }

    @Test
    void streamThatHasMovedMeanwhileIsNotGivenUp() {
        Head head = new Head(100, 1);
        nanosToQuestion(head, idle(1, 9), idle(2, 9));
        Verdict verdict = check(new Head(300, 2), idle(1, 9), idle(2, 9));
        assertThat(verdict.dead()).isEmpty();
        assertThat(verdict.probe()).isZero();
    }

    @Test
    void longRoundTripsAndSocketsThatDoNotTellHaveMoreTime() {
        Sample far = Sample.of(1, 9, true, 3_000_000_000L);
        assertThat(nanosToQuestion(new Head(100, 1), far)).isGreaterThan(12_000_000_000L);
        Sample silent = new Sample(2, -1, false, 20_000_000_000L);
        assertThat(nanosToQuestion(new Head(200, 2), silent)).isGreaterThan(20_000_000_000L);
    }

    @Test
    void whoWasGivenUpMakesItMorePatientForAWhile() {
        long first = nanosToQuestion(new Head(100, 1), idle(1, 9));
        assertThat(check(new Head(100, 1), idle(1, 9)).dead()).isEqualTo(Set.of(1));
        long second = nanosToQuestion(new Head(100, 2), idle(2, 9));
        assertThat(check(new Head(100, 2), idle(2, 9)).dead()).isEqualTo(Set.of(2));
        long third = nanosToQuestion(new Head(100, 3), idle(3, 9));
        assertThat(second).isGreaterThan(first + 1_000_000_000L);
        assertThat(third).isGreaterThan(second + 1_000_000_000L);
        assertThat(check(new Head(100, 3), idle(3, 9)).dead()).isEqualTo(Set.of(3));
        now += 600_000_000_000L;
        assertThat(nanosToQuestion(new Head(200, 4), idle(4, 9))).isEqualTo(first);
    }
}
