package io.hawser.it.bench.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Stages that run side by side. */
class StageTimesTest {
    private static final long SECOND = 1_000_000_000;
    private static final Offset<Double> CLOSE = within(1e-9);

    private static Interval seconds(double from, double to, long bytes) {
        return new Interval((long) (from * SECOND), (long) (to * SECOND), bytes);
    }

    @Test
    void aUnionHasNoOverlapsAndKeepsTheGaps() {
        assertThat(Interval.union(List.of(seconds(5, 6, 1), seconds(0, 2, 1), seconds(1, 3, 1), seconds(1, 2, 1))))
                .containsExactly(seconds(0, 3, 0), seconds(5, 6, 0));
    }

    @Test
    void whatOverlapsIsBusyForBothAndAloneForNone() {
        Map<String, List<Interval>> pieces = new LinkedHashMap<>();
        pieces.put("write", List.of(seconds(10, 12, 7), seconds(11, 13, 5))); // two at once between 11 and 12
        pieces.put("force", List.of(seconds(12.5, 14, 0)));
        pieces.put("never", List.of(seconds(30, 31, 1)));
        StageTimes<String> times = StageTimes.of(pieces, 10 * SECOND, 20 * SECOND);
        assertThat(times.byStage().keySet()).containsExactly("write", "force");
        StageTimes.Times write = times.byStage().get("write");
        assertThat(write.count()).isEqualTo(2);
        assertThat(write.bytes()).isEqualTo(12);
        assertThat(write.workSeconds()).isCloseTo(4, CLOSE);
        assertThat(write.busySeconds()).isCloseTo(3, CLOSE);
        assertThat(write.aloneSeconds()).isCloseTo(2.5, CLOSE);
        assertThat(write.firstSeconds()).isCloseTo(0, CLOSE);
        assertThat(write.lastSeconds()).isCloseTo(3, CLOSE);
        assertThat(times.byStage().get("force").aloneSeconds()).isCloseTo(1, CLOSE);
        assertThat(times.nobodySeconds()).isCloseTo(6, CLOSE);
    }

    @Test
    void whatReachesIntoTheWindowCountsAsFarAsItDoes() {
        StageTimes<String> times =
                StageTimes.of(Map.of("force", List.of(seconds(1, 3, 0), seconds(9, 30, 0))), 2 * SECOND, 10 * SECOND);
        StageTimes.Times force = times.byStage().get("force");
        assertThat(force.busySeconds()).isCloseTo(2, CLOSE);
        assertThat(force.lastSeconds()).isCloseTo(8, CLOSE);
        assertThat(times.nobodySeconds()).isCloseTo(6, CLOSE);
    }
}
