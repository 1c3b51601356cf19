package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FragmentRangesTest {
    private static final int INDEXES = 40;
    private static final int ROUNDS = 400;
    private static final int STEPS = 60;

    @Test
    void anIntersectionHasWhatBothHave() {
        FragmentRanges one = FragmentRanges.of(0, 10);
        one.add(20, 30);
        FragmentRanges other = FragmentRanges.of(5, 22);
        other.add(25);
        other.add(40, Long.MAX_VALUE);
        FragmentRanges both = FragmentRanges.of(5, 10);
        both.add(20, 22);
        both.add(25);

        assertThat(one.intersection(other)).isEqualTo(both);
        assertThat(other.intersection(one)).isEqualTo(both);
        assertThat(one.intersection(new FragmentRanges()).isEmpty()).isTrue();
    }

    @Test
    void itIsTheSameSetAsABitSetAfterAnyOperations() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            FragmentRanges ranges = new FragmentRanges();
            BitSet model = new BitSet();
            for (int step = 0; step < STEPS; step++) {
                change(random, ranges, model);
                check(ranges, model, random, "seed " + seed + ", step " + step);
            }
        }
    }

    private static void change(Random random, FragmentRanges ranges, BitSet model) {
        int start = random.nextInt(INDEXES);
        int end = start + random.nextInt(6);
        switch (random.nextInt(4)) {
            case 0 -> {
                assertThat(ranges.add(start)).isEqualTo(!model.get(start));
                model.set(start);
            }
            case 1 -> {
                ranges.add(start, end);
                model.set(start, end);
            }
            case 2 -> {
                ranges.remove(start, end);
                model.clear(start, end);
            }
            default -> {
                FragmentRanges other = FragmentRanges.of(start, end);
                other.add(end + 3, end + 5);
                ranges.addAll(other);
                model.set(start, end);
                model.set(end + 3, end + 5);
            }
        }
    }

    private static void check(FragmentRanges ranges, BitSet model, Random random, String when) {
        assertThat(ranges.count()).as(when).isEqualTo(model.cardinality());
        assertThat(ranges.isEmpty()).as(when).isEqualTo(model.isEmpty());
        assertThat(ranges.end()).as(when).isEqualTo(model.length());
        for (int index = 0; index < INDEXES + 12; index++) {
            assertThat(ranges.contains(index)).as(when).isEqualTo(model.get(index));
            assertThat(ranges.firstMissing(index)).as(when).isEqualTo(model.nextClearBit(index));
            assertThat(ranges.firstPresent(index)).as(when).isEqualTo(model.nextSetBit(index));
        }
        int start = random.nextInt(INDEXES);
        int end = start + random.nextInt(8);
        assertThat(ranges.containsAll(start, end)).as(when).isEqualTo(model.nextClearBit(start) >= end);
        checkRuns(ranges, model, when);
    }

    private static void checkRuns(FragmentRanges ranges, BitSet model, String when) {
        FragmentRanges rebuilt = new FragmentRanges();
        long before = -1;
        for (FragmentRange run : ranges.runs()) {
            assertThat(run.start()).as(when).isGreaterThan(before); // a gap lies between two runs
            assertThat(model.nextClearBit((int) run.start())).as(when).isEqualTo((int) run.end());
            before = run.end();
            rebuilt.add(run.start(), run.end());
        }
        assertThat(ranges.runCount()).as(when).isEqualTo(ranges.runs().size());
        assertThat(rebuilt).as(when).isEqualTo(ranges).hasSameHashCodeAs(ranges);
    }

    @Test
    void aCopySharesNothing() {
        FragmentRanges ranges = FragmentRanges.of(1, 4);
        FragmentRanges copy = ranges.copy();

        copy.add(10);
        ranges.remove(1, 2);

        assertThat(ranges.runs()).containsExactly(new FragmentRange(2, 4));
        assertThat(copy.runs()).containsExactly(new FragmentRange(1, 4), new FragmentRange(10, 11));
    }

    @Test
    void indexesBeyondAnIntegerAreExact() {
        long far = 1L << 45;
        FragmentRanges ranges = FragmentRanges.of(far, far + 3);

        ranges.add(far + 3);

        assertThat(ranges.runs()).isEqualTo(List.of(new FragmentRange(far, far + 4)));
        assertThat(ranges.firstMissing(far)).isEqualTo(far + 4);
    }

    @Test
    void aRangeIsNeitherEmptyNorNegative() {
        assertThat(new FragmentRange(3, 5).count()).isEqualTo(2);
        assertThatThrownBy(() -> new FragmentRange(3, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FragmentRange(-1, 3)).isInstanceOf(IllegalArgumentException.class);
    }
}
