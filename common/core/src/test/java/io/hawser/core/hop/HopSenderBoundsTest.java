package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a receiver that breaks the rules can take of a sender. */
@Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
class HopSenderBoundsTest {
    private static final int FRAGMENT = 64;
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 1), new TransferId(1, 1));
    private static final Manifest MANIFEST = new Manifest(
            KEY, 1, new Topic("t"), TransferKind.FILE, "f", List.of("f"), Manifest.UNKNOWN_SIZE, FRAGMENT, Map.of());
    private static final long FAR = 1L << 50;

    private final FakeSenderStore store = new FakeSenderStore() {
        @Override
        public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
            // Nothing is ever sent: only what the peer says of it counts here.
        }
    };
    private final FakeLink link = new FakeLink();
    private final HopSender sender = new HopSender(new HopSenderLimits(8, 16, 16, -1, 256, 16, 4 * FRAGMENT), store);

    @BeforeEach
    void begin() {
        sender.linkUp(link);
        sender.offer(MANIFEST, 1, true);
    }

    private OutgoingTransferStatus progress() {
        return sender.progress(KEY).orElseThrow();
    }

    /** Every second of {@code 2 * runs} fragments from {@code start} on. */
    private static FragmentRanges withGaps(long start, int runs) {
        FragmentRanges ranges = new FragmentRanges();
        for (long i = 0; i < runs; i++) {
            ranges.add(start + 2 * i);
        }
        return ranges;
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anAckOfFragmentsThatDoNotExistCostsNoTime() {
        sender.available(KEY, new FragmentRange(FAR, FAR + 1), null);

        sender.on(FakeLink.ack(KEY, 0, Long.MAX_VALUE));

        assertThat(progress().ackedBytes()).isEqualTo(FRAGMENT);
    }

    @Test
    void acksOfFragmentsThatDoNotExistAreNotKept() {
        sender.available(KEY, new FragmentRange(0, 4), null);

        for (int i = 0; i < 10; i++) {
            sender.on(new HopMessage.Ack(KEY, withGaps(100_000L * i, 30_000)));
        }

        assertThat(progress().ackedBytes()).isEqualTo(2 * FRAGMENT);
        assertThat(link.ended).isNull();
    }

    @Test
    void aResumeOfFragmentsThatDoNotExistIsNotKept() {
        sender.available(KEY, new FragmentRange(0, 4), null);

        sender.on(new HopMessage.Resume(KEY, withGaps(1, 30_000)));

        assertThat(progress().ackedBytes()).isEqualTo(2 * FRAGMENT);
    }

    @Test
    void acksWithMoreGapsThanAReceiverKeepsEndTheSession() {
        sender.available(KEY, new FragmentRange(0, 1_000_000), null);

        sender.on(new HopMessage.Ack(KEY, withGaps(0, HopReceiver.MAX_RUNS)));
        assertThat(link.ended).isNull();
        sender.on(new HopMessage.Ack(KEY, withGaps(500_000, 1)));

        assertThat(link.ended).contains("gaps");
    }
}
