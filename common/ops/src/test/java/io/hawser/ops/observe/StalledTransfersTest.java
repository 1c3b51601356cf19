package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@Invariant(InvariantName.NO_SILENT_STOP)
class StalledTransfersTest {
    private static final long LIMIT_MILLIS = 60_000;

    private final StalledTransfers stalled = new StalledTransfers(Duration.ofMillis(LIMIT_MILLIS));

    @Test
    void whatMovedWithinTheLimitIsNoWarning() {
        stalled.add(StallCause.NO_SPACE, "new", "NO_SPACE: the disk is full", LIMIT_MILLIS - 1);

        assertThat(stalled.warnings()).isEmpty();
        assertThat(stalled.count(StallCause.NO_SPACE)).isZero();
    }

    @Test
    void eachCauseIsOneWarningThatNamesTheLongestItsReasonAndWhatToDo() {
        stalled.add(StallCause.NO_SPACE, "old", "NO_SPACE: the quota of paris", 3 * LIMIT_MILLIS);
        stalled.add(StallCause.NO_SPACE, "new", "NO_SPACE: the disk is full", LIMIT_MILLIS);
        stalled.add(StallCause.SUBSCRIPTION, 12, "subscription b", "its consumer is not connected", 2 * LIMIT_MILLIS);

        assertThat(stalled.warnings())
                .extracting(HealthWarning::code)
                .containsExactly("stalled.no-space", "stalled.subscription");
        assertThat(stalled.warnings()).extracting(HealthWarning::subject).containsExactly("old", "subscription b");
        assertThat(stalled.warnings().get(0).sentence())
                .startsWith(
                        "2 accepted transfers have made no progress for 3 min (old: NO_SPACE: the quota of paris). ")
                .contains("hawser quotas");
        assertThat(stalled.warnings().get(1).sentence())
                .startsWith(
                        "12 accepted transfers have made no progress for 2 min (subscription b: its consumer is not connected). ")
                .contains("hawser subscriptions remove NAME");
        assertThat(stalled.count(StallCause.SUBSCRIPTION)).isEqualTo(12);
    }
}
