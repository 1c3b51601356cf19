package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one publisher's OPEN can do to the others'. */
class AdmissionControlTest {
    private static final AdmissionRefusal FULL = AdmissionRefusal.ofNode(ErrorCode.NO_SPACE, "the disk is full");
    private static final int FRAGMENT_BYTES = 64 << 10;
    private static final long HUGE = 1L << 50;
    private static final long SMALL = 1 << 20;
    private static final TransferId FROM_1970 = new TransferId(1, 1);
    private static final TransferId FROM_2023 = TransferId.of(1_700_000_000_000L, 1, 1);

    private final FakeRelayStore store = new FakeRelayStore();
    private long nowMillis;
    private final LiveTransfers live = new LiveTransfers(() -> nowMillis);
    private final AdmissionControl admission = new AdmissionControl(store, live, () -> nowMillis, (key, why) -> {});

    private static Manifest file(NodeId node, TransferId id, String topic, long sizeBytes) {
        return new Manifest(
                new TransferKey(node, id),
                1,
                new Topic(topic),
                TransferKind.FILE,
                topic,
                List.of(topic),
                sizeBytes,
                FRAGMENT_BYTES,
                Map.of());
    }

    private final Manifest huge = file(new NodeId(6, 6), FROM_1970, "plans", HUGE);
    private final Manifest honest = file(new NodeId(1, 1), FROM_2023, "site-b", SMALL);

    private @Nullable Refusal open(Manifest manifest, boolean fits) {
        store.full = fits ? null : FULL;
        return admission.whyNot(manifest);
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatWouldNotFitAloneNeverHoldsBackAnotherPublisher() {
        store.neverFit.add(huge.key());
        for (nowMillis = 0; nowMillis < 10 * SpaceArbiter.PASSED_BY_MILLIS; nowMillis += 2_000) {
            assertThat(open(huge, false)).isNotNull();
            assertThat(open(file(new NodeId(1, 1), TransferId.of(nowMillis + 1, 2, 2), "site-b", SMALL), true))
                    .isNull();
        }
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatCameLaterDoesNotHoldBackWhatWaitsWhateverItsId() {
        assertThat(open(honest, false)).isNotNull();
        for (nowMillis = 0; nowMillis < 2 * SpaceArbiter.PASSED_BY_MILLIS; nowMillis += 2_000) {
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
        assertThat(open(second, true)).as("after the older one").isNotNull();
    }
}
