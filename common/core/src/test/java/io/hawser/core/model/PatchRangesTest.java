package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchRangesTest {
    private static FragmentRange range(long start, long end) {
        return new FragmentRange(start, end);
    }

    @Test
    void oneOffset() {
        PatchRanges places = PatchRanges.from(500);
        assertThat(places.text()).isEqualTo("500");
        assertThat(places.inFile(0, 10)).containsExactly(range(500, 510));
        assertThat(places.inFile(3, 3)).isEmpty();
        assertThat(places.inPatch(500, 7)).isZero();
        assertThat(places.inPatch(499, 1)).isEqualTo(-1);
        assertThat(places.mergedBytes(100, 10)).isEqualTo(510);
        assertThat(places.mergedBytes(600, 10)).isEqualTo(600);
        assertThat(places.mergedBytes(100, 0)).isEqualTo(100);
    }

    @Test
    void gapsBetweenWhatIsThere() {
        FragmentRanges have = FragmentRanges.of(10, 20);
        have.add(30, 40);
        PatchRanges places = PatchRanges.around(have).orElseThrow();

        assertThat(places.text()).isEqualTo("0-10,20-30,40");
        assertThat(PatchRanges.parse(places.text())).contains(places);
        assertThat(places.rangesBytes()).isEqualTo(20);
        assertThat(places.inFile(5, 25)).containsExactly(range(5, 10), range(20, 30), range(40, 45));
        assertThat(places.inPatch(20, 10)).isEqualTo(10);
        assertThat(places.inPatch(40, 1000)).isEqualTo(20);
        for (long[] outside : new long[][] {{10, 1}, {5, 6}, {25, 6}, {39, 1}}) {
            assertThat(places.inPatch(outside[0], outside[1])).isEqualTo(-1);
        }
        assertThat(places.mergedBytes(35, 12)).isEqualTo(35);
        assertThat(places.mergedBytes(35, 25)).isEqualTo(45);
    }

    @Test
    void everyByteOfAPatchIsFoundWhereItBelongs() {
        PatchRanges places = new PatchRanges(List.of(range(3, 5), range(9, 10)), 12);
        for (long at = 0; at < 8; at++) {
            long place = places.inFile(at, at + 1).get(0).start();
            assertThat(places.inPatch(place, 1)).isEqualTo(at);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "x",
                "5-3,9",
                "5-5,9",
                "0-5,5",
                "0-5,4",
                "7-8,0-3,9",
                "1-2",
                "-3,9",
                "1-,9",
                "9999999999999999999",
                "1,2",
                "0-5,,9"
            })
    void nonsenseIsNoText(String text) {
        assertThat(PatchRanges.parse(text)).isEmpty();
    }

    @Test
    void tooManyAreRefused() {
        FragmentRanges have = new FragmentRanges();
        IntStream.rangeClosed(1, PatchRanges.MAX_RANGES + 1).forEach(i -> have.add(2L * i));
        assertThat(PatchRanges.around(have)).isEmpty();
        String text = IntStream.rangeClosed(1, PatchRanges.MAX_RANGES + 1)
                .mapToObj(i -> 2 * i + "-" + (2 * i + 1))
                .collect(Collectors.joining(",", "", ",9999"));
        assertThat(PatchRanges.parse(text)).isEmpty();
    }
}
