package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HopSenderTest {
    private static final int FRAGMENT = 64;
    private static final long MILLIS = 1_000_000L;
    private static final NodeId PUBLISHER = new NodeId(1, 1);

    private final FakeSenderStore store = new FakeSenderStore();
    private FakeLink link = new FakeLink();
    /** No small transfers: they would hide what is tested here. */
    private HopSender sender = sender(new HopSenderLimits(8, 16, 16, -1, 256, 16, 4 * FRAGMENT));

    @AfterEach
    void afterTheLinkIsLostNothingIsHeld() {
        sender.linkDown();
        store.run();
        assertThat(sender.inFlightBytes()).isZero();
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
        assertThat(store.pool.aside()).isZero();
    }

    private HopSender sender(HopSenderLimits limits) {
        return new HopSender(limits, store);
    }

    private SampleTransfer sample(long number, String path, int sizeBytes) {
        SampleTransfer sample = SampleTransfer.file(PUBLISHER, number, "t", path, sizeBytes, FRAGMENT, number);
        store.known.put(sample.key(), sample);
        return sample;
    }

    private void offer(SampleTransfer sample) {
        sender.offer(sample.manifest(), sample.manifest().number(), true);
    }

    private void available(SampleTransfer sample, long start, long end) {
        sender.available(sample.key(), new FragmentRange(start, end), null);
    }

    private void commit(SampleTransfer sample) {
        sender.commit(sample.key(), sample.commit(), sample.manifest().number(), null);
    }

    private void offerWhole(SampleTransfer sample) {
        offer(sample);
        commit(sample);
    }

    /** Takes packets for a stream until there is none; releases them. */
    private List<PacketHeader> drain(int stream) {
        List<PacketHeader> headers = new ArrayList<>();
        store.run();
        for (int idle = 0; idle < 2; ) { // asking may start a load
            OutboundPacket packet = sender.next(stream);
            idle = packet == null ? idle + 1 : 0;
            if (packet != null) {
                packet.payload().release();
                headers.add(((OutboundPacket.OfFragment) packet).header());
            }
            store.run();
        }
        return headers;
    }

    private @Nullable OutboundPacket one(int stream) {
        store.run();
        OutboundPacket packet = sender.next(stream);
        if (packet != null) {
            packet.payload().release();
        }
        return packet;
    }

    private static List<Long> indexes(List<PacketHeader> headers) {
        return headers.stream().map(PacketHeader::index).toList();
    }

    private void message(HopMessage message) {
        sender.on(message);
        store.run();
    }

    // --- pipelining and resuming

    @Test
    void newTransferIsPipelinedWithoutWaitingForAnAnswer() {
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT - 5);
        sender.linkUp(link);

        offerWhole(sample);
        List<PacketHeader> packets = drain(0);

        assertThat(link.take())
                .containsExactly(
                        new HopMessage.Open(sample.manifest(), false),
                        new HopMessage.CommitTransfer(sample.key(), sample.commit()));
        assertThat(indexes(packets)).containsExactly(0L, 1L, 2L);
        assertThat(packets).noneMatch(PacketHeader::resent);
        assertThat(packets.get(2).fragmentLength()).isEqualTo(FRAGMENT - 5);
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void anAnnouncedTransferSendsOnlyWhatResumeReportsMissing() {
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        sender.offer(sample.manifest(), 1, false);
        sender.commit(sample.key(), sample.commit(), 1, null);

        assertThat(drain(0)).isEmpty();
        assertThat(link.take()).containsExactly(new HopMessage.Open(sample.manifest(), true));

        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(1, 3)));

        assertThat(indexes(drain(0))).containsExactly(0L, 3L);
        assertThat(link.take()).containsExactly(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void aNewSessionStartsFromTheRangesInResume() {
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        message(FakeLink.ack(sample.key(), 0, 2));

        sender.linkDown();
        link = new FakeLink();
        sender.linkUp(link);
        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, 1)));
        List<PacketHeader> packets = drain(0);

        assertThat(indexes(packets)).containsExactly(1L, 2L);
        assertThat(packets).allMatch(PacketHeader::resent);
        assertThat(Objects.requireNonNull(sender.progress(sample.key()).orElse(null))
                        .resentBytes())
                .isEqualTo(2 * FRAGMENT);
        assertThat(progress(sample).resentAckedBytes())
                .as("acked once, and lost by the receiver since")
                .isEqualTo(FRAGMENT);
        assertThat(sender.meter().resentBytes()).isEqualTo(2 * FRAGMENT);
        assertThat(sender.meter().sentBytes()).isEqualTo(5 * FRAGMENT);
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void whatAnotherReceiverKnowsAsDurableIsNotSentAgain() {
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        message(FakeLink.ack(sample.key(), 0, 2));

        sender.linkDown();
        link = new FakeLink();
        sender.linkUp(link);
        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, 3))); // an ack was on its way
        assertThat(indexes(drain(0))).containsExactly(3L);

        assertThat(progress(sample).resentBytes()).isEqualTo(FRAGMENT);
        assertThat(progress(sample).resentAckedBytes()).isZero();
        message(new HopMessage.Nack(sample.key(), 1)); // damaged there since
        assertThat(indexes(drain(0))).containsExactly(1L);
        assertThat(progress(sample).resentAckedBytes()).isEqualTo(FRAGMENT);
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void onlyWhatIsRefusedOrOnAHopThatDoesNotMoveIsStopped() {
        sender.tick(1);
        SampleTransfer moving = sample(1, "a", 4 * FRAGMENT);
        SampleTransfer inLine = sample(2, "b", 4 * FRAGMENT);
        SampleTransfer refused = sample(3, "c", 4 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(moving);
        offerWhole(inLine);
        drain(0);

        sender.tick(5_000 * MILLIS);
        message(FakeLink.ack(moving.key(), 0, 1));
        assertThat(sender.longestStopped().orElseThrow().millis())
                .as("another moves")
                .isZero();

        sender.tick(9_000 * MILLIS);
        assertThat(sender.longestStopped().orElseThrow().millis()).isEqualTo(4_000);
        assertThat(sender.idleMillis()).isEqualTo(4_000);

        offerWhole(refused);
        message(new HopMessage.Refuse(refused.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        sender.tick(20_000 * MILLIS);
        message(FakeLink.ack(moving.key(), 1, 2));
        HopSender.Stopped stopped = sender.longestStopped().orElseThrow();
        assertThat(stopped.manifest()).isEqualTo(refused.manifest());
        assertThat(stopped.progress().reason()).isEqualTo("NO_SPACE: the disk is full");
        assertThat(stopped.millis()).isEqualTo(11_000);
    }

    @Test
    void whatHoldsATransferBackIsKnownUntilItGoesOn() {
        SampleTransfer first = sample(1, "a", 3 * FRAGMENT);
        SampleTransfer second = sample(2, "a", 3 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(first);
        offerWhole(second);
        assertThat(held(first)).isEmpty();
        assertThat(held(second)).isEqualTo("it waits for an earlier transfer of its path, " + first.key());

        message(new HopMessage.Refuse(first.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        assertThat(held(first)).isEqualTo("NO_SPACE: the disk is full");
        sender.tick(10_000_000_000L);
        message(new HopMessage.Resume(first.key(), FragmentRanges.of(0, 0)));
        assertThat(held(first)).isEqualTo("NO_SPACE: the disk is full");
        message(FakeLink.ack(first.key(), 0, 1));
        assertThat(held(first)).isEmpty();

        sender.suspend(second.key());
        assertThat(held(second)).contains("broke off");
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void ofWhatWasRefusedNoMoreIsOnItsWayThanHasBeenTakenSince() {
        SampleTransfer sample = sample(1, "a", 8 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        assertThat(drain(0)).as("as many as may be loaded").hasSize(4);
        for (long seconds = 1; seconds < 9; seconds += 3) {
            message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
            sender.tick(seconds * 1_000_000_000L);
            sender.tick((seconds + 2) * 1_000_000_000L);
            message(new HopMessage.Resume(sample.key(), new FragmentRanges()));
            assertThat(indexes(drain(0))).containsExactly(0L);
        }

        message(FakeLink.ack(sample.key(), 0, 1));
        assertThat(indexes(drain(0))).containsExactly(1L, 2L);
        message(FakeLink.ack(sample.key(), 1, 3));
        assertThat(indexes(drain(0))).containsExactly(3L, 4L, 5L, 6L);

        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        sender.tick(12_000 * MILLIS);
        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, 3)));
        assertThat(indexes(drain(0))).containsExactly(3L);
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatBrokeOffAndWasRefusedAsksForNoRoomUntilItGoesOn() {
        SampleTransfer broken = sample(1, "a", 2 * FRAGMENT);
        SampleTransfer other = sample(2, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(broken);
        offerWhole(other);
        drain(0);
        sender.suspend(broken.key());
        message(new HopMessage.Refuse(broken.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        link.take();

        sender.tick(60_000 * MILLIS);
        assertThat(link.take()).doesNotContain(new HopMessage.Open(broken.manifest(), true));

        sender.resume(broken.key());
        assertThat(link.take()).contains(new HopMessage.Open(broken.manifest(), true));
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aSuspendedRefusedTransferIsCancelledInTheNextSession() {
        SampleTransfer broken = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(broken);
        drain(0);
        sender.suspend(broken.key());
        message(new HopMessage.Refuse(broken.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        sender.cancel(broken.key(), "given up");
        sender.linkDown();
        link.take();

        sender.linkUp(link);

        assertThat(link.take()).contains(new HopMessage.Cancel(broken.key(), "given up"));
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void aRefusalForSpaceMakesItsTopicStartWithOneFragment() {
        sender = sender(new HopSenderLimits(8, 16, 16, -1, 256, 16, 8 * FRAGMENT));
        SampleTransfer refused = sample(1, "a", 2 * FRAGMENT);
        SampleTransfer next = sample(2, "b", 8 * FRAGMENT);
        SampleTransfer elsewhere = SampleTransfer.file(PUBLISHER, 3, "other", "c", 2 * FRAGMENT, FRAGMENT, 3);
        store.known.put(elsewhere.key(), elsewhere);
        sender.tick(MILLIS);
        sender.linkUp(link);
        offerWhole(refused);
        drain(0);
        message(new HopMessage.Refuse(refused.key(), new Refusal(ErrorCode.NO_SPACE, "the quota is reached")));
        sender.tick(3_000 * MILLIS); // it is being tried again, and does not wait for that any more
        link.take();

        offerWhole(next);
        assertThat(link.take()).contains(new HopMessage.Open(next.manifest(), true));
        message(new HopMessage.Resume(next.key(), new FragmentRanges()));
        assertThat(indexes(drain(0))).containsExactly(0L);
        message(FakeLink.ack(next.key(), 0, 1));
        assertThat(indexes(drain(0))).containsExactly(1L, 2L);

        offerWhole(elsewhere);
        assertThat(link.take()).contains(new HopMessage.Open(elsewhere.manifest(), false));
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void aRefusalSlowsTransfersOfItsTopicThatAreBeingSent() {
        sender = sender(new HopSenderLimits(2, 16, 16, -1, 256, 16, 8 * FRAGMENT));
        SampleTransfer underWay = sample(1, "a", 20 * FRAGMENT);
        SampleTransfer refused = sample(2, "b", 20 * FRAGMENT);
        sender.tick(MILLIS);
        sender.linkUp(link);
        offerWhole(underWay);
        offerWhole(refused);
        int sent = (int) drain(0).stream()
                .filter(header -> header.key().equals(underWay.key()))
                .count();
        assertThat(sent).isPositive();

        message(new HopMessage.Refuse(refused.key(), new Refusal(ErrorCode.NO_SPACE, "the quota is reached")));
        assertThat(drain(0)).as("the room that the refused one has left").isEmpty();
        message(FakeLink.ack(underWay.key(), 0, sent));
        assertThat(drain(0)).as("one, and as many as were taken").hasSize(sent + 1);
    }

    /** Of the tenfold number, with the same number elsewhere, the tenfold time, not the hundredfold. */
    @Test
    void thousandsThatLackRoomCostNoMoreEachThanAFew() {
        refuseThousands(1_000); // to warm up
        long few = refuseThousands(2_000);
        long many = refuseThousands(20_000);

        assertThat(many).as("ns; %d for a tenth", few).isLessThan(40 * few);
    }

    /** Processor time in nanoseconds. */
    private long refuseThousands(int count) {
        HopSender many = sender(new HopSenderLimits(8, count, 16, -1, 256, 16, 8 * FRAGMENT));
        many.linkUp(link);
        many.tick(MILLIS);
        List<SampleTransfer> samples = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            String topic = i < count ? "t" : "other";
            SampleTransfer sample = SampleTransfer.file(PUBLISHER, 1 + i, topic, "p" + i, FRAGMENT, FRAGMENT, 1 + i);
            store.known.put(sample.key(), sample);
            samples.add(sample);
        }
        Refusal refusal = new Refusal(ErrorCode.NO_SPACE, "the quota is reached");
        long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (SampleTransfer sample : samples) {
            many.offer(sample.manifest(), sample.manifest().number(), true);
            many.available(sample.key(), new FragmentRange(0, 1), null);
            if (sample.manifest().topic().name().equals("t")) {
                many.on(new HopMessage.Refuse(sample.key(), refusal));
            }
        }
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
        many.linkDown();
        link.take();
        return took;
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void whereTransfersAreRefusedForNowNoDataGoAheadOfTheAnswer() {
        sender = sender(new HopSenderLimits(8, 16, 16, 64, 256, 16, 100 * FRAGMENT));
        SampleTransfer refused = sample(1, "a", 8);
        SampleTransfer small = sample(2, "b", 8);
        SampleTransfer large = sample(3, "c", 2 * FRAGMENT);
        sender.tick(MILLIS);
        sender.linkUp(link);
        offerWhole(refused);
        assertThat(one(0)).isInstanceOf(OutboundPacket.OfSmall.class);
        message(new HopMessage.Refuse(refused.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        link.take();

        offerWhole(small);
        offerWhole(large);
        sender.tick(3_000 * MILLIS);

        assertThat(one(0)).isNull();
        assertThat(link.take())
                .filteredOn(message -> message instanceof HopMessage.Open open && open.resumed())
                .hasSize(3);
        for (SampleTransfer each : List.of(refused, small, large)) {
            message(new HopMessage.Resume(each.key(), new FragmentRanges()));
        }
        assertThat(drain(0)).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void aDamagedCopyHereHoldsNoOtherTransferBack() {
        SampleTransfer damaged = sample(1, "a", FRAGMENT);
        SampleTransfer other = sample(2, "b", FRAGMENT);
        sender.tick(MILLIS);
        sender.linkUp(link);
        store.loadFails = ErrorCode.STORAGE_FAILED;
        offerWhole(damaged);
        drain(0);
        store.loadFails = null;
        link.take();

        offerWhole(other);

        assertThat(drain(0)).extracting(PacketHeader::key).contains(other.key());
    }

    @Test
    void theProgressClockRunsUntilSomethingIsAcked() {
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.tick(1_000 * MILLIS);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        sender.tick(4_000 * MILLIS);
        assertThat(progress(sample).idleMillis()).isEqualTo(3_000);
        assertThat(sender.longestIdleMillis()).isEqualTo(3_000);
        assertThat(progress(sample).nextStep()).startsWith("4 fragments are being read or in flight");

        message(FakeLink.ack(sample.key(), 0, 2));
        assertThat(progress(sample).idleMillis()).isZero();
        sender.tick(5_000 * MILLIS);
        message(FakeLink.ack(sample.key(), 0, 2)); // no news
        assertThat(progress(sample).idleMillis()).isEqualTo(1_000);

        message(FakeLink.ack(sample.key(), 2, 4));
        assertThat(progress(sample).nextStep()).contains("yet to commit it");
        message(new HopMessage.Committed(sample.key(), List.of("b"), 0));
        sender.tick(9_000 * MILLIS);
        assertThat(progress(sample).idleMillis()).isEqualTo(4_000);
        assertThat(progress(sample).nextStep()).isEmpty();
        assertThat(sender.longestIdleMillis()).isZero();
    }

    @Test
    void aNewSessionAndARefusalAreNoProgress() {
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        offerWhole(sample); // before the first tick
        sender.tick(1_000 * MILLIS);
        sender.tick(2_000 * MILLIS);
        assertThat(progress(sample).nextStep()).isEqualTo("there is no session");
        sender.linkUp(link);
        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.NO_SPACE, "the disk is full")));
        sender.tick(3_000 * MILLIS);
        assertThat(progress(sample).nextStep()).contains("yet to report what it has");
        sender.linkDown();
        assertThat(progress(sample).idleMillis()).isEqualTo(2_000);
    }

    /** Ticks as they come in a process that runs. */
    private void passTime(long fromMillis, long toMillis) {
        for (long millis = fromMillis + 100; millis < toMillis + 100; millis += 100) {
            sender.tick(Math.min(millis, toMillis) * MILLIS);
        }
    }

    private OutgoingTransferStatus progress(SampleTransfer sample) {
        return Objects.requireNonNull(sender.progress(sample.key()).orElse(null));
    }

    private String held(SampleTransfer sample) {
        return Objects.requireNonNull(sender.progress(sample.key()).orElse(null))
                .held();
    }

    @Test
    @Invariant(InvariantName.IMMUTABLE)
    void tailFragmentLeavesOnlyWithTheCommit() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT + 7);
        sender.linkUp(link);
        sender.offer(sample.manifest(), 1, true);
        available(sample, 0, 2);

        assertThat(indexes(drain(0))).containsExactly(0L, 1L);

        sender.commit(sample.key(), sample.commit(), 1, null);
        assertThat(indexes(drain(0))).containsExactly(2L);
    }

    @Test
    void aTailAvailableBeforeItsCommitIsCutByItsTrueLength() {
        link.streams = 4;
        SampleTransfer sample = sample(1, "a", FRAGMENT + 7);
        sender.linkUp(link);
        sender.offer(sample.manifest(), 1, true);
        available(sample, 0, 2);
        sender.commit(sample.key(), sample.commit(), 1, null);

        List<PacketHeader> packets = drain(0);

        assertThat(packets).allMatch(header -> header.offset() + header.length() <= header.fragmentLength());
        assertThat(sender.inFlightBytes()).isEqualTo(FRAGMENT + 7);
    }

    @Test
    void nothingIsSaidOfATransferThatHasNothingToSend() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);

        sender.offer(sample.manifest(), 1, true);

        assertThat(link.take()).isEmpty();
    }

    @Test
    void offeringTwiceChangesNothing() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        offerWhole(sample);

        assertThat(link.take()).hasSize(2);
        assertThat(drain(0)).hasSize(1);
        assertThat(sender.size()).isOne();
    }

    @Test
    void fragmentThatIsStillInMemoryIsSentWithoutALoad() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        sender.offer(sample.manifest(), 0, true);
        Fragment fragment = Objects.requireNonNull(sample.fragment(0, store.pool));

        sender.available(sample.key(), new FragmentRange(0, 1), fragment);
        fragment.buffer().release();

        assertThat(indexes(drain(0))).containsExactly(0L);
        assertThat(store.loads).isEmpty();
    }

    /** All of it comes in while the consumer takes nothing. */
    private void forwardAll(SampleTransfer sample) {
        sender.offer(sample.manifest(), 0, true);
        for (int i = 0; i < sample.fragmentCount(); i++) {
            Fragment fragment = Objects.requireNonNull(sample.fragment(i, store.pool));
            sender.forward(fragment);
            sender.available(sample.key(), new FragmentRange(i, i + 1), null);
            fragment.buffer().release();
        }
    }

    @Test
    void whatCameInWithoutCreditForItIsKeptAndSentWithoutALoad() {
        SampleTransfer sample = sample(1, "a", 8 * FRAGMENT);
        sender.linkUp(link);

        forwardAll(sample);

        assertThat(store.pool.aside()).isEqualTo(FakeSenderStore.ASIDE);
        assertThat(indexes(drain(0))).containsExactly(0L, 1L, 2L, 3L);
        message(FakeLink.ack(sample.key(), 0, 4));
        assertThat(indexes(drain(0))).containsExactly(4L, 5L, 6L, 7L);
        assertThat(store.loads).as("what there was no memory for").containsExactly(5L, 6L, 7L);
        assertThat(store.pool.aside()).isZero();
    }

    @Test
    void aKeptFragmentWaitsUntilItIsDurableHere() {
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        sender.offer(sample.manifest(), 0, true);
        for (int i = 0; i < 3; i++) {
            Fragment fragment = Objects.requireNonNull(sample.fragment(i, store.pool));
            sender.forward(fragment);
            fragment.buffer().release();
        }

        assertThat(indexes(drain(0))).containsExactly(0L, 1L);
        sender.available(sample.key(), new FragmentRange(0, 3), null);

        assertThat(indexes(drain(0))).containsExactly(2L);
        assertThat(store.loads).isEmpty();
    }

    @Test
    void whatIsKeptOfATransferThatEndsGoesAtOnce() {
        SampleTransfer sample = sample(1, "a", 8 * FRAGMENT);
        sender.linkUp(link);
        forwardAll(sample);

        sender.cancel(sample.key(), "the test says so");

        assertThat(store.pool.aside()).isZero();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void whoStaysBehindIsSentFromTheDisk() {
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        forwardAll(sample);
        assertThat(store.pool.aside()).isEqualTo(2);

        passTime(1, 6000);

        assertThat(store.pool.aside()).isZero();
        assertThat(indexes(drain(0))).containsExactly(0L, 1L, 2L, 3L);
    }

    // --- credit and memory

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void creditIsNeverExceededAndAckFreesIt() {
        SampleTransfer sample = sample(1, "a", 10 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);

        assertThat(indexes(drain(0))).containsExactly(0L, 1L, 2L, 3L);
        assertThat(sender.inFlightBytes()).isEqualTo(4 * FRAGMENT);

        message(FakeLink.ack(sample.key(), 1, 3));
        assertThat(sender.inFlightBytes()).isEqualTo(4 * FRAGMENT);
        assertThat(indexes(drain(0))).containsExactly(4L, 5L);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void fragmentLargerThanTheWindowStillGoesAlone() {
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        sender.linkUp(link);
        sender.on(new HopMessage.Credit(FRAGMENT / 2));
        offerWhole(sample);

        assertThat(indexes(drain(0))).containsExactly(0L);
        message(FakeLink.ack(sample.key(), 0, 1));
        assertThat(indexes(drain(0))).containsExactly(1L);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void noMoreThanTheAllowedFragmentsAreInMemory() {
        sender = sender(new HopSenderLimits(2, 16, 16, -1, 256, 16, 100 * FRAGMENT));
        SampleTransfer sample = sample(1, "a", 6 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        store.run();

        assertThat(store.pool.capacity() - store.pool.available()).isEqualTo(2);
        assertThat(indexes(drain(0))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void repeatedAckChangesNothing() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);

        message(FakeLink.ack(sample.key(), 0, 1));
        message(FakeLink.ack(sample.key(), 0, 1));

        assertThat(sender.inFlightBytes()).isEqualTo(FRAGMENT);
    }

    @Test
    void ackOfFragmentsThatDoNotExistIsHarmless() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);

        message(FakeLink.ack(sample.key(), 0, Long.MAX_VALUE));

        assertThat(sender.inFlightBytes()).isZero();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void memoryComesBackWhenATransferEndsWhileItIsLoading() {
        SampleTransfer sample = sample(1, "a", 8 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);

        sender.on(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.TOO_LARGE, "no")));
        store.run();

        assertThat(sender.inFlightBytes()).isZero();
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
        assertThat(sender.size()).isZero();
        assertThat(store.told).containsExactly("refused 1 TOO_LARGE");
    }

    @Test
    void loadsThatFailAfterTheirTransferEndedDoNotBlockOthers() {
        sender = sender(new HopSenderLimits(2, 16, 16, -1, 256, 16, 100 * FRAGMENT));
        SampleTransfer first = sample(1, "a", 2 * FRAGMENT);
        SampleTransfer second = sample(2, "b", FRAGMENT);
        sender.linkUp(link);
        store.loadFails = ErrorCode.STORAGE_FAILED;
        offerWhole(first);
        message(new HopMessage.Committed(first.key(), List.of("s"), 0));
        store.loadFails = null;
        offerWhole(second);

        assertThat(indexes(drain(0))).containsExactly(0L);
    }

    // --- losses

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void lostStreamSendsAgainOnlyWhatItCarried() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        PacketHeader onZero = ((OutboundPacket.OfFragment) Objects.requireNonNull(one(0))).header();
        one(1);
        one(1);
        assertThat(drain(1)).isNotEmpty();

        sender.streamLost(0);
        link.hear();
        List<PacketHeader> again = drain(1);

        assertThat(again).isNotEmpty().allMatch(header -> header.index() == onZero.index() && header.resent());
        assertThat(sender.inFlightBytes()).isEqualTo(4 * FRAGMENT);
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void peerThatDiesStreamByStreamCostsNoMoreThanTheCredit() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        one(0);
        one(1);
        one(0);
        one(1);

        sender.streamLost(0); // the first that is seen of its death
        drain(1);
        sender.streamLost(1);
        sender.linkDown();
        link.hear(); // too late to mean anything
        link = new FakeLink();
        sender.linkUp(link);
        message(new HopMessage.Resume(sample.key(), new FragmentRanges()));
        assertThat(indexes(drain(0))).contains(0L, 1L, 2L, 3L);

        assertThat(progress(sample).resentBytes()).isBetween(1L, 4L * FRAGMENT);
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void silentPeerIsSentNoCopiesOfTheTailBeforeItIsGivenUp() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        drain(0);
        for (long second = 0; second < 9; second++) {
            passTime(second * 1000, second * 1000 + 1000);
            assertThat(drain(1)).isEmpty();
        }
        assertThat(progress(sample).resentBytes()).isZero();
        assertThat(link.asked()).as("questions that were asked").isOne();
    }

    @Test
    void whatIsSentJustAfterTheProcessWasStoppedIsNotOld() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        sender.tick(5_000 * MILLIS);
        offerWhole(sample); // at 60 s, before the tick comes
        drain(0);

        sender.tick(60_000 * MILLIS);
        drain(1);
        link.hear();
        assertThat(drain(1)).isEmpty();

        passTime(60_000, 63_000);
        drain(1);
        link.hear();
        assertThat(drain(1)).as("a copy when it does lag").isNotEmpty();
    }

    @Test
    void lostStreamOfAckedFragmentsSendsNothingAgain() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        message(FakeLink.ack(sample.key(), 0, 2));

        sender.streamLost(0);
        link.hear();

        assertThat(drain(0)).isEmpty();
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void nackedFragmentIsSentAgain() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);

        message(new HopMessage.Nack(sample.key(), 1));

        assertThat(indexes(drain(0))).containsExactly(1L);
        assertThat(sender.inFlightBytes()).isEqualTo(2 * FRAGMENT);
    }

    @Test
    void laggingTailIsSentAgainOnAnotherStreamOnly() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender = sender(new HopSenderLimits(8, 16, 16, -1, 256, FRAGMENT, 4 * FRAGMENT));
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        assertThat(drain(0)).hasSize(1);

        sender.tick(400 * MILLIS);
        assertThat(drain(0)).isEmpty();
        assertThat(drain(1)).isEmpty();

        sender.tick(2000 * MILLIS);
        assertThat(drain(0)).isEmpty();
        assertThat(drain(1)).as("a peer that is silent altogether").isEmpty();
        link.hear();
        assertThat(drain(0)).isEmpty();
        List<PacketHeader> copy = drain(1);
        assertThat(copy).hasSize(1);
        assertThat(copy.get(0).resent()).isTrue();
        assertThat(drain(1)).isEmpty();
    }

    @Test
    void whatStandsOnAStreamThatIsHeldBackIsSentAgainOnAFreeOneOnce() {
        link.streams = 3;
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        sender = sender(new HopSenderLimits(8, 16, 16, -1, 256, FRAGMENT, 4 * FRAGMENT));
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        one(0);
        one(1);
        one(1);
        assertThat(progress(sample).sentBytes()).isEqualTo(3 * FRAGMENT);

        link.stuckBytes.put(1, FRAGMENT / 2);
        assertThat(drain(1)).as("on the stream itself").isEmpty();
        link.stuckBytes.put(0, 1);
        assertThat(drain(0)).as("on another that is held back").isEmpty();
        link.stuckBytes.remove(0);
        List<PacketHeader> copy = drain(0);
        assertThat(indexes(copy)).as("the last that it was given").containsExactly(2L);
        assertThat(copy.get(0).resent()).isTrue();
        assertThat(drain(2)).as("a second copy").isEmpty();

        message(FakeLink.ack(sample.key(), 2, 3));
        link.stuckBytes.put(1, 2 * FRAGMENT);
        assertThat(indexes(drain(2))).as("what is not acked").containsExactly(1L);
        assertThat(drain(2)).isEmpty();
    }

    @Test
    void anAckOfAnUnsentFragmentDoesNotMisleadTheTailPolicy() {
        link.streams = 2;
        sender = sender(new HopSenderLimits(8, 16, 16, -1, 256, FRAGMENT, 4 * FRAGMENT));
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        long uptime = 3_600_000L * MILLIS;
        sender.linkUp(link);
        sender.tick(uptime);
        offerWhole(sample);
        store.run();
        message(FakeLink.ack(sample.key(), 0, 1));
        assertThat(drain(0)).hasSize(1);

        passTime(3_600_000, 3_603_000);
        drain(1);
        link.hear();

        assertThat(drain(1)).hasSize(1);
    }

    @Test
    void loanThatNoStreamTakesGivesItsMemoryBack() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        store.run();
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity() - 1);

        passTime(1, 3000);

        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
        assertThat(drain(0)).hasSize(1);
    }

    @Test
    void lastFragmentsAreCutSoThatAllStreamsHelp() {
        link.streams = 4;
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);

        List<PacketHeader> packets = drain(0);

        assertThat(packets).extracting(PacketHeader::offset).containsExactly(0, 16, 32, 48);
        assertThat(packets).allMatch(header -> header.fragmentLength() == FRAGMENT && header.length() == 16);
    }

    // --- order by path

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void commitWaitsForTheEarlierOneOfTheSamePathWhileDataDoesNot() {
        SampleTransfer first = sample(1, "d/a", FRAGMENT);
        SampleTransfer second = sample(2, "d/a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(first);
        offerWhole(second);

        assertThat(drain(0)).hasSize(2);
        assertThat(link.take())
                .contains(new HopMessage.Open(second.manifest(), false))
                .doesNotContain(new HopMessage.CommitTransfer(second.key(), second.commit()));

        message(FakeLink.ack(first.key(), 0, 1));
        assertThat(link.take()).isEmpty();

        message(new HopMessage.Committed(first.key(), List.of("s")));
        assertThat(link.take()).containsExactly(new HopMessage.CommitTransfer(second.key(), second.commit()));
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void commitWaitsForDirectoriesAboveAndForPathsBelow() {
        SampleTransfer above = sample(1, "d", FRAGMENT);
        SampleTransfer below = sample(2, "d/e/a", FRAGMENT);
        SampleTransfer aboveAgain = sample(3, "d/e", FRAGMENT);
        SampleTransfer beside = sample(4, "d0", FRAGMENT);
        sender.linkUp(link);
        List.of(above, below, aboveAgain, beside).forEach(this::offerWhole);

        assertThat(commits()).containsExactly(above.commit(), beside.commit());
        message(new HopMessage.Committed(above.key(), List.of()));
        assertThat(commits()).containsExactly(below.commit());
        message(new HopMessage.Committed(below.key(), List.of()));
        assertThat(commits()).containsExactly(aboveAgain.commit());
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void refusalAndCancelReleaseWhoWaits() {
        SampleTransfer first = sample(1, "a", FRAGMENT);
        SampleTransfer second = sample(2, "a", FRAGMENT);
        SampleTransfer third = sample(3, "a", FRAGMENT);
        sender.linkUp(link);
        List.of(first, second, third).forEach(this::offerWhole);
        link.take();

        message(new HopMessage.Refuse(first.key(), new Refusal(ErrorCode.NOT_ALLOWED, "no")));
        assertThat(commits()).containsExactly(second.commit());

        sender.cancel(second.key(), "enough");
        assertThat(link.take()).containsExactly(new HopMessage.Cancel(second.key(), "enough"));
        message(new HopMessage.Cancelled(second.key()));
        assertThat(commits()).containsExactly(third.commit());
        assertThat(store.told).contains("cancelled 2");
    }

    // --- without a right

    private static final Refusal NO_RIGHT = new Refusal(ErrorCode.NOT_ALLOWED, "no right to publish");

    /** Three whole ones, of which the second is refused for want of a right. */
    private List<SampleTransfer> secondOfThreeLacksARight() {
        store.waitsForRights = true;
        sender = sender(new HopSenderLimits(8, 2, 16, -1, 256, 16, 100 * FRAGMENT));
        List<SampleTransfer> all =
                List.of(sample(1, "a", FRAGMENT), sample(2, "b", 3 * FRAGMENT), sample(3, "c", FRAGMENT));
        sender.linkUp(link);
        sender.tick(MILLIS);
        all.forEach(this::offerWhole);
        link.take();
        message(new HopMessage.Refuse(all.get(1).key(), NO_RIGHT));
        return all;
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void aTransferWithoutRightWaitsForASessionAndFreesItsSlot() {
        List<SampleTransfer> all = secondOfThreeLacksARight();
        TransferKey unauthorized = all.get(1).key();

        assertThat(link.take())
                .as("the place that it had")
                .contains(new HopMessage.Open(all.get(2).manifest(), false));
        assertThat(sender.progress(unauthorized)).hasValueSatisfying(how -> {
            assertThat(how.held()).isEqualTo("NOT_ALLOWED: no right to publish");
            assertThat(how.nextStep()).contains("waits for the right");
        });
        assertThat(drain(0)).noneMatch(packet -> packet.key().equals(unauthorized));
        link.take();
        for (int hour = 0; hour < 24; hour++) {
            sender.tick(hour * 3_600_000L * MILLIS);
        }
        assertThat(link.take()).as("asked again without reason").isEmpty();

        sender.linkDown();
        link = new FakeLink();
        sender.linkUp(link);
        for (SampleTransfer other : List.of(all.get(0), all.get(2))) {
            message(new HopMessage.Resume(other.key(), FragmentRanges.of(0, Long.MAX_VALUE)));
            message(new HopMessage.Committed(other.key(), List.of()));
        }
        assertThat(link.take())
                .filteredOn(HopMessage.Open.class::isInstance)
                .as("after all others, and without bytes ahead of the answer")
                .endsWith(new HopMessage.Open(all.get(1).manifest(), true));
        message(new HopMessage.Resume(unauthorized, new FragmentRanges()));
        assertThat(sender.progress(unauthorized))
                .hasValueSatisfying(how -> assertThat(how.held()).isEmpty());
        assertThat(indexes(drain(0))).containsExactly(0L, 1L, 2L);
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void whatLacksARightKeepsItsPlaceInTheOrderOfItsPath() {
        secondOfThreeLacksARight();
        SampleTransfer later = sample(4, "b", FRAGMENT);
        offerWhole(later);

        assertThat(commits()).doesNotContain(later.commit());
    }

    @Test
    void whatLacksARightCanBeCancelled() {
        TransferKey unauthorized = secondOfThreeLacksARight().get(1).key();
        link.take();

        sender.cancel(unauthorized, "not wanted any more");
        assertThat(link.take()).contains(new HopMessage.Cancel(unauthorized, "not wanted any more"));
        message(new HopMessage.Cancelled(unauthorized));

        assertThat(sender.has(unauthorized)).isFalse();
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void retriedPredecessorKeepsItsPlace() {
        SampleTransfer first = sample(1, "a", FRAGMENT);
        SampleTransfer second = sample(2, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(first);
        offerWhole(second);
        drain(0);
        link.take();

        message(new HopMessage.Refuse(first.key(), new Refusal(ErrorCode.NO_SPACE, "full")));

        assertThat(commits()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void retriedPredecessorIsNotLockedOutByThoseThatWaitForIt() {
        sender = sender(new HopSenderLimits(8, 2, 16, -1, 256, 16, 100 * FRAGMENT));
        SampleTransfer first = sample(1, "a", FRAGMENT);
        List<SampleTransfer> later = List.of(sample(2, "a", FRAGMENT), sample(3, "a", FRAGMENT), sample(4, "a", 64));
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(first);
        later.forEach(this::offerWhole);
        drain(0);

        message(new HopMessage.Refuse(first.key(), new Refusal(ErrorCode.NO_SPACE, "full")));
        drain(0);
        link.take();
        sender.tick(1000 * MILLIS);

        assertThat(link.take()).contains(new HopMessage.Open(first.manifest(), true));
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void unfinishedUploadsDoNotLockOutACommittedOne() {
        sender = sender(new HopSenderLimits(8, 2, 16, -1, 256, 16, 100 * FRAGMENT));
        sender.linkUp(link);
        for (int number = 1; number <= 2; number++) {
            SampleTransfer unfinished = sample(number, "u" + number, 2 * FRAGMENT);
            sender.offer(unfinished.manifest(), number, true);
            available(unfinished, 0, 1);
        }
        SampleTransfer finished = sample(3, "f", FRAGMENT);

        offerWhole(finished);

        assertThat(commits()).containsExactly(finished.commit());
    }

    @Test
    void transfersBeyondTheLimitOpenWhenOthersAreDone() {
        sender = sender(new HopSenderLimits(8, 2, 16, -1, 256, 16, 100 * FRAGMENT));
        sender.linkUp(link);
        List<SampleTransfer> samples = List.of(sample(1, "a", 64), sample(2, "b", 64), sample(3, "c", 64));
        samples.forEach(this::offerWhole);
        assertThat(commits()).hasSize(2);

        message(new HopMessage.Committed(samples.get(1).key(), List.of()));

        assertThat(commits()).containsExactly(samples.get(2).commit());
    }

    // --- endings

    @Test
    void refusalThatMayPassIsTriedAgainWithBackOff() {
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        drain(0);
        link.take();

        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.NO_SPACE, "full")));
        assertThat(sender.inFlightBytes()).isZero();
        sender.tick(200 * MILLIS);
        assertThat(link.take()).isEmpty();
        sender.tick(300 * MILLIS);
        assertThat(link.take()).containsExactly(new HopMessage.Open(sample.manifest(), true));

        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.NO_SPACE, "full")));
        sender.tick(700 * MILLIS);
        assertThat(link.take()).isEmpty();
        sender.tick(900 * MILLIS);
        assertThat(link.take()).hasSize(1);
        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, 1)));
        assertThat(indexes(drain(0))).containsExactly(1L);
        assertThat(store.told).contains("refused 1 NO_SPACE");
    }

    @Test
    void committedIsToldAndForgotten() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);

        message(new HopMessage.Committed(sample.key(), List.of("s1", "s2")));

        assertThat(store.told).containsExactly("committed 1 [s1, s2]");
        assertThat(sender.size()).isZero();
        assertThat(sender.inFlightBytes()).isZero();
    }

    @Test
    void cancelBeforeAnythingWasSaidNeedsNoAnswer() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.offer(sample.manifest(), 1, true);

        sender.cancel(sample.key(), "enough");

        assertThat(store.told).containsExactly("cancelled 1");
        sender.linkUp(link);
        assertThat(link.take()).isEmpty();
    }

    @Test
    void cancelIsSaidAgainInTheNextSession() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        sender.cancel(sample.key(), "enough");

        sender.linkDown();
        link = new FakeLink();
        sender.linkUp(link);

        assertThat(link.take()).containsExactly(new HopMessage.Cancel(sample.key(), "enough"));
        assertThat(drain(0)).isEmpty();
    }

    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void receiptIsAckedOnlyWhenItIsDurableAndOnlyInItsOwnSession() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        Receipt receipt = new Receipt(sample.key(), "s", ReceiptStatus.DELIVERED, "", 0);
        sender.linkUp(link);
        message(new HopMessage.ReceiptNotice(receipt));
        assertThat(link.take()).isEmpty();

        Objects.requireNonNull(store.receiptsToKeep.poll()).run();
        assertThat(link.take()).containsExactly(new HopMessage.ReceiptAck(sample.key(), "s", ReceiptStatus.DELIVERED));

        message(new HopMessage.ReceiptNotice(receipt));
        FakeLink next = new FakeLink();
        sender.linkDown();
        sender.linkUp(next);
        Objects.requireNonNull(store.receiptsToKeep.poll()).run();
        assertThat(link.take()).isEmpty();
        assertThat(next.take()).isEmpty();
    }

    private static Stream<ErrorCode> retriable() {
        return Arrays.stream(ErrorCode.values()).filter(ErrorCode::retriable);
    }

    @ParameterizedTest
    @MethodSource("retriable")
    @Invariant(InvariantName.NO_FORGET)
    void aStoreThatCannotReadForNowFailsNoTransfer(ErrorCode code) {
        sender.linkUp(link);
        store.loadFails = code;
        offerWhole(sample(1, "a", 1));
        offerWhole(sample(2, "b", 3 * FRAGMENT));

        drain(0);

        assertThat(link.take()).noneMatch(HopMessage.Cancel.class::isInstance);
        assertThat(store.told).isEmpty();
        assertThat(sender.size()).isEqualTo(2);
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void sourceThatIsGoneCancelsTheTransferDownstream() {
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        sender.linkUp(link);
        store.loadFails = ErrorCode.NOT_FOUND;
        offerWhole(sample);

        assertThat(drain(0)).isEmpty();

        assertThat(link.take())
                .last()
                .isEqualTo(new HopMessage.Cancel(sample.key(), "its source cannot be read: the test says so"));
        assertThat(store.told).containsExactly("refused 1 NOT_FOUND");
        assertThat(sender.inFlightBytes()).isZero();
    }

    @Test
    void sourceThatIsDamagedIsTriedAgainSinceItMayBeRepaired() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        store.loadFails = ErrorCode.STORAGE_FAILED;
        offerWhole(sample);
        assertThat(drain(0)).isEmpty();
        assertThat(sender.inFlightBytes()).isZero();
        store.loadFails = null;
        link.take();

        sender.tick(1000 * MILLIS);

        assertThat(link.take()).containsExactly(new HopMessage.Open(sample.manifest(), true));
        message(new HopMessage.Resume(sample.key(), new FragmentRanges()));
        assertThat(drain(0)).hasSize(1);
    }

    @Test
    void damageReportedAfterTheCommitReachesTheStore() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);

        message(new HopMessage.Nack(sample.key(), 0));

        assertThat(store.told).containsExactly("damaged 1 0");
    }

    /** The copy of a predecessor at the receiver is damaged, and it is offered again when its successors have taken all that may be open. */
    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void damagedPredecessorIsSentThoughItsSuccessorsAreOpen() {
        sender = sender(new HopSenderLimits(8, 1, 16, -1, 256, 16, 4 * FRAGMENT));
        SampleTransfer first = sample(1, "a", FRAGMENT);
        SampleTransfer second = sample(2, "a", FRAGMENT);
        sender.linkUp(link);
        sender.offer(second.manifest(), 2, false);
        commit(second);
        sender.offer(first.manifest(), 1, false);
        commit(first);
        message(new HopMessage.Resume(second.key(), FragmentRanges.of(0, 1)));

        message(new HopMessage.Resume(first.key(), FragmentRanges.of(0, 1)));

        assertThat(link.take()).contains(new HopMessage.CommitTransfer(first.key(), first.commit()));
        message(new HopMessage.Committed(first.key(), List.of()));
        assertThat(link.take()).contains(new HopMessage.CommitTransfer(second.key(), second.commit()));
        message(new HopMessage.Committed(second.key(), List.of()));
        assertThat(sender.size()).isZero();
    }

    @Test
    void cancelThatComesTooLateLetsTheCommitStand() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        sender.cancel(sample.key(), "enough");
        link.take();

        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.ID_USED, "committed")));

        assertThat(link.take()).containsExactly(new HopMessage.Open(sample.manifest(), true));
        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, Long.MAX_VALUE)));
        message(new HopMessage.Committed(sample.key(), List.of("s")));
        assertThat(store.told).doesNotContain("cancelled 1").contains("committed 1 [s]");
    }

    @Test
    void aCancelledTransferIsNotRetriedAsRefused() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        drain(0);
        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.STORAGE_FAILED, "failed")));
        sender.cancel(sample.key(), "enough");
        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.ID_USED, "committed")));
        link.take();

        sender.tick(10_000 * MILLIS);

        assertThat(link.take()).as("its OPEN has left").isEmpty();
    }

    /** Of a transfer that was cancelled between two sessions the receiver says that it is committed there. The source is gone. */
    private void cancelledTooLateAndGoneHere(SampleTransfer sample) {
        sender.linkUp(link);
        offerWhole(sample);
        one(0);
        sender.linkDown();
        sender.cancel(sample.key(), "late");
        store.loadFails = ErrorCode.NOT_FOUND;
        link.take();
        link = new FakeLink();
        sender.linkUp(link);
        assertThat(link.take()).containsExactly(new HopMessage.Cancel(sample.key(), "late"));
        message(new HopMessage.Refuse(sample.key(), new Refusal(ErrorCode.ID_USED, "committed")));
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aCommittedSmallTransferIsNotReadAfterALateCancel() {
        sender = sender(new HopSenderLimits(8, 16, 16, FRAGMENT, 256, 16, 4 * FRAGMENT));
        SampleTransfer sample = sample(1, "a", 10);
        SampleTransfer next = sample(2, "a", 11);
        cancelledTooLateAndGoneHere(sample);
        store.loadFails = null;
        offerWhole(next);
        assertThat(one(0)).isNull();
        store.loads.clear();

        assertThat(link.take()).containsExactly(new HopMessage.Open(sample.manifest(), true));
        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, Long.MAX_VALUE)));
        assertThat(link.take()).containsExactly(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
        message(new HopMessage.Committed(sample.key(), List.of("s")));

        assertThat(store.loads).as("loads, of the next one").hasSize(1);
        assertThat(store.told).endsWith("committed 1 [s]").noneMatch(told -> told.startsWith("refused"));
        assertThat(((OutboundPacket.OfSmall) Objects.requireNonNull(one(0))).items())
                .extracting(SmallItem::manifest)
                .containsExactly(next.manifest());
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void whatIsCommittedThereAsksNoGateAndWaitsForNoOther() {
        sender = new HopSender(
                new HopSenderLimits(8, 16, 16, -1, 256, 16, 4 * FRAGMENT), store, (key, complete) -> false);
        SampleTransfer before = sample(1, "a", FRAGMENT);
        SampleTransfer sample = sample(2, "a", FRAGMENT);
        sender.offer(before.manifest(), 1, true);
        cancelledTooLateAndGoneHere(sample);

        message(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, Long.MAX_VALUE)));

        assertThat(link.take())
                .containsExactly(
                        new HopMessage.Open(sample.manifest(), true),
                        new HopMessage.CommitTransfer(sample.key(), sample.commit()));
    }

    @Test
    void whatTheReceiverSaidOfACancelHoldsForThatSession() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        cancelledTooLateAndGoneHere(sample);
        sender.linkDown();
        link = new FakeLink();
        sender.linkUp(link);

        assertThat(link.take()).containsExactly(new HopMessage.Cancel(sample.key(), "late"));
    }

    @Test
    void damageOfACommittedTransferThatIsGoneHereIsRetried() {
        sender.tick(MILLIS);
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        cancelledTooLateAndGoneHere(sample);
        link.take();

        message(new HopMessage.Resume(sample.key(), new FragmentRanges()));
        assertThat(drain(0)).isEmpty();
        assertThat(link.take()).containsExactly(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
        sender.tick(1000 * MILLIS);

        assertThat(link.take()).containsExactly(new HopMessage.Open(sample.manifest(), true));
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void receiptThatComesBeforeCommittedWaitsForIt() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        link.take();

        message(new HopMessage.ReceiptNotice(new Receipt(sample.key(), "s", ReceiptStatus.DELIVERED, "", 0)));
        assertThat(store.told).isEmpty();

        message(new HopMessage.Committed(sample.key(), List.of("s")));
        assertThat(store.told).containsExactly("committed 1 [s]", "receipt DELIVERED");
        Objects.requireNonNull(store.receiptsToKeep.poll()).run();
        assertThat(link.take()).hasSize(1);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void receiptsThatComeBeforeCommittedAreBoundedOverAllTransfers() {
        SampleTransfer first = sample(1, "a", FRAGMENT);
        SampleTransfer second = sample(2, "b", FRAGMENT);
        sender.linkUp(link);
        offerWhole(first);
        offerWhole(second);
        drain(0);
        store.mostEarlyReceiptBytes = 8 << 10;
        long manifests = sender.memoryBytes();
        for (int i = 0; i < 100; i++) {
            message(new HopMessage.ReceiptNotice(delivered(first, "s")));
            message(new HopMessage.ReceiptNotice(delivered(second, "s" + i)));
        }
        assertThat(sender.memoryBytes() - manifests).isBetween(6L << 10, 8L << 10);

        message(new HopMessage.Committed(first.key(), List.of("s")));
        assertThat(store.receiptsToKeep).hasSize(1);
        message(new HopMessage.ReceiptNotice(delivered(second, "late")));
        message(new HopMessage.Committed(second.key(), List.of("s")));
        assertThat(store.receiptsToKeep).hasSizeBetween(2, 9);
    }

    private static Receipt delivered(SampleTransfer sample, String subscription) {
        return new Receipt(sample.key(), subscription, ReceiptStatus.DELIVERED, "x".repeat(1000), 0);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void endOfATransferLetsOthersGoOn() {
        sender = sender(new HopSenderLimits(4, 16, 16, -1, 256, 16, 4 * FRAGMENT));
        SampleTransfer first = sample(1, "a", 4 * FRAGMENT);
        SampleTransfer second = sample(2, "b", 4 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(first);
        offerWhole(second);
        store.run();

        message(new HopMessage.Committed(first.key(), List.of("s"), 0));

        assertThat(indexes(drain(0))).containsExactly(0L, 1L, 2L, 3L);
        assertThat(sender.inFlightBytes()).isEqualTo(4 * FRAGMENT);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void fragmentThatWasTakenBackWhileItWaitedForAStreamIsCountedOnce() {
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        store.run();
        message(new HopMessage.Nack(sample.key(), 0));

        sender.tick(3000 * MILLIS);
        store.run();

        assertThat(sender.inFlightBytes()).isEqualTo(FRAGMENT);
        assertThat(drain(0)).hasSize(1);
    }

    @Test
    void copyOfALaggingFragmentIsSentWholeAlsoInPieces() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        sender.tick(MILLIS);
        offerWhole(sample);
        assertThat(drain(0)).extracting(PacketHeader::offset).containsExactly(0, 16, 32, 48);

        passTime(1, 2000);
        drain(1);
        link.hear();

        assertThat(drain(1)).extracting(PacketHeader::offset).containsExactly(0, 16, 32, 48);
    }

    @Test
    void whatWasSentInPartOfAWithdrawnTransferIsSentToItsEnd() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offer(sample);
        available(sample, 0, 1);
        store.run();
        OutboundPacket first = Objects.requireNonNull(sender.next(0));
        first.payload().release();
        assertThat(first.payload().readableBytes()).isLessThan(FRAGMENT);

        sender.withdraw(sample.key());

        assertThat(drain(1).stream().mapToInt(PacketHeader::length).sum()
                        + first.payload().readableBytes())
                .isEqualTo(FRAGMENT);
        assertThat(sender.inFlightBytes()).isZero();
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
    }

    private void withdrawOneThatWasSentInPart() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offer(sample);
        available(sample, 0, 1);
        store.run();
        Objects.requireNonNull(sender.next(0)).payload().release();
        sender.withdraw(sample.key());
    }

    /** Its receiver keeps memory for a fragment until it is whole, and what the lost stream carried never came. */
    @Test
    void whatALostStreamCarriedOfAWithdrawnTransferIsSentAnew() {
        withdrawOneThatWasSentInPart();

        sender.streamLost(0);
        sender.tick(MILLIS);
        sender.tick(5000 * MILLIS); // for so long no stream takes it

        assertThat(sender.inFlightBytes()).isZero();
        assertThat(drain(1)).extracting(PacketHeader::offset).startsWith(0);
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
    }

    private SampleTransfer holdOneThatWasSentInPart() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        sender.linkUp(link);
        offer(sample);
        available(sample, 0, 1);
        assertThat(Objects.requireNonNull(one(0)).payload().readableBytes()).isLessThan(FRAGMENT);
        link.take();

        assertThat(sender.hold(sample.key())).isTrue();
        available(sample, 1, 2);
        return sample;
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void whatHadLeftBeforeAHoldIsNotSentAgainAfterIt() {
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        sender.linkUp(link);
        offer(sample);
        available(sample, 0, 2);
        drain(0);

        assertThat(sender.hold(sample.key())).isTrue();
        available(sample, 2, 3);
        assertThat(drain(0)).isEmpty();
        sender.release(sample.key());
        message(new HopMessage.Resume(sample.key(), new FragmentRanges())); // the receiver still writes them

        assertThat(indexes(drain(0))).containsExactly(2L);
    }

    @Test
    void theRestOfABegunFragmentIsSentDuringAHold() {
        holdOneThatWasSentInPart();

        List<PacketHeader> packets = drain(0);

        assertThat(packets).isNotEmpty().allMatch(packet -> packet.index() == 0 && !packet.resent());
    }

    /** Otherwise the transfer waits for ever: nothing else sends that fragment. */
    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void aFragmentThatTheReceiverAsksForDuringAHoldIsSentAfterIt() {
        SampleTransfer sample = holdOneThatWasSentInPart();
        drain(0);

        message(new HopMessage.Nack(sample.key(), 0));
        assertThat(drain(0)).isEmpty();
        sender.release(sample.key());
        message(new HopMessage.Resume(sample.key(), new FragmentRanges()));

        List<PacketHeader> packets = drain(0);
        assertThat(indexes(packets)).contains(0L, 1L);
        assertThat(packets).filteredOn(packet -> packet.index() == 0).allMatch(PacketHeader::resent);
    }

    /** The receiver drops its part when it is told, and would throw the rest away. */
    @Test
    void ofATransferThatAnotherMemberGetsNotEvenTheRestIsSent() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 2 * FRAGMENT);
        sender.linkUp(link);
        offer(sample);
        available(sample, 0, 1);
        assertThat(Objects.requireNonNull(one(0)).payload().readableBytes()).isLessThan(FRAGMENT);

        sender.handOver(sample.key());

        assertThat(drain(1)).isEmpty();
        assertThat(sender.inFlightBytes()).isZero();
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
    }

    @Test
    void ofAWithdrawnTransferNothingIsLeftInMemoryWhenTheLinkGoes() {
        withdrawOneThatWasSentInPart();

        sender.linkDown();

        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
    }

    /** What is on its way, perhaps for a long time, is no work for a stream that is free. */
    @Test
    void theLastFragmentIsSharedOutThoughManyAreStillOnTheirWay() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", 4 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);
        SampleTransfer last = sample(2, "b", FRAGMENT);
        sender.on(new HopMessage.Credit(100 * FRAGMENT));
        offerWhole(last);

        assertThat(drain(1)).extracting(PacketHeader::offset).containsExactly(0, 16, 32, 48);
    }

    @Test
    void aSlowStreamIsGivenNoMoreThanItShouldHaveAtATime() {
        link.packetBytes = 20;
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);

        assertThat(drain(0)).extracting(PacketHeader::offset).containsExactly(0, 20, 40);
    }

    /** Credit that fragments hold while they wait in memory is missing on a long link. */
    @Test
    void noMoreThanAThirdOfTheWindowWaitsInMemory() {
        sender = sender(new HopSenderLimits(8, 16, 16, -1, 256, 16, 12 * FRAGMENT));
        SampleTransfer sample = sample(1, "a", 20 * FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        store.run();

        assertThat(sender.inFlightBytes()).isEqualTo(4 * FRAGMENT);
        drain(0);
        assertThat(sender.inFlightBytes()).isEqualTo(12 * FRAGMENT);
    }

    @Test
    void nothingLagsBecauseTheClockWasNotKnownYet() {
        link.streams = 2;
        SampleTransfer sample = sample(1, "a", FRAGMENT);
        sender.linkUp(link);
        offerWhole(sample);
        drain(0);

        sender.tick(3_600_000L * MILLIS);

        assertThat(drain(1)).isEmpty();
    }

    // --- small transfers

    @Test
    void smallTransfersTravelTogetherInOnePacket() {
        sender = sender(new HopSenderLimits(8, 16, 16, FRAGMENT, 256, 16, 4 * FRAGMENT));
        sender.linkUp(link);
        List<SampleTransfer> samples = List.of(sample(1, "a", 10), sample(2, "b", 0), sample(3, "c", FRAGMENT));
        samples.forEach(this::offerWhole);
        store.run();

        OutboundPacket.OfSmall packet = (OutboundPacket.OfSmall) Objects.requireNonNull(sender.next(0));

        assertThat(packet.items()).extracting(SmallItem::manifest).hasSize(3);
        assertThat(packet.items()).noneMatch(SmallItem::resumed);
        assertThat(packet.payload().readableBytes()).isEqualTo(10 + FRAGMENT);
        packet.payload().release();
        assertThat(link.take()).isEmpty();
        samples.forEach(sample -> message(new HopMessage.Committed(sample.key(), List.of())));
        assertThat(sender.size()).isZero();
    }

    @Test
    void aStreamIsGivenAsManySmallTransfersAtATimeAsItShouldBe() {
        sender = sender(new HopSenderLimits(8, 16, 16, FRAGMENT, 256, 16, 100 * FRAGMENT));
        sender.linkUp(link);
        link.packetBytes = 20;
        List<SampleTransfer> samples = List.of(
                sample(1, "a", 10), sample(2, "b", 10), sample(3, "c", 1), sample(4, "d", FRAGMENT), sample(5, "e", 3));
        samples.forEach(this::offerWhole);
        store.run();
        List<Integer> counts = new ArrayList<>();
        for (OutboundPacket packet = one(0); packet != null; packet = one(0)) {
            counts.add(((OutboundPacket.OfSmall) packet).items().size());
            link.packetBytes = 1; // less than the least
        }

        assertThat(counts).containsExactly(2, 1, 1, 1);
    }

    @Test
    void smallTransfersOfALostStreamAreSentAgain() {
        sender = sender(new HopSenderLimits(8, 16, 16, FRAGMENT, 256, 16, 4 * FRAGMENT));
        sender.linkUp(link);
        SampleTransfer sample = sample(1, "a", 10);
        offerWhole(sample);
        one(0);

        sender.streamLost(0);
        link.hear();
        OutboundPacket.OfSmall again = (OutboundPacket.OfSmall) Objects.requireNonNull(one(1));

        assertThat(again.items()).singleElement().matches(SmallItem::resumed);
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void smallTransferWaitsForTheOneBeforeItAndIsSentOnce() {
        sender = sender(new HopSenderLimits(8, 16, 16, FRAGMENT, 256, 16, 4 * FRAGMENT));
        SampleTransfer first = sample(1, "a", 10);
        SampleTransfer second = sample(2, "a", 11);
        sender.linkUp(link);
        offerWhole(first);
        offerWhole(second);
        sender.linkDown();
        sender.linkUp(link);
        sender.linkDown();
        sender.linkUp(link);
        OutboundPacket.OfSmall packet = (OutboundPacket.OfSmall) Objects.requireNonNull(one(0));
        assertThat(packet.items()).extracting(SmallItem::manifest).containsExactly(first.manifest());

        message(new HopMessage.Committed(first.key(), List.of()));

        OutboundPacket.OfSmall next = (OutboundPacket.OfSmall) Objects.requireNonNull(one(0));
        assertThat(next.items()).extracting(SmallItem::manifest).containsExactly(second.manifest());
        assertThat(one(0)).isNull();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void smallTransfersOnTheirWayStayWithinTheirWindow() {
        sender = sender(new HopSenderLimits(8, 16, 100, FRAGMENT, 256, 16, 4 * FRAGMENT));
        sender.linkUp(link);
        List<SampleTransfer> samples = new ArrayList<>();
        for (int number = 1; number <= 10; number++) {
            samples.add(sample(number, "f" + number, FRAGMENT));
        }
        samples.forEach(this::offerWhole);
        int sent = 0;
        for (OutboundPacket packet = one(0); packet != null; packet = one(0)) {
            sent += ((OutboundPacket.OfSmall) packet).items().size();
        }
        assertThat(sent).isEqualTo(2);

        message(new HopMessage.Committed(samples.get(0).key(), List.of()));

        assertThat(((OutboundPacket.OfSmall) Objects.requireNonNull(one(0))).items())
                .hasSize(1);
    }

    private List<Commit> commits() {
        return link.take().stream()
                .filter(HopMessage.CommitTransfer.class::isInstance)
                .map(message -> ((HopMessage.CommitTransfer) message).commit())
                .toList();
    }

    @Test
    @Invariant(InvariantName.NO_FORGET)
    void unrequestedCommittedAndCancelledAreIgnored() {
        sender.linkUp(link);
        SampleTransfer sample = sample(1, "a", 3 * FRAGMENT);
        offer(sample);
        available(sample, 0, 3);
        store.told.clear();

        message(new HopMessage.Committed(sample.key(), List.of("s")));
        message(new HopMessage.Cancelled(sample.key()));

        assertThat(store.told).isEmpty();
        assertThat(sender.has(sample.key())).isTrue();
        sender.cancel(sample.key(), "the test is over");
        message(new HopMessage.Cancelled(sample.key()));
        store.run();
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void commitsAreCheckedInPagesAndOtherAnswersIgnored() {
        List<TransferKey> all = new ArrayList<>();
        for (int i = 0; i < HopMessage.Check.MOST_CHECKED + 3; i++) {
            all.add(SampleTransfer.file(PUBLISHER, i + 10, "t", "a", 1, FRAGMENT, i)
                    .key());
        }
        store.toCheck = all;
        sender.linkUp(link);

        assertThat(link.take()).containsExactly(new HopMessage.Check(all.subList(0, HopMessage.Check.MOST_CHECKED)));
        TransferKey unasked = all.get(all.size() - 1);
        message(new HopMessage.Checked(List.of(all.get(0), unasked), List.of(all.get(1), all.get(0))));
        assertThat(store.told).isEmpty();
        assertThat(link.take())
                .containsExactly(new HopMessage.Check(all.subList(HopMessage.Check.MOST_CHECKED, all.size())));
        message(new HopMessage.Checked(List.of(), List.of()));
        assertThat(store.told).containsExactly("checked 1 1");

        message(new HopMessage.Checked(all.subList(0, 9), List.of()));
        assertThat(store.told).as("an answer that nobody asked for").hasSize(1);
    }

    @Test
    @Invariant(InvariantName.ORDER_BY_PATH)
    void commitOfWhatFollowsWaitsUntilTheReceiverHasAnswered() {
        store.toCheck = List.of(sample(9, "a", FRAGMENT).key());
        SampleTransfer follower = sample(10, "a", 2 * FRAGMENT);
        store.followers.add(follower.key());
        sender.linkUp(link);
        offerWhole(follower);
        store.run();
        drain(0);
        assertThat(link.take()).noneMatch(HopMessage.CommitTransfer.class::isInstance);

        message(new HopMessage.Checked(List.of(), List.of()));

        assertThat(link.take()).anyMatch(HopMessage.CommitTransfer.class::isInstance);
    }
}
