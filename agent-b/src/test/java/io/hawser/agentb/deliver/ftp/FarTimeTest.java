package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FarTimeTest {
    @ParameterizedTest
    @CsvSource({
        "5000, false, 5000, false, true",
        "5000, false, 6000, false, false",
        // one server, MLST to the second and MDTM finer, or the other way round
        "5000, false, 5250, true, true",
        "5250, true, 5000, false, true",
        "5250, true, 6000, false, false",
        "5250, true, 5250, true, true",
        "5250, true, 5251, true, false",
        // a fraction of zeros is a fraction
        "5000, true, 5500, true, false",
        "5500, true, 5000, true, false",
        // before 1970 a second does not reach over its beginning
        "-500, true, 0, false, false",
        "-500, true, -1000, false, true",
        "-500, true, 500, false, false",
    })
    void timesAreComparedAsFinelyAsBothWereTold(long one, boolean oneFine, long two, boolean twoFine, boolean same) {
        FarTime first = new FarTime(one, oneFine);
        FarTime second = new FarTime(two, twoFine);
        assertThat(first.maySame(second)).isEqualTo(same);
        assertThat(second.maySame(first)).isEqualTo(same);
    }
}
