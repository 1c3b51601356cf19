package io.hawser.it.bench.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hawser.it.bench.links.Race.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who runs against whom over which links. */
class RacesTest {
    @Test
    void theTableHasItsLimitsAndItsAims() {
        List<Race> races = LinkRaces.races(true);
        assertThat(races)
                .hasSize(10)
                .allMatch(race -> race.ours() && race.streams().isEmpty());
        assertThat(races.get(0).limitSeconds()).isCloseTo(5.97, within(0.005));
        assertThat(races.get(0).aimSeconds()).hasValue(6.6);
        assertThat(races)
                .allSatisfy(race -> assertThat(race.peers()).isNotEmpty().allMatch(peer -> peer.does(race.kind())));
        assertThat(LinkRaces.races(false)).allMatch(race -> race.peers().isEmpty());
    }

    @ParameterizedTest
    @EnumSource(SweepRaces.Over.class)
    void aSweepHasARaceForEachPointAndNamesIt(SweepRaces.Over over) {
        List<Race> races = SweepRaces.races(over, over.points(), false, true);
        assertThat(races).hasSize(over.points().split(",").length);
        assertThat(races).extracting(race -> race.of().get(over.word())).doesNotHaveDuplicates();
        assertThat(races).allSatisfy(race -> assertThat(race.peers()).isNotEmpty());
    }

    @Test
    void aSweepOfSizesSharesItsNodesAndOneOfStreamsDoesNot() {
        List<Race> sizes = SweepRaces.races(SweepRaces.Over.SIZE, "4MiB,1MiB", true, false);
        assertThat(sizes.get(0).sharesNodes(sizes.get(1))).isTrue();
        assertThat(sizes.get(0).kind()).isEqualTo(Kind.DOWNLOAD);
        List<Race> streams = SweepRaces.races(SweepRaces.Over.STREAMS, "1,64", false, false);
        assertThat(streams.get(0).sharesNodes(streams.get(1))).isFalse();
        assertThat(streams.get(1).streams()).isEqualTo("64");
    }

    @ParameterizedTest
    @CsvSource({
        "RTT, '10,0', '0', 'a round trip in whole ms'",
        "RTT, 80ms, 80ms, 'a round trip in whole ms'",
        "RTT, NaN, NaN, 'a round trip in whole ms'",
        "LOSS, 51, 51, 'packets lost of a hundred'",
        "LOSS, NaN, NaN, 'packets lost of a hundred'",
        "STREAMS, 1.5, 1.5, 'a number of streams from 1 to 64'",
        "STREAMS, 65, 65, 'a number of streams from 1 to 64'",
        "SIZE, '1MiB,', '', 'a size'",
        "SIZE, many, many, 'a size'"
    })
    void whatIsNoPointIsRefusedWithWhatWouldBeOne(SweepRaces.Over over, String points, String wrong, String right) {
        assertThatThrownBy(() -> SweepRaces.races(over, points, false, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--points: '" + wrong + "' is not " + right);
    }

    @Test
    void thePapersTablesAskForMoreStreamsOnlyOfWhoHasThem() {
        assertThat(PaperRaces.races(PaperRaces.Part.ALL))
                .hasSize(PaperRaces.races(PaperRaces.Part.SIZES).size()
                        + PaperRaces.races(PaperRaces.Part.RTT).size()
                        + PaperRaces.races(PaperRaces.Part.STREAMS).size())
                .allSatisfy(race -> assertThat(race.ours()).isEqualTo(Integer.parseInt(race.streams()) <= 64));
    }
}
