package io.hawser.ops.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ops.dashboard.LiveSnapshot.Entry;
import io.hawser.ops.dashboard.LiveSnapshot.Rate;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveTableTest {
    private static final long SECOND = 1_000_000_000L;

    private final LiveTable table = new LiveTable(3);

    private static LiveRow row(String key, long in, long out) {
        return new LiveRow(key, "t", "{\"k\":\"" + key + "\",\"in\":" + in + ",\"out\":" + out + "}", in, out);
    }

    private static Rate last(LiveSnapshot snapshot) {
        return snapshot.rates().get(snapshot.rates().size() - 1);
    }

    @Test
    void rowsCarryTheVersionInWhichTheyChanged() {
        table.sample(List.of(row("n-1", 0, 0), row("n-2", 0, 0)), true, 0, 0);
        LiveSnapshot second = table.sample(List.of(row("n-2", 5, 0), row("n-1", 0, 0)), true, 1000, SECOND);

        assertThat(second.version()).isEqualTo(2);
        assertThat(second.entries()).extracting(each -> each.row().key()).containsExactly("n-1", "n-2");
        assertThat(second.entries()).extracting(Entry::version).containsExactly(1L, 2L);
    }

    @Test
    void rateIsWhatBecameDurableSinceTheSampleBefore() {
        LiveSnapshot first = table.sample(List.of(row("n-1", 700, 600)), true, 0, 0);
        LiveSnapshot second = table.sample(List.of(row("n-1", 900, 1000), row("n-2", 50, 0)), true, 2000, 2 * SECOND);

        assertThat(last(first)).as("what was here before nobody saw move").isEqualTo(new Rate(0, 0, 0));
        assertThat(last(second)).isEqualTo(new Rate(2000, 125, 200));
    }

    @Test
    void bytesThatAreLostAreNoNegativeRate() {
        table.sample(List.of(row("n-1", 700, 600)), true, 0, 0);

        assertThat(last(table.sample(List.of(row("n-1", 100, 0)), true, 1000, SECOND)))
                .isEqualTo(new Rate(1000, 0, 0));
    }

    @Test
    void sampleOfTheNewestSaysNothingOfOthers() {
        table.sample(List.of(row("n-1", 0, 0), row("n-2", 0, 0)), true, 0, 0);

        LiveSnapshot newest = table.sample(List.of(row("n-3", 0, 0)), false, 0, SECOND);
        assertThat(newest.entries()).extracting(each -> each.row().key()).containsExactly("n-1", "n-2", "n-3");

        LiveSnapshot whole = table.sample(List.of(row("n-3", 0, 0)), true, 0, 2 * SECOND);
        assertThat(whole.entries()).extracting(each -> each.row().key()).containsExactly("n-3");
        assertThat(whole.removals()).extracting(LiveSnapshot.Removal::key).containsExactly("n-1", "n-2");
    }

    @Test
    void keepsTheNewestOnly() {
        table.sample(List.of(row("a-3", 0, 0), row("z-1", 0, 0), row("m-2", 0, 0)), true, 0, 0);
        LiveSnapshot next = table.sample(List.of(row("b-4", 9, 0)), false, 1000, SECOND);

        assertThat(next.entries()).extracting(each -> each.row().key()).containsExactly("m-2", "a-3", "b-4");
        assertThat(last(next).inBytesPerSecond()).isEqualTo(9);
    }

    /** In a full table an old transfer that appears again did not move just now. */
    @Test
    void oldRowThatAppearsAgainIsNoRate() {
        table.sample(List.of(row("n-2", 0, 0), row("n-3", 0, 0), row("n-4", 0, 0)), true, 0, 0);
        LiveSnapshot next =
                table.sample(List.of(row("n-1", 1000, 1000), row("n-2", 0, 0), row("n-4", 0, 0)), true, 1000, SECOND);

        assertThat(next.entries()).extracting(each -> each.row().key()).containsExactly("n-1", "n-2", "n-4");
        assertThat(last(next)).isEqualTo(new Rate(1000, 0, 0));
    }

    @Test
    void removalsAndRatesAreBounded() {
        LiveSnapshot latest = null;
        for (int i = 0; i < 5000; i++) {
            latest = table.sample(List.of(row("n-" + i, 0, 0)), true, i, i * SECOND);
        }

        assertThat(latest.removals()).hasSize(4096);
        assertThat(latest.removalsSince()).isEqualTo(4999 - 4096 + 1);
        assertThat(latest.rates()).hasSize(300);
    }

    @Test
    void rowIsOneLineAndItsKeyNeedsNoQuoting() {
        assertThatThrownBy(() -> new LiveRow("a\"b", "t", "{}", 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LiveRow("a", "t", "{\n}", 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
