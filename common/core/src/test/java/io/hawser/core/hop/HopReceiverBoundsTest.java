package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a sender that breaks the rules can take of a receiver. */
class HopReceiverBoundsTest {
    private static final int FRAGMENT = 1 << 14;
    private static final int BUFFERS = 16;
    private static final int WINDOW_FRAGMENTS = 8;
    private static final NodeId PUBLISHER = new NodeId(1, 1);
    private static final byte[] LEAF = new byte[32];

    private final FakeReceiverStore store = new FakeReceiverStore();
    private final FakeLink link = new FakeLink();
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT, BUFFERS);
    private final CountingAllowance allowance = new CountingAllowance();
    private final HopReceiver receiver = new HopReceiver(
            store,
            pool,
            link,
            key -> key.publisher().equals(PUBLISHER),
            (long) WINDOW_FRAGMENTS * FRAGMENT,
            new ReceiveMeter(),
            allowance);

    /** Counts what is taken. */
    private static final class CountingAllowance implements SenderAllowance {
        private int buffers;
        private int open;
        private int mostBuffers = Integer.MAX_VALUE;
        private int mostOpen = Integer.MAX_VALUE;
        private int refusals;
        private int mostRefusals = Integer.MAX_VALUE;
        private boolean faulty;
        private boolean overRate;

        @Override
        public boolean tryTakeBuffer() {
            if (buffers >= mostBuffers) {
                return false;
            }
            buffers++;
            return true;
        }

        @Override
        public void giveBuffer() {
            buffers--;
        }

        @Override
        public boolean tryOpen(int places) {
            if (open > mostOpen - places) {
                return false;
            }
            open += places;
            return true;
        }

        @Override
        public void closed(int places) {
            open -= places;
        }

        @Override
        public String openRefusal() {
            return "enough";
        }

        @Override
        public void messageReceived() {}

        @Override
        public void recordWritten() {}

        @Override
        public void refused(int count) {
            refusals += count;
        }

        @Override
        public void sessionEndedForFaults() {
            faulty = true;
        }

        @Override
        public boolean isOverRate() {
            return overRate || refusals >= mostRefusals;
        }
    }

    @AfterEach
    void everythingIsGivenBack() {
        receiver.linkDown();
        store.run();
        assertThat(pool.available()).isEqualTo(pool.capacity());
        assertThat(allowance.buffers).isZero();
        assertThat(allowance.open).isZero();
    }

    private static TransferKey key(long number) {
        return new TransferKey(PUBLISHER, new TransferId(7, number));
    }

    private static PacketHeader packet(TransferKey key, long index, int offset, int length, int crc) {
        return new PacketHeader(key, index, offset, length, FRAGMENT, crc, LEAF, false);
    }

    private static SampleTransfer sample(long number, int fragments) {
        return SampleTransfer.file(PUBLISHER, number, "t", "a", fragments * FRAGMENT, FRAGMENT, number);
    }

    private void open(SampleTransfer sample) {
        receiver.on(new HopMessage.Open(sample.manifest(), false));
    }

    /** A packet of one byte that agrees with its CRC; whether it got memory. */
    private boolean oneByte(TransferKey key, long index, int offset) {
        return arrives(packet(key, index, offset, 1, Crc32c.of(ByteBuffer.allocate(1))));
    }

    private boolean damaged(TransferKey key, long index) {
        return arrives(packet(key, index, 0, 1, ~Crc32c.of(ByteBuffer.allocate(1))));
    }

    private boolean arrives(PacketHeader header) {
        if (!(receiver.place(header) instanceof PacketPlacement.InBuffer into)) {
            return false;
        }
        into.buffer().payload(into.offset(), header.length()).put(new byte[header.length()]);
        receiver.received(header, into.buffer());
        into.buffer().release();
        return true;
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void packetsWithoutOpenTakeAQuarterOfThePoolAtMost() {
        int taken = 0;
        for (int number = 0; number < 1000; number++) {
            taken += oneByte(key(number), 0, 0) ? 1 : 0;
        }

        assertThat(taken).isEqualTo(BUFFERS / 4);
        assertThat(pool.available()).isEqualTo(BUFFERS - BUFFERS / 4);
        assertThat(receiver.place(packet(key(5000), 0, 0, 1, 0)))
                .as("it waits for its OPEN")
                .isInstanceOf(PacketPlacement.AwaitAllowance.class);
    }

    /** A whole fragment of zeros. */
    private void fragment(TransferKey key, long index) {
        arrives(packet(key, index, 0, FRAGMENT, Crc32c.of(ByteBuffer.allocate(FRAGMENT))));
        store.run();
    }

    /** Else a wrong digest, or a disk, would have the same bytes sent for ever. */
    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void fragmentsThatNeverAgreeWithTheirDigestsAreRefusedForNow() {
        SampleTransfer sample = sample(1, 2);
        open(sample);
        store.run();
        store.refusesFragments = new Refusal(ErrorCode.DIGEST_MISMATCH, "read back wrong");
        for (int time = 1; time < HopReceiver.MAX_MISMATCHES; time++) {
            fragment(sample.key(), 0);
        }
        store.refusesFragments = null;
        fragment(sample.key(), 1);
        store.refusesFragments = new Refusal(ErrorCode.DIGEST_MISMATCH, "read back wrong");
        for (int time = 1; time < HopReceiver.MAX_MISMATCHES; time++) {
            fragment(sample.key(), 0);
        }
        assertThat(link.take()).noneMatch(HopMessage.Refuse.class::isInstance);

        fragment(sample.key(), 0);

        assertThat(link.take()).singleElement().isInstanceOfSatisfying(HopMessage.Refuse.class, refused -> {
            assertThat(refused.refusal().code()).isEqualTo(ErrorCode.STORAGE_FAILED);
            assertThat(refused.refusal().detail()).contains("64 of its fragments in a row");
        });
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void gapsAreBoundedOverAllTransfersOfASession() {
        int length = 16;
        int crc = Crc32c.of(ByteBuffer.allocate(length));
        int refused = 0;
        for (int number = 1; number <= 3; number++) {
            TransferKey key = key(number);
            Manifest sample = sample(1, 1).manifest();
            receiver.on(new HopMessage.Open(
                    new Manifest(
                            key,
                            number,
                            sample.topic(),
                            sample.kind(),
                            "a",
                            List.of("a"),
                            30_000L * length,
                            length,
                            Map.of()),
                    false));
            store.run();
            for (int index = 0; index < 30_000; index += 2) {
                arrives(new PacketHeader(key, index, 0, length, length, crc, LEAF, false));
                store.run();
            }
            refused += link.take().stream().anyMatch(HopMessage.Refuse.class::isInstance) ? 1 : 0;
        }

        assertThat(refused).as("those that left too many gaps").isEqualTo(1);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void packetsOfOthersAndOfRefusedTransfersAreReadOnlyAsOftenAsMayBeRefused() {
        TransferKey foreign = new TransferKey(new NodeId(6, 6), new TransferId(7, 1));
        TransferKey cancelled = key(2);
        receiver.on(new HopMessage.Cancel(cancelled, "gone"));
        store.run();
        allowance.mostRefusals = 10;
        for (int i = 0; i < 10; i++) {
            assertThat(receiver.place(packet(i % 2 == 0 ? foreign : cancelled, 0, 0, 1, 0)))
                    .isInstanceOf(PacketPlacement.Discard.class);
        }
        for (TransferKey key : List.of(foreign, cancelled)) {
            assertThat(receiver.place(packet(key, 0, 0, 1, 0))).isInstanceOf(PacketPlacement.AwaitAllowance.class);
        }
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void smallTransfersWithoutTheRightAreReadOnlyAsOftenAsMayBeRefused() {
        store.mayNot = new Refusal(ErrorCode.NOT_ALLOWED, "no right");
        allowance.mostRefusals = 0;
        SampleTransfer sample = sample(1, 1);
        SmallItem item = new SmallItem(sample.manifest(), sample.commit(), 0, LEAF, false);

        assertThat(receiver.place(List.of(item))).isInstanceOf(PacketPlacement.AwaitAllowance.class);
        assertThat(link.take()).isEmpty();
    }

    @Test
    void anObjectThatIsTooLargeIsRefusedBeforeTheStoreIsAsked() {
        Manifest sample = sample(1, 1).manifest();
        Manifest huge = new Manifest(
                sample.key(),
                1,
                sample.topic(),
                sample.kind(),
                sample.name(),
                sample.paths(),
                Long.MAX_VALUE,
                FRAGMENT,
                sample.attributes());

        receiver.on(new HopMessage.Open(huge, true));

        assertThat(store.asked).isEmpty();
        assertThat(link.take()).singleElement().isInstanceOfSatisfying(HopMessage.Refuse.class, refuse -> assertThat(
                        refuse.refusal().code())
                .isEqualTo(ErrorCode.TOO_LARGE));
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void whatIsRefusedOrRepeatedCountsAsSuch() {
        SampleTransfer sample = sample(1, 4);
        open(sample);
        int before = allowance.refusals;

        open(sample);
        assertThat(allowance.refusals).as("a repeated OPEN").isEqualTo(before + 1);
        PacketHeader tooLarge = new PacketHeader(sample.key(), 0, 0, 1, 2 * FRAGMENT, 0, LEAF, false);
        assertThat(receiver.place(tooLarge)).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(allowance.refusals).as("a fragment that is too large").isEqualTo(before + 2);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void packetThatWaitsForOpenIsTakenWhenOpenHasCome() {
        for (int number = 0; number < BUFFERS / 4; number++) {
            oneByte(key(number), 0, 0);
        }
        SampleTransfer honest = sample(77, 1);
        PacketHeader whole = new PacketHeader(
                honest.key(),
                0,
                0,
                FRAGMENT,
                FRAGMENT,
                Crc32c.of(honest.bytesOf(0)),
                honest.leaves().get(0),
                false);
        assertThat(receiver.place(whole)).isInstanceOf(PacketPlacement.AwaitAllowance.class);

        open(honest);

        PacketPlacement.InBuffer into = (PacketPlacement.InBuffer) receiver.place(whole);
        into.buffer().payload(0, FRAGMENT).put(honest.bytesOf(0));
        receiver.received(whole, into.buffer());
        into.buffer().release();
        store.run();
        assertThat(store.fragments.get(0L)).isEqualTo(honest.content());
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void packetsWhoseOpenDoesNotComeAreGivenUpAndAskedForAgain() {
        oneByte(key(1), 3, 0);
        link.take();
        for (int tick = 0; tick <= EarlyPackets.MAX_WAIT_TICKS; tick++) {
            receiver.tick();
        }

        assertThat(pool.available()).isEqualTo(BUFFERS);
        assertThat(link.take()).containsExactly(new HopMessage.Nack(key(1), 3));
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void damagedPacketsEndTheSessionAndLeaveNothingBehind() {
        int taken = 0;
        for (int number = 0; number < 1000; number++) {
            taken += damaged(key(number), number) ? 1 : 0;
        }

        assertThat(link.ended).contains("64 packets in a minute");
        assertThat(allowance.faulty).isTrue();
        assertThat(taken).isEqualTo(InvalidPacketLimit.MAX_FAULTS_PER_MINUTE + 1);
        assertThat(pool.available()).isEqualTo(BUFFERS);
    }

    @Test
    void damageNowAndThenEndsNoSession() {
        for (int number = 0; number < 1000; number++) {
            damaged(key(number), number);
            for (int tick = 0; tick < 20; tick++) {
                receiver.tick();
            }
        }
        assertThat(link.ended).isNull();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void damagedSmallTransfersEndTheSession() {
        SampleTransfer sample = sample(1, 1);
        for (int number = 0; number < 100; number++) {
            SmallItem item = new SmallItem(sample.manifest(), sample.commit(), 1234, LEAF, false);
            if (receiver.place(List.of(item)) instanceof PacketPlacement.InBuffer into) {
                receiver.received(List.of(item), into.buffer());
                into.buffer().release();
            }
        }
        assertThat(link.ended).isNotNull();
        assertThat(store.asked).isEmpty();
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void fragmentInTooManyPiecesIsRefused() {
        SampleTransfer sample = sample(1, 1);
        open(sample);
        store.run();
        link.take();
        for (int offset = 0; offset < FRAGMENT; offset += 2) {
            oneByte(sample.key(), 0, offset);
        }

        assertThat(link.take()).singleElement().isInstanceOfSatisfying(HopMessage.Refuse.class, refuse -> assertThat(
                        refuse.refusal().detail())
                .contains("in more than 4096 pieces"));
        assertThat(pool.available()).isEqualTo(BUFFERS);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void nothingIsTakenBeyondTheCredit() {
        SampleTransfer sample = sample(1, 100);
        open(sample);
        int taken = 0;
        for (int index = 0; index < 100; index++) {
            taken += oneByte(sample.key(), index, 0) ? 1 : 0;
        }
        assertThat(taken).isEqualTo(WINDOW_FRAGMENTS);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void shareOfThePrincipalBoundsFragmentsAndSmallTransfersTogether() {
        allowance.mostBuffers = 3;
        SampleTransfer sample = sample(1, 100);
        open(sample);
        SmallItem item = new SmallItem(sample(2, 1).manifest(), sample(2, 1).commit(), 0, LEAF, false);
        PacketPlacement small = receiver.place(List.of(item));
        int taken = 0;
        for (int index = 0; index < 100; index++) {
            taken += oneByte(sample.key(), index, 0) ? 1 : 0;
        }

        assertThat(taken).isEqualTo(2);
        assertThat(receiver.place(List.of(item))).isInstanceOf(PacketPlacement.AwaitAllowance.class);

        ((PacketPlacement.InBuffer) small).buffer().release();
        receiver.smallsLost();
        assertThat(oneByte(sample.key(), 50, 0)).isTrue();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void smallTransferWithoutTheRightIsRefusedBeforeItTakesABuffer() {
        store.mayNot = new Refusal(ErrorCode.NOT_ALLOWED, "no right");
        SampleTransfer sample = sample(1, 1);
        SmallItem item = new SmallItem(sample.manifest(), sample.commit(), 0, LEAF, false);

        assertThat(receiver.place(List.of(item))).isInstanceOf(PacketPlacement.Discard.class);
        assertThat(link.take()).containsExactly(new HopMessage.Refuse(sample.key(), refusal()));
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void transferWithoutTheRightIsRefusedBeforeTheStoreIsAsked() {
        store.mayNot = new Refusal(ErrorCode.NOT_ALLOWED, "no right");
        Manifest manifest = sample(1, 1).manifest();
        oneByte(manifest.key(), 0, 0);

        receiver.on(new HopMessage.Open(manifest, true));

        assertThat(store.asked).isEmpty();
        assertThat(pool.available()).isEqualTo(BUFFERS);
        assertThat(link.take()).containsExactly(new HopMessage.Refuse(manifest.key(), refusal()));
    }

    private static Refusal refusal() {
        return new Refusal(ErrorCode.NOT_ALLOWED, "no right");
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void openTransferBeyondTheLimitIsRefusedForNow() {
        allowance.mostOpen = 2;
        open(sample(1, 1));
        open(sample(2, 1));
        link.take();
        open(sample(3, 1));

        assertThat(link.take())
                .containsExactly(new HopMessage.Refuse(sample(3, 1).key(), new Refusal(ErrorCode.NO_SPACE, "enough")));
        receiver.on(new HopMessage.Cancel(sample(1, 1).key(), "no longer wanted"));
        open(sample(3, 1));
        assertThat(link.take()).noneMatch(HopMessage.Refuse.class::isInstance);
    }

    @Test
    void packetsOfASenderThatIsTooFastWait() {
        SampleTransfer sample = sample(1, 1);
        open(sample);
        allowance.overRate = true;
        assertThat(oneByte(sample.key(), 0, 0)).isFalse();
        allowance.overRate = false;
        assertThat(oneByte(sample.key(), 0, 0)).isTrue();
    }

    @Test
    void streamsThatAreStuckInOldMemoryKeepItsPlaceInTheShare() {
        SampleTransfer sample = sample(1, 1);
        open(sample);
        List<FragmentBuffer> stuck = new ArrayList<>();
        PacketHeader whole = new PacketHeader(
                sample.key(),
                0,
                0,
                FRAGMENT,
                FRAGMENT,
                Crc32c.of(sample.bytesOf(0)),
                sample.leaves().get(0),
                false);
        PacketPlacement.InBuffer first = (PacketPlacement.InBuffer) receiver.place(whole);
        stuck.add(first.buffer());
        PacketPlacement.InBuffer copy = (PacketPlacement.InBuffer) receiver.place(whole);
        assertThat(allowance.buffers).isEqualTo(2);
        copy.buffer().payload(0, FRAGMENT).put(sample.bytesOf(0));
        receiver.received(whole, copy.buffer());
        copy.buffer().release();
        store.run();
        assertThat(allowance.buffers).as("the stuck stream's").isEqualTo(1);

        FragmentBuffer old = stuck.get(0);
        receiver.lost(whole, old);
        old.release();
        assertThat(allowance.buffers).isZero();
    }

    @Test
    @Invariant({InvariantName.AUTHORISED_BEFORE_MEMORY, InvariantName.REFUSE_DONT_CORRUPT})
    void fragmentsBeyondTheAnnouncedSizeAreRefused() {
        SampleTransfer sample = sized(1, 2);
        open(sample);
        store.run();

        assertThat(arrives(packet(sample.key(), 2, 0, FRAGMENT, Crc32c.of(ByteBuffer.allocate(FRAGMENT)))))
                .isFalse();
        assertThat(refusals()).containsExactly(ErrorCode.MALFORMED);
        store.run();
        assertThat(store.fragments).isEmpty();
    }

    @Test
    @Invariant({InvariantName.AUTHORISED_BEFORE_MEMORY, InvariantName.REFUSE_DONT_CORRUPT})
    void earlyFragmentsBeyondTheAnnouncedSizeAreRefusedWithTheirOpen() {
        SampleTransfer sample = sized(1, 2);
        assertThat(arrives(packet(sample.key(), 7, 0, FRAGMENT, Crc32c.of(ByteBuffer.allocate(FRAGMENT)))))
                .isTrue();
        open(sample);
        store.run();

        assertThat(refusals()).containsExactly(ErrorCode.MALFORMED);
        assertThat(store.fragments).isEmpty();
    }

    @Test
    @Invariant({InvariantName.REFUSE_DONT_CORRUPT, InvariantName.HONEST_ANSWERS})
    void commitThatDoesNotAgreeWithTheManifestIsRefused() {
        SampleTransfer announced = sized(1, 2);
        SampleTransfer other = sized(1, 1);
        open(announced);
        assertThat(arrives(packet(announced.key(), 0, 0, FRAGMENT, Crc32c.of(ByteBuffer.allocate(FRAGMENT)))))
                .isTrue();
        receiver.on(new HopMessage.CommitTransfer(announced.key(), other.commit()));
        store.run();

        assertThat(refusals()).containsExactly(ErrorCode.MALFORMED);
    }

    /** One whose size is known before the commit. */
    private static SampleTransfer sized(long number, int fragments) {
        SampleTransfer of = sample(number, fragments);
        Manifest manifest = of.manifest();
        return SampleTransfer.of(
                new Manifest(
                        manifest.key(),
                        manifest.number(),
                        manifest.topic(),
                        manifest.kind(),
                        manifest.name(),
                        manifest.paths(),
                        of.content().length,
                        FRAGMENT,
                        manifest.attributes()),
                of.content());
    }

    private List<ErrorCode> refusals() {
        List<ErrorCode> codes = new ArrayList<>();
        for (HopMessage message : link.sent) {
            if (message instanceof HopMessage.Refuse refuse) {
                codes.add(refuse.refusal().code());
            }
        }
        return codes;
    }
}
