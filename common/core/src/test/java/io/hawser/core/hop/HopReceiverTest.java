package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.why.WaitStage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HopReceiverTest {
    private static final int FRAGMENT = 64;
    private static final NodeId PUBLISHER = new NodeId(1, 1);

    private final FakeReceiverStore store = new FakeReceiverStore();
    private final FakeLink link = new FakeLink();
    private final FragmentBufferPool pool = new FragmentBufferPool(4096, 3);
    private final ReceiveMeter meter = new ReceiveMeter();
    private final HopReceiver receiver = new HopReceiver(
            store,
            pool,
            link,
            key -> key.publisher().equals(PUBLISHER),
            4 * FRAGMENT,
            meter,
            SenderAllowance.UNLIMITED);

    @AfterEach
    void afterTheLinkIsLostNothingIsHeld() {
        receiver.linkDown();
        store.run();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    private static SampleTransfer sample(long number, int sizeBytes) {
        return SampleTransfer.file(PUBLISHER, number, "t", "a", sizeBytes, FRAGMENT, number);
    }

    private static PacketHeader packet(SampleTransfer sample, long index, int offset, int length) {
        ByteBuffer bytes = sample.bytesOf(index).slice(offset, length);
        return new PacketHeader(
                sample.key(),
                index,
                offset,
                length,
                sample.fragmentLength(index),
                Crc32c.of(bytes),
                sample.leaves().get((int) index),
                false);
    }

    private static PacketHeader whole(SampleTransfer sample, long index) {
        return packet(sample, index, 0, sample.fragmentLength(index));
    }

    private static PacketHeader again(PacketHeader first) {
        return new PacketHeader(
                first.key(),
                first.index(),
                first.offset(),
                first.length(),
                first.fragmentLength(),
                first.crc32c(),
                first.leaf(),
                true);
    }

    private PacketPlacement.InBuffer into(PacketHeader header) {
        return (PacketPlacement.InBuffer) receiver.place(header);
    }

    private static void write(SampleTransfer sample, PacketHeader header, PacketPlacement.InBuffer into) {
        into.buffer()
                .payload(into.offset(), header.length())
                .put(sample.bytesOf(header.index()).slice(header.offset(), header.length()));
    }

    private void arrives(SampleTransfer sample, PacketHeader header) {
        PacketPlacement.InBuffer into = into(header);
        write(sample, header, into);
        receiver.received(header, into.buffer());
        into.buffer().release();
    }

    private void open(SampleTransfer sample) {
        receiver.on(new HopMessage.Open(sample.manifest(), false));
    }

    private void commit(SampleTransfer sample) {
        receiver.on(new HopMessage.CommitTransfer(sample.key(), sample.commit()));
    }

    private void receivesSmall(boolean resumed, boolean damaged, SampleTransfer... samples) {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        int offset = 0;
        List<SmallItem> items = new ArrayList<>();
        for (SampleTransfer sample : samples) {
            buffer.payload(offset, sample.content().length).put(sample.content());
            if (damaged) {
                buffer.payload(offset, 1).put((byte) ~sample.content()[0]);
            }
            offset += sample.content().length;
            byte[] leaf =
                    sample.fragmentCount() == 0 ? new byte[32] : sample.leaves().get(0);
            items.add(new SmallItem(
                    sample.manifest(), sample.commit(), Crc32c.of(ByteBuffer.wrap(sample.content())), leaf, resumed));
        }
        receiver.received(items, buffer);
        buffer.release();
    }

    // --- the way through

    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void ackIsSentOnlyWhenTheStoreSaysDurable() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        open(sample);
        arrives(sample, whole(sample, 1));
        assertThat(link.take()).isEmpty();

        store.run();

        assertThat(link.take()).containsExactly(FakeLink.ack(sample.key(), 1, 2));
    }

    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void aCommitWaitsForAllFragmentsAndIsAnsweredWhenDurable() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        open(sample);
        commit(sample);
        arrives(sample, whole(sample, 1));
        store.run();
        arrives(sample, whole(sample, 0));
        assertThat(store.asked).doesNotContain("commit");
        link.take();

        store.run();

        assertThat(store.asked).endsWith("commit");
        assertThat(link.take())
                .containsExactly(
                        FakeLink.ack(sample.key(), 0, 1), new HopMessage.Committed(sample.key(), List.of("s")));
    }

    @Test
    void packetsBeforeOpenAreKeptUntilItComes() {
        SampleTransfer sample = sample(1, FRAGMENT);
        arrives(sample, whole(sample, 0));
        assertThat(store.asked).isEmpty();

        open(sample);
        commit(sample);
        store.run();

        assertThat(store.asked).containsExactly("open", "fragment 0", "commit");
        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
    }

    @Test
    void packetsOfOneFragmentMayComeInAnyOrderOnAnyStream() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        PacketHeader first = packet(sample, 0, 0, 20);
        PacketHeader second = packet(sample, 0, 20, 30);
        PacketHeader third = packet(sample, 0, 50, 14);
        PacketPlacement.InBuffer secondPlace = into(second);
        PacketPlacement.InBuffer thirdPlace = into(third);
        write(sample, third, thirdPlace);
        receiver.received(third, thirdPlace.buffer());
        thirdPlace.buffer().release();
        arrives(sample, first);
        write(sample, second, secondPlace);
        receiver.received(second, secondPlace.buffer());
        secondPlace.buffer().release();
        store.run();

        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    // --- resuming

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void resumedTransferIsAnsweredFromTheStore() {
        SampleTransfer sample = sample(1, 4 * FRAGMENT);
        store.stored.put(sample.key(), new StoredTransfer(StoredTransfer.State.OPEN, FragmentRanges.of(1, 3)));

        receiver.on(new HopMessage.Open(sample.manifest(), true));
        assertThat(link.take()).isEmpty();
        store.run();

        assertThat(link.take()).containsExactly(new HopMessage.Resume(sample.key(), FragmentRanges.of(1, 3)));
        assertThat(receiver.place(whole(sample, 2))).isInstanceOf(PacketPlacement.Discard.class);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void committedTransferThatIsAnnouncedAgainIsAnsweredAgain() {
        SampleTransfer sample = sample(1, FRAGMENT);
        store.stored.put(sample.key(), new StoredTransfer(StoredTransfer.State.COMMITTED, FragmentRanges.of(0, 1)));

        receiver.on(new HopMessage.Open(sample.manifest(), true));
        store.run();
        assertThat(link.take())
                .containsExactly(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, Long.MAX_VALUE)));
        commit(sample);
        store.run();

        assertThat(store.asked).containsExactly("lookup", "commit");
        assertThat(link.take()).containsExactly(new HopMessage.Committed(sample.key(), List.of("s")));
    }

    @Test
    void whatWasDroppedHereAsItWasToldIsRefusedAsThat() {
        SampleTransfer sample = sample(1, FRAGMENT);
        store.stored.put(sample.key(), new StoredTransfer(StoredTransfer.State.CANCELLED, new FragmentRanges()));

        receiver.on(new HopMessage.Open(sample.manifest(), true));
        store.run();

        assertThat(refusal()).isEqualTo(ErrorCode.CANCELLED);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void finishedTransferIsRefused() {
        SampleTransfer sample = sample(1, FRAGMENT);
        store.stored.put(sample.key(), new StoredTransfer(StoredTransfer.State.GONE, new FragmentRanges()));

        receiver.on(new HopMessage.Open(sample.manifest(), true));
        store.run();

        assertThat(refusal()).isEqualTo(ErrorCode.ID_USED);
    }

    @Test
    void repeatedOpenIsAnsweredWithWhatIsDurable() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        open(sample);
        arrives(sample, whole(sample, 0));
        store.run();
        link.take();

        open(sample);

        assertThat(link.take()).containsExactly(new HopMessage.Resume(sample.key(), FragmentRanges.of(0, 1)));
        assertThat(store.asked).containsOnlyOnce("open");
    }

    // --- damage and duplicates

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void flippedBitIsNackedAndNeverReachesTheStore() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        PacketHeader header = whole(sample, 0);
        PacketPlacement.InBuffer into = into(header);
        write(sample, header, into);
        into.buffer().payload(5, 1).put((byte) ~sample.content()[5]);
        receiver.received(header, into.buffer());
        into.buffer().release();
        store.run();

        assertThat(link.take()).containsExactly(new HopMessage.Nack(sample.key(), 0));
        assertThat(store.asked).containsExactly("open");
        assertThat(receiver.damagedFragments()).isOne();

        arrives(sample, again(header));
        store.run();
        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void whatIsLateOfAFragmentThatWasAskedForAgainHoldsNoMemory() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        PacketHeader first = packet(sample, 0, 0, 32);
        PacketHeader late = packet(sample, 0, 32, 32);
        PacketPlacement.InBuffer into = into(first);
        write(sample, first, into);
        into.buffer().payload(5, 1).put((byte) ~sample.content()[5]);
        receiver.received(first, into.buffer());
        into.buffer().release();

        assertThat(link.take()).containsExactly(new HopMessage.Nack(sample.key(), 0));
        assertThat(receiver.place(late)).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(pool.available()).isEqualTo(pool.capacity());

        arrives(sample, again(first));
        arrives(sample, again(late));
        store.run();
        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void fragmentThatTheStoreFindsDamagedIsNacked() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        store.refusesFragments = new Refusal(ErrorCode.DIGEST_MISMATCH, "read back wrong");
        arrives(sample, whole(sample, 0));
        store.run();

        assertThat(link.take()).containsExactly(new HopMessage.Nack(sample.key(), 0));
        store.refusesFragments = null;
        arrives(sample, whole(sample, 0));
        store.run();
        assertThat(link.take()).containsExactly(FakeLink.ack(sample.key(), 0, 1));
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void fragmentThatWasDamagedAfterItsAckIsAskedForAndTakenAgain() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        open(sample);
        arrives(sample, whole(sample, 0));
        store.run();
        link.take();

        receiver.reportDamage(sample.key(), 0);
        assertThat(link.take()).containsExactly(new HopMessage.Nack(sample.key(), 0));
        arrives(sample, whole(sample, 0));
        store.run();

        assertThat(link.take()).containsExactly(FakeLink.ack(sample.key(), 0, 1));
    }

    @Test
    void fragmentThatIsHereOrBeingWrittenIsNotTakenAgain() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        arrives(sample, whole(sample, 0));
        assertThat(receiver.place(whole(sample, 0))).isInstanceOf(PacketPlacement.Discard.class);

        store.run();
        link.take();
        assertThat(receiver.place(whole(sample, 0))).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(meter.repeatedBytes(sample.key())).isEqualTo(2 * FRAGMENT);
        assertThat(link.take())
                .as("a relay that had forgotten it could not use the first ack")
                .containsExactly(FakeLink.ack(sample.key(), 0, 1));
    }

    @Test
    void whatACopyHasOvertakenIsCountedOnce() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        arrives(sample, again(whole(sample, 0)));
        assertThat(receiver.place(whole(sample, 0))).isInstanceOf(PacketPlacement.Discard.class);

        assertThat(meter.repeatedBytes(sample.key())).isEqualTo(FRAGMENT);
    }

    @Test
    @Invariant(InvariantName.IMMUTABLE)
    void copyOfBytesThatAStalledStreamIsWritingGoesToMemoryOfItsOwn() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        PacketHeader header = whole(sample, 0);
        PacketPlacement.InBuffer stalled = into(header);

        arrives(sample, whole(sample, 0));
        // The stalled stream wakes up with a damaged byte, while the store still writes.
        stalled.buffer().payload(0, 1).put((byte) ~sample.content()[0]);
        receiver.received(header, stalled.buffer());
        stalled.buffer().release();
        store.run();

        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
        assertThat(link.take()).containsExactly(FakeLink.ack(sample.key(), 0, 1));
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void nothingThatHasArrivedIsLostWhenAFragmentGoesOnInOtherMemory() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        arrives(sample, packet(sample, 0, 0, 20));
        PacketHeader middle = packet(sample, 0, 20, 20);
        PacketPlacement.InBuffer onAnotherStream = into(middle);
        PacketHeader tail = packet(sample, 0, 40, 24);
        PacketPlacement.InBuffer stalled = into(tail);

        arrives(sample, packet(sample, 0, 40, 24)); // a copy: the fragment goes on in other memory
        write(sample, middle, onAnotherStream);
        receiver.received(middle, onAnotherStream.buffer());
        onAnotherStream.buffer().release();
        stalled.buffer().release();
        store.run();

        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void bytesThatWereCheckedAreNotOverwrittenByAStreamThatDies() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        arrives(sample, packet(sample, 0, 0, 20));
        PacketHeader again = whole(sample, 0);
        PacketPlacement.InBuffer lost = into(again);
        lost.buffer().payload(0, 1).put((byte) ~sample.content()[0]);
        receiver.lost(again, lost.buffer());
        lost.buffer().release();

        arrives(sample, packet(sample, 0, 20, 44));
        store.run();
        assertThat(store.fragments.get(0L)).isEqualTo(sample.content());
    }

    @Test
    void packetsThatDisagreeAboutTheFragmentAreRefused() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        arrives(sample, packet(sample, 0, 0, 20));
        PacketHeader header = packet(sample, 0, 20, 20);
        PacketHeader lying =
                new PacketHeader(header.key(), 0, 20, 20, FRAGMENT - 1, header.crc32c(), header.leaf(), false);

        assertThat(receiver.place(lying)).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(refusal()).isEqualTo(ErrorCode.MALFORMED);
    }

    // --- memory

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void packetIsPutOffWhileThePoolIsEmpty() {
        SampleTransfer sample = sample(1, 5 * FRAGMENT);
        open(sample);
        for (int index = 0; index < 3; index++) {
            arrives(sample, packet(sample, index, 0, 10));
        }

        assertThat(receiver.place(whole(sample, 3))).isInstanceOf(PacketPlacement.AwaitMemory.class);
        arrives(sample, packet(sample, 0, 10, 54));
        store.run();
        assertThat(store.fragments).containsKey(0L);
    }

    @Test
    @Invariant(InvariantName.ACCEPT_WHAT_CAN_FINISH)
    void reliefGivesUpAPartialFragmentAndAsksForItAgain() {
        SampleTransfer sample = sample(1, 5 * FRAGMENT);
        open(sample);
        for (int index = 0; index < 3; index++) {
            arrives(sample, packet(sample, index, 0, 10));
        }
        link.take();

        assertThat(receiver.dropPartialFragment()).isTrue();

        assertThat(link.take()).singleElement().isInstanceOf(HopMessage.Nack.class);
        arrives(sample, whole(sample, 3));
        assertThat(pool.available()).isZero();
        store.run();
        assertThat(pool.available()).isOne();
    }

    @Test
    void thereIsNothingToGiveUpWhenNothingIsPartial() {
        assertThat(receiver.dropPartialFragment()).isFalse();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void packetThatIsLostWithItsStreamGivesItsMemoryBack() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        PacketHeader header = whole(sample, 0);
        PacketPlacement.InBuffer into = into(header);

        receiver.lost(header, into.buffer());
        into.buffer().release();

        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    // --- refusals, cancels and what comes too late

    @Test
    void anotherPublishersTransferIsRefused() {
        SampleTransfer sample = SampleTransfer.file(new NodeId(2, 2), 1, "t", "a", FRAGMENT, FRAGMENT, 1);

        open(sample);

        assertThat(refusal()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(receiver.place(whole(sample, 0))).isInstanceOf(PacketPlacement.Discard.class);
        receivesSmall(false, false, sample);
        assertThat(refusal()).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(store.asked).isEmpty();
    }

    /** A later version's publisher learns that this node is too old for the transfer; what it may ignore is let through. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aTransferThatNeedsAnExtensionThatIsNotKnownIsRefused() {
        SampleTransfer large = with(sample(1, 2 * FRAGMENT), new Extension(9, true, new byte[1]));
        SampleTransfer small = with(sample(2, 5), new Extension(9, true, new byte[1]));

        open(large);
        assertThat(refusal()).isEqualTo(ErrorCode.MALFORMED);
        receivesSmall(false, false, small);
        assertThat(refusal()).isEqualTo(ErrorCode.MALFORMED);
        assertThat(store.asked).isEmpty();

        open(with(sample(3, 2 * FRAGMENT), new Extension(9, false, new byte[1])));
        store.run();
        assertThat(store.asked).isNotEmpty();
    }

    private static SampleTransfer with(SampleTransfer sample, Extension extension) {
        Manifest plain = sample.manifest();
        Manifest manifest = new Manifest(
                plain.key(),
                plain.number(),
                plain.topic(),
                plain.kind(),
                plain.name(),
                plain.paths(),
                plain.sizeBytes(),
                plain.fragmentSizeBytes(),
                plain.attributes(),
                List.of(extension));
        return SampleTransfer.of(manifest, sample.content());
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void refusalOfTheStoreFreesMemoryAndLatePacketsAreForgotten() {
        SampleTransfer sample = sample(1, 3 * FRAGMENT);
        store.refuses = new Refusal(ErrorCode.NO_SPACE, "full");
        open(sample);
        arrives(sample, packet(sample, 0, 0, 10));
        store.run();

        assertThat(refusal()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(pool.available()).isEqualTo(pool.capacity());
        assertThat(receiver.place(whole(sample, 1))).isInstanceOf(PacketPlacement.Discard.class);

        store.refuses = null;
        receiver.on(new HopMessage.Open(sample.manifest(), true));
        store.run();
        arrives(sample, whole(sample, 1));
        store.run();
        assertThat(link.take()).contains(FakeLink.ack(sample.key(), 1, 2));
    }

    @Test
    void fragmentLargerThanABufferIsRefused() {
        SampleTransfer sample = SampleTransfer.file(PUBLISHER, 1, "t", "a", 8192, 8192, 1);
        open(sample);

        assertThat(receiver.place(whole(sample, 0))).isInstanceOf(PacketPlacement.Discard.class);

        assertThat(refusal()).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void latePacketsOfACommittedTransferAreForgotten() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        commit(sample);
        arrives(sample, whole(sample, 0));
        store.run();

        assertThat(receiver.place(whole(sample, 0))).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    @Test
    void cancelDropsEverythingAndIsAnsweredWhenItIsDurable() {
        SampleTransfer sample = sample(1, 2 * FRAGMENT);
        open(sample);
        arrives(sample, packet(sample, 0, 0, 10));
        receiver.on(new HopMessage.Cancel(sample.key(), "enough"));
        assertThat(link.take()).isEmpty();
        assertThat(pool.available()).isEqualTo(pool.capacity());

        store.run();

        assertThat(link.take()).containsExactly(new HopMessage.Cancelled(sample.key()));
        assertThat(receiver.place(whole(sample, 1))).isInstanceOf(PacketPlacement.Discard.class);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void smallTransferThatItsCancelOvertookIsNotStored() {
        SampleTransfer sample = sample(1, 10);
        receiver.on(new HopMessage.Cancel(sample.key(), "enough"));
        store.run();
        store.stored.put(sample.key(), new StoredTransfer(StoredTransfer.State.GONE, new FragmentRanges()));
        link.take();

        receivesSmall(false, false, sample);
        store.run();

        assertThat(store.asked).doesNotContain("small 10");
        assertThat(refusal()).isEqualTo(ErrorCode.ID_USED);
    }

    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void nothingOfALostSessionHasAnEffect() {
        SampleTransfer sample = sample(1, FRAGMENT);
        open(sample);
        commit(sample);
        arrives(sample, whole(sample, 0));
        receiver.linkDown();
        link.take();

        store.run();
        open(sample(2, FRAGMENT));
        receivesSmall(false, false, sample(3, 10));
        receiver.on(new HopMessage.Cancel(sample.key(), "late"));
        receiver.receipt(new Receipt(sample.key(), "s", ReceiptStatus.DELIVERED, "", 0));

        assertThat(receiver.place(whole(sample(4, FRAGMENT), 0))).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(link.take()).isEmpty();
        assertThat(store.asked).containsExactly("open", "fragment 0");
    }

    @Test
    void messagesThatOnlyASenderGetsAreIgnored() {
        SampleTransfer sample = sample(1, FRAGMENT);

        receiver.on(new HopMessage.Committed(sample.key(), List.of()));
        receiver.on(FakeLink.ack(sample.key(), 0, 1));
        commit(sample);

        assertThat(link.take()).isEmpty();
        assertThat(store.asked).isEmpty();
    }

    @Test
    void receiptIsSentAndItsAckReachesTheStore() {
        Receipt receipt = new Receipt(sample(1, 1).key(), "s", ReceiptStatus.DELIVERED, "", 0);

        receiver.receipt(receipt);
        receiver.on(new HopMessage.ReceiptAck(receipt.key(), "s", ReceiptStatus.DELIVERED));

        assertThat(link.take()).containsExactly(new HopMessage.ReceiptNotice(receipt));
        assertThat(store.asked).containsExactly("receiptAcked s DELIVERED");
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void creditIsGrantedAtOnceAndCanBeChanged() {
        receiver.credit(17);

        assertThat(link.sent).containsExactly(new HopMessage.Credit(4 * FRAGMENT), new HopMessage.Credit(17));
    }

    // --- small transfers

    @Test
    void smallTransfersAreStoredInOneStepEach() {
        SampleTransfer one = sample(1, 10);
        SampleTransfer empty = sample(2, 0);
        receivesSmall(false, false, one, empty);
        assertThat(link.take()).isEmpty();

        store.run();

        assertThat(store.asked).containsExactly("small 10", "small 0");
        assertThat(link.take())
                .containsExactly(
                        new HopMessage.Committed(one.key(), List.of("s")),
                        new HopMessage.Committed(empty.key(), List.of("s")));
    }

    @Test
    @Invariant(InvariantName.REFUSE_DONT_CORRUPT)
    void damagedSmallTransferIsToBeSentAgain() {
        receivesSmall(false, true, sample(1, 10));

        assertThat(refusal().retriable()).isTrue();
        assertThat(store.asked).isEmpty();
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void resumedSmallTransferIsLookedUpFirst() {
        SampleTransfer committed = sample(1, 10);
        SampleTransfer begun = sample(2, 11);
        SampleTransfer unknown = sample(3, 12);
        store.stored.put(committed.key(), new StoredTransfer(StoredTransfer.State.COMMITTED, FragmentRanges.of(0, 1)));
        store.stored.put(begun.key(), new StoredTransfer(StoredTransfer.State.OPEN, new FragmentRanges()));

        receivesSmall(true, false, committed, begun, unknown);
        store.run();

        assertThat(store.asked)
                .containsExactly("lookup", "lookup", "lookup", "commit", "open", "small 12", "fragment 0", "commit");
        assertThat(link.take()).hasSize(3).allMatch(HopMessage.Committed.class::isInstance);
    }

    /** The sender takes a refusal for a mismatch of the digest as final, and would drop the only good copy. */
    @Test
    @Invariant(InvariantName.NO_FORGET)
    void smallTransferThatIsReadBackWrongIsToBeSentAgain() {
        SampleTransfer begun = sample(1, 10);
        store.stored.put(begun.key(), new StoredTransfer(StoredTransfer.State.OPEN, new FragmentRanges()));
        store.refusesFragments = new Refusal(ErrorCode.DIGEST_MISMATCH, "read back wrong");

        receivesSmall(true, false, begun);
        store.run();

        assertThat(refusal().retriable()).isTrue();
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void smallTransferThatADeadStreamHandsOverLateIsLookedUpFirst() {
        SampleTransfer sample = sample(1, 10);
        receivesSmall(true, false, sample); // sent again on another stream, and faster there
        store.run();
        receivesSmall(false, false, sample(2, 5));
        store.run();
        store.stored.put(sample.key(), new StoredTransfer(StoredTransfer.State.COMMITTED, FragmentRanges.of(0, 1)));

        receivesSmall(false, false, sample);
        store.run();

        assertThat(store.asked).containsExactly("lookup", "small 10", "small 5", "lookup", "commit");
    }

    private ErrorCode refusal() {
        List<HopMessage> sent = link.take();
        assertThat(sent).last().isInstanceOf(HopMessage.Refuse.class);
        return ((HopMessage.Refuse) sent.get(sent.size() - 1)).refusal().code();
    }

    @Test
    void aTransferWaitsForTheLogOrForItsSender() {
        SampleTransfer sample = sample(1, 4 * FRAGMENT);
        SampleTransfer other = sample(2, 4 * FRAGMENT);
        open(sample);
        open(other);
        store.run();
        assertThat(receiver.stage(sample.key())).contains(WaitStage.NO_INPUT);

        arrives(sample, whole(sample, 0));
        assertThat(receiver.stage(sample.key())).contains(WaitStage.LOG);
        assertThat(receiver.stage(other.key())).contains(WaitStage.NO_INPUT);

        arrives(sample, whole(sample, 1));
        assertThat(receiver.stage(other.key()))
                .as("half of the credit is in the log's queue")
                .contains(WaitStage.LOG);

        store.run();
        assertThat(receiver.stage(sample.key())).contains(WaitStage.NO_INPUT);
        assertThat(receiver.manifest(sample.key())).contains(sample.manifest());
        assertThat(receiver.stage(sample(3, FRAGMENT).key())).isEmpty();
    }
}
