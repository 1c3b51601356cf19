package io.hawser.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreUsage;
import io.hawser.ops.observe.HealthWarning;
import org.junit.jupiter.api.Test;

class StoreWarningsTest {
    private static StoreUsage sizes(long damagedPlaces, long lostRecords) {
        return new StoreUsage(1, 2, 3, 4, 4, 5, 6, damagedPlaces, lostRecords);
    }

    @Test
    void diskWithLessFreeThanTheHeadRoomIsToldWithWhatToDo() {
        StoreUsage full = new StoreUsage(1, 2, 3, 1_000, 1_001, 5, 6, 0, 0);

        assertThat(StoreWarnings.of(full)).extracting(HealthWarning::code).containsExactly("store.space");
        assertThat(StoreWarnings.of(full).get(0).sentence())
                .contains("1,000 bytes free", "1,001 bytes", "takes no further payload", "--head-room");
    }

    @Test
    void aStoreThatIsWellHasNone() {
        assertThat(StoreWarnings.of(sizes(0, 0))).isEmpty();
    }

    @Test
    void damageAndALostEndAreToldWithWhatToDo() {
        assertThat(StoreWarnings.of(sizes(1, 0)))
                .extracting(HealthWarning::code)
                .containsExactly("log.damaged");
        assertThat(StoreWarnings.of(sizes(1, 0)).get(0).sentence())
                .startsWith("1 place of")
                .contains("fsck");
        assertThat(StoreWarnings.of(sizes(7, 0)).get(0).sentence()).startsWith("7 places of");
        assertThat(StoreWarnings.of(sizes(0, 9)))
                .extracting(HealthWarning::code)
                .containsExactly("index.ahead");
        assertThat(StoreWarnings.of(sizes(0, 9)).get(0).sentence()).contains("9 records", "uploaded again");
    }
}
