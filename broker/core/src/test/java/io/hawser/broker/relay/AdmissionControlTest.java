package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.space.SpaceAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one publisher's OPEN can do to the others'. */
class AdmissionControlTest {
    private static final SpaceAnswer FULL = SpaceAnswer.waitForRoom("the disk is full");
    private static final int FRAGMENT_BYTES = 64 << 10;
    private static final long HUGE = 1L << 50;
    private static final long SMALL = 1 << 20;
    private static final TransferId FROM_1970 = new TransferId(1, 1);
    private static final TransferId FROM_2023 = TransferId.of(1_700_000_000_000L, 1, 1);

    private final FakeRelayStore store = new FakeRelayStore();
    private final List<TransferKey> forgotten = new ArrayList<>();
    private long nowMillis;
    private final LiveTransfers live = new LiveTransfers(() -> nowMillis);
    private final AdmissionControl admission =
            new AdmissionControl(store, live, () -> nowMillis, (key, why) -> forgotten.add(key));

    private static Manifest file(NodeId node, TransferId id, String topic, long sizeBytes) {
        return file(node, id, 1, topic, sizeBytes);
    }

    private static Manifest numbered(long number) {
        return file(new NodeId(1, 1), new TransferId(1, number), number, "t", SMALL);
    }

    private static Manifest file(NodeId node, TransferId id, long number, String topic, long sizeBytes) {
        return file(node, id, number, topic, topic, sizeBytes);
    }

    private static Manifest file(NodeId node, TransferId id, long number, String topic, String name, long sizeBytes) {
        return new Manifest(
                new TransferKey(node, id),
                number,
                new Topic(topic),
                TransferKind.FILE,
                name,
                List.of(name),
                sizeBytes,
                FRAGMENT_BYTES,
                Map.of());
    }

    private final Manifest huge = file(new NodeId(6, 6), FROM_1970, "plans", HUGE);
    private final Manifest honest = file(new NodeId(1, 1), FROM_2023, "site-b", SMALL);

    private @Nullable Refusal open(Manifest manifest, boolean fits) {
        store.full = fits ? SpaceAnswer.yes() : FULL;
        return admission.whyNot(manifest);
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatWouldNotFitAloneNeverHoldsBackAnotherPublisher() {
        store.neverFit.add(huge.key());
        for (nowMillis = 0; nowMillis < 10 * AdmissionControl.PASSED_BY_MILLIS; nowMillis += 2_000) {
            assertThat(open(huge, false)).isNotNull();
            assertThat(open(file(new NodeId(1, 1), TransferId.of(nowMillis + 1, 2, 2), "site-b", SMALL), true))
                    .isNull();
        }
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatCameLaterDoesNotHoldBackWhatWaitsWhateverItsId() {
        assertThat(open(honest, false)).isNotNull();
        for (nowMillis = 0; nowMillis < 2 * AdmissionControl.PASSED_BY_MILLIS; nowMillis += 2_000) {
            assertThat(open(honest, false)).isEqualTo(FULL.refusal());
            assertThat(open(huge, false)).isNotNull();
        }

        assertThat(open(honest, true)).isNull();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatResumesAfterItsSessionIsAsOldAsItWas() {
        Manifest first = file(new NodeId(1, 1), FROM_2023, "site-b", Manifest.UNKNOWN_SIZE);
        Manifest second = file(new NodeId(6, 6), FROM_1970, "plans", Manifest.UNKNOWN_SIZE);
        admission.begins(first);
        admission.begins(second);
        admission.begins(first);

        assertThat(open(second, false)).isEqualTo(FULL.refusal());
        assertThat(open(first, true)).isNull();
        assertThat(open(first, false)).isEqualTo(FULL.refusal());
        assertThat(open(second, false)).as("after the older one").isNotNull().satisfies(why -> assertThat(why.detail())
                .contains("came earlier"));
    }

    /** The session, or the broker, has ended since: its publisher offers it again only after the earlier one. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatTheStoreAloneKnowsOfGivesWayToAnEarlierOneToo() {
        Manifest first = numbered(2);
        Manifest later = numbered(6);
        Manifest earlier = numbered(1);
        for (Manifest each : List.of(earlier, later)) {
            store.open.add(each.key());
            store.know(FakeRelayStore.open(each));
        }
        waitsForLong(first);

        assertThat(forgotten).containsExactly(later.key());
    }

    private void waitsForLong(Manifest manifest) {
        for (nowMillis = 0; nowMillis <= AdmissionControl.PASSED_BY_MILLIS + 2_000; nowMillis += 1_000) {
            assertThat(open(manifest, false)).isNotNull();
            admission.tick();
            store.answer();
            store.answer();
        }
    }

    /** Its client may only pause: it need not wait for the later one, and its room is reserved. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aSilentEarlierOneOfThePathKeepsItsReservedRoom() {
        live.begin(numbered(1), new FragmentRanges(), true);
        waitsForLong(numbered(2));

        assertThat(forgotten).isEmpty();
    }

    /** By way of a rename that its publisher holds back: the broker has never heard of that. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aLaterOneThatDoesNotMoveGivesItsRoomToOneThatWaits() {
        Manifest later = file(new NodeId(1, 1), new TransferId(1, 7), 7, "t", "other", SMALL);
        live.begin(later, new FragmentRanges(), true);
        live.begin(file(new NodeId(2, 2), new TransferId(1, 8), 8, "t", "third", SMALL), new FragmentRanges(), true);
        waitsForLong(numbered(2));

        assertThat(forgotten).containsOnly(later.key());
    }
}
