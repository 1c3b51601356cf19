package io.hawser.common.landing;

import static io.hawser.common.landing.LandingRig.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose turn it is, without disks; {@code LandingSpaceTest} has the landing area around it. */
class SpaceQueueTest {
    private static final Manifest ELDER = manifest(1, TransferKind.PATCH, "elder", Manifest.UNKNOWN_SIZE, Map.of());
    private static final Manifest YOUNGER = manifest(2, TransferKind.FILE, "younger", Manifest.UNKNOWN_SIZE, Map.of());

    private final SpaceLedger ledger = new SpaceLedger(0);
    private final SpaceQueue queue = new SpaceQueue(ledger, Duration.ZERO);
    private final Landing younger = new Landing(YOUNGER, 0);

    @BeforeEach
    void room() {
        ledger.look(100);
    }

    private void tick(long nowMillis) {
        queue.tick(List.of(younger), nowMillis, (landing, refusal) -> {
            throw new AssertionError(landing.key() + " has nothing that could be given up: " + refusal);
        });
    }

    @Test
    void nothingMoreIsTakenOfAYoungerOneWhileAnElderOneWaits() {
        queue.refused(ELDER, 100, 0);
        tick(1);

        Refusal refusal = Objects.requireNonNull(queue.mustWait(younger, 1));
        assertThat(refusal.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refusal.detail()).contains("elder came earlier");

        queue.goesOn(ELDER.key());
        assertThat(queue.mustWait(younger, 2)).isNull();
    }

    @Test
    void oneThatNoGivingUpWouldHelpHoldsUpNobody() {
        queue.refused(ELDER, 101, 0);
        tick(1);

        assertThat(queue.mustWait(younger, 1)).isNull();
    }

    @Test
    void oneThatDoesNotAskAgainWaitsNoMore() {
        queue.refused(ELDER, 100, 0);
        tick(10_001);

        assertThat(queue.mustWait(younger, 10_001)).isNull();
    }

    @Test
    void oneThatFilledTheAreaComesBackWhenThereIsAnEighthMore() {
        younger.hadBytes = 96;
        ledger.look(96 + 12);
        assertThat(Objects.requireNonNull(queue.mustWait(younger, 0)).detail()).contains("it filled 96 bytes");

        ledger.look(96 + 12 + 1);
        assertThat(queue.mustWait(younger, 0)).isNull();
    }
}
