package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.why.WaitStage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each stage in which a transfer can wait at its sending end. */
class SenderStagesTest {
    private static final int FRAGMENT = 64;
    private static final long MILLIS = 1_000_000L;

    private final FakeSenderStore store = new FakeSenderStore();
    private final FakeLink link = new FakeLink();
    private boolean permitted = true;
    private final HopSender sender = new HopSender(
            new HopSenderLimits(8, 2, 16, -1, 256, 16, 2 * FRAGMENT), store, (key, complete) -> permitted);
    private long nowMillis = 1;

    private SampleTransfer sample(long number, String path, int fragments) {
        SampleTransfer sample =
                SampleTransfer.file(new NodeId(1, 1), number, "t", path, fragments * FRAGMENT, FRAGMENT, number);
        store.known.put(sample.key(), sample);
        sender.offer(sample.manifest(), sample.manifest().number(), true);
        return sample;
    }

    private SampleTransfer whole(long number, String path, int fragments) {
        SampleTransfer sample = sample(number, path, fragments);
        sender.commit(sample.key(), sample.commit(), number, null);
        return sample;
    }

    private WaitStage stage(SampleTransfer sample) {
        return sender.stage(sample.key()).orElseThrow();
    }

    private void drain() {
        store.run();
        for (OutboundPacket packet = sender.next(0); packet != null; packet = sender.next(0)) {
            packet.payload().release();
            store.run();
        }
    }

    private void passes(long millis) {
        nowMillis += millis;
        sender.tick(nowMillis * MILLIS);
    }

    private void on(HopMessage message) {
        sender.on(message);
        store.run();
    }

    @AfterEach
    void end() {
        sender.linkDown();
        store.run();
    }

    @Test
    void withoutASessionThePeerIsAway() {
        assertThat(stage(whole(1, "a", 1))).isEqualTo(WaitStage.PEER_AWAY);
    }

    @Test
    void whatHasNotComeYetIsWaitedForUpstream() {
        sender.linkUp(link);
        SampleTransfer sample = sample(1, "a", 3);
        assertThat(stage(sample)).isEqualTo(WaitStage.NO_INPUT);

        sender.available(sample.key(), new FragmentRange(0, 1), null);
        drain();
        on(FakeLink.ack(sample.key(), 0, 1));
        assertThat(stage(sample)).isEqualTo(WaitStage.NO_INPUT);
    }

    @Test
    void readingAndFullStreamsAndCreditAndAcksAreToldApart() {
        sender.linkUp(link);
        SampleTransfer sample = whole(1, "a", 4);
        assertThat(stage(sample)).as("the store is asked").isEqualTo(WaitStage.SOURCE_DISK);

        store.run();
        assertThat(stage(sample)).as("no stream takes it").isEqualTo(WaitStage.LINK);

        drain();
        assertThat(stage(sample)).as("2 of 4 are in flight").isEqualTo(WaitStage.CREDIT);

        on(FakeLink.ack(sample.key(), 0, 2));
        drain();
        assertThat(stage(sample)).as("the rest is in flight").isEqualTo(WaitStage.ACK);
    }

    @Test
    void aTransferBehindAnotherOfItsPathIsInPathOrder() {
        sender.linkUp(link);
        sample(1, "a", 3);
        SampleTransfer second = whole(2, "a", 1);
        drain();
        on(FakeLink.ack(second.key(), 0, 1));

        assertThat(stage(second)).isEqualTo(WaitStage.PATH_ORDER);
        assertThat(sender.stageDetail(second.key())).contains("earlier transfer of its path");
    }

    @Test
    void aCompleteTransferThatItsGateHoldsWaitsForThePermit() {
        permitted = false;
        sender.linkUp(link);
        SampleTransfer sample = whole(1, "a", 1);
        drain();
        on(FakeLink.ack(sample.key(), 0, 1));

        assertThat(stage(sample)).isEqualTo(WaitStage.PERMIT);
    }

    @Test
    void refusalsAreSpaceRightOrOther() {
        sender.linkUp(link);
        SampleTransfer sample = whole(1, "a", 1);
        on(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        assertThat(stage(sample)).isEqualTo(WaitStage.SPACE);
        assertThat(sender.stageDetail(sample.key())).isEqualTo("NO_SPACE: the disk is full");

        SampleTransfer other = whole(2, "b", 1);
        on(new HopMessage.Refuse(other.key(), new Refusal(ErrorCode.STOPPING, "the node is stopping")));
        assertThat(stage(other)).isEqualTo(WaitStage.REFUSED);
    }

    @Test
    void whatAnOperatorHoldsIsHeldAlsoWithoutASession() {
        SampleTransfer sample = whole(1, "a", 1);
        assertThat(sender.hold(sample.key())).isTrue();
        assertThat(stage(sample)).isEqualTo(WaitStage.HELD);
        sender.linkUp(link);
        assertThat(stage(sample)).isEqualTo(WaitStage.HELD);

        sender.release(sample.key());
        assertThat(stage(sample)).isEqualTo(WaitStage.SOURCE_DISK);
    }

    @Test
    void beyondTheOpenTransfersItIsInTheQueue() {
        sender.linkUp(link);
        whole(1, "a", 3);
        whole(2, "b", 3);
        assertThat(stage(whole(3, "c", 3))).isEqualTo(WaitStage.QUEUE);
    }

    @Test
    void aPeerThatAnswersNoProbeIsAway() {
        sender.linkUp(link);
        passes(1);
        SampleTransfer sample = whole(1, "a", 1);
        drain();
        passes(600);
        assertThat(stage(sample)).isEqualTo(WaitStage.ACK);
        assertThat(link.asked()).as("it is probed").isEqualTo(1);

        passes(1_600);
        assertThat(stage(sample)).isEqualTo(WaitStage.PEER_AWAY);

        link.hear();
        assertThat(stage(sample)).isEqualTo(WaitStage.ACK);
    }

    @Test
    void aSmallTransferIsNotSampledButHasAStage() {
        HopSender small = new HopSender(new HopSenderLimits(8, 2, 16, FRAGMENT, 256, 16, 2 * FRAGMENT), store);
        SampleTransfer sample = SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 10, FRAGMENT, 1);
        store.known.put(sample.key(), sample);
        small.linkUp(link);
        small.offer(sample.manifest(), 1, true);
        small.commit(sample.key(), sample.commit(), 1, null);
        store.run();
        assertThat(small.stage(sample.key())).as("no stream takes it").contains(WaitStage.LINK);

        OutboundPacket packet = Objects.requireNonNull(small.next(0));
        packet.payload().release();
        assertThat(small.stage(sample.key())).contains(WaitStage.ACK);
        small.stages(10, (key, stage) -> {
            throw new AssertionError(stage);
        });
        small.linkDown();
    }

    @Test
    void oneLookSeesNoMoreThanItsBound() {
        sender.linkUp(link);
        whole(1, "a", 1);
        whole(2, "b", 1);
        Map<TransferKey, WaitStage> seen = new LinkedHashMap<>();
        sender.stages(1, seen::put);
        assertThat(seen).hasSize(1);
        sender.stages(2, seen::put);
        assertThat(seen).hasSize(2);
    }
}
