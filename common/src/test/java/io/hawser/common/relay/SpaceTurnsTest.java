package io.hawser.common.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.testkit.Invariant;
import io.hawser.common.testkit.InvariantName;
import io.hawser.common.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpaceTurnsTest {
    private static final Refusal FULL = new Refusal(ErrorCode.NO_SPACE, "the quota is used up");
    private static final long LATER = 1 + SpaceTurns.PATIENCE_MILLIS;

    private final FakeRelayStore store = new FakeRelayStore();
    private final RefusedTransfers refused = new RefusedTransfers();
    private final List<TransferKey> forgotten = new ArrayList<>();
    private final SpaceTurns turns = new SpaceTurns(store, refused, (key, why) -> forgotten.add(key));

    private final Manifest eldest = unknownSize(1);
    private final Manifest middle = unknownSize(2);
    private final Manifest youngest = unknownSize(3);

    private static Manifest unknownSize(long number) {
        return SampleTransfer.file(new NodeId(1, 1), number, "t", "a" + number, 100, 64, number)
                .manifest();
    }

    private static Manifest knownSize(long number) {
        Manifest other = unknownSize(number);
        return new Manifest(
                other.key(),
                other.number(),
                other.topic(),
                other.kind(),
                other.name(),
                other.paths(),
                100,
                other.fragmentSizeBytes(),
                other.attributes());
    }

    @Test
    void nobodyWaitsWhereThereIsRoom() {
        assertThat(turns.mustWait(youngest, 0)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void roomThatReturnsIsTheEldests() {
        refused.refused(youngest, FULL, 0);
        refused.refused(middle, FULL, 0);

        assertThat(turns.mustWait(eldest, 0)).isNull();
        assertThat(turns.mustWait(middle, 0)).isNull();
        assertThat(turns.mustWait(youngest, 0)).extracting(Refusal::code).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(turns.mustWait(knownSize(4), 0))
                .as("its size is known and has room")
                .isNull();

        refused.admitted(middle.key());
        assertThat(turns.mustWait(youngest, 0)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void theYoungestGivesItsPlaceToTheEldestThatWaitsForLong() {
        store.open.addAll(List.of(middle.key(), youngest.key(), eldest.key()));
        refused.refused(eldest, FULL, 0);
        refused.refused(youngest, FULL, 0);
        look(1);
        assertThat(forgotten).as("not at once").isEmpty();

        refused.refused(eldest, FULL, LATER);
        look(LATER);
        assertThat(forgotten).containsExactly(youngest.key());
        look(LATER + 1);
        assertThat(forgotten).as("time for the room to be used").hasSize(1);
    }

    @Test
    void theEldestDoesNotGiveWayToTheYounger() {
        store.open.add(eldest.key());
        refused.refused(middle, FULL, 0);
        refused.refused(middle, FULL, LATER);
        look(LATER);

        assertThat(forgotten).isEmpty();
    }

    @Test
    void whoIsRefusedForAnotherReasonTakesNoTurn() {
        refused.refused(eldest, new Refusal(ErrorCode.STORAGE_FAILED, "for now"), 0);

        assertThat(turns.mustWait(youngest, 0)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aClockThatIsSetBackStopsNobody() {
        long late = 100 * LATER;
        look(late);
        store.open.addAll(List.of(youngest.key(), eldest.key()));
        refused.refused(middle, FULL, late);
        assertThat(turns.mustWait(youngest, 0)).as("what was refused then").isNull();

        refused.refused(eldest, FULL, 0);
        refused.refused(eldest, FULL, LATER);
        look(LATER);
        assertThat(forgotten).containsExactly(youngest.key());
    }

    private void look(long nowMillis) {
        turns.tick(nowMillis);
        store.answer();
    }
}
