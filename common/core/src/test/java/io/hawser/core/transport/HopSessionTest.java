package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.ReceiveMeter;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.hop.SenderStore;
import io.hawser.core.hop.SmallItem;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.SessionCodec;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpHandler;
import io.hawser.ptcp.PtcpPacket;
import io.hawser.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HopSessionTest {
    private final HopSession session =
            new HopSession(new FragmentBufferPool(4096, 1), ignoring(HopSession.Owner.class));
    private final HopSender sender = new HopSender(HopSenderLimits.DEFAULT, ignoring(SenderStore.class));

    @SuppressWarnings("unchecked")
    private static <T> T ignoring(Class<T> type) {
        InvocationHandler ignores = (proxy, method, arguments) -> {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            return method.getReturnType() == int.class ? 1 : null;
        };
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, ignores);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void senderThatIsAttachedAgainSendsOnItsLastHopAlone() throws Exception {
        for (int hop = 1; hop <= 9; hop++) {
            session.attach(hop, sender);
        }
        sender.linkUp(ignoring(HopLink.class));
        SampleTransfer empty = SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 0, 64, 1);
        sender.offer(empty.manifest(), 1, true);
        sender.commit(empty.key(), empty.commit(), 1, null);

        PtcpPacket packet = Objects.requireNonNull(session.nextPacket(ignoring(PtcpSession.class), 0));
        StreamHeader header = StreamHeaderCodec.decode(packet.header(), 0);
        assertThat(header).isInstanceOfSatisfying(StreamHeader.OfSmall.class, small -> assertThat(small.items())
                .hasSize(1));
        assertThat(header.hop()).isEqualTo(9);
        List.of(packet.header(), packet.payload()).forEach(bytes -> bytes.release());
    }

    private static PtcpSession ofAPeer() {
        byte[] greeting = new Greeting(Greeting.Role.AGENT_B, new NodeId(2, 2), 1).encode();
        return (PtcpSession) Proxy.newProxyInstance(
                PtcpSession.class.getClassLoader(), new Class<?>[] {PtcpSession.class}, (proxy, method, arguments) -> {
                    if (method.getReturnType() == long.class) {
                        return 0L;
                    }
                    if (method.getName().equals("loop")) {
                        return theLoop();
                    }
                    return method.getReturnType() == byte[].class ? greeting : null;
                });
    }

    /** The loop, on which the test claims to be. */
    private static EventLoop theLoop() {
        return (EventLoop) Proxy.newProxyInstance(
                EventLoop.class.getClassLoader(),
                new Class<?>[] {EventLoop.class},
                (proxy, method, arguments) -> method.getName().equals("inEventLoop") ? true : null);
    }

    private void arrives(PtcpSession from, HopMessage message) {
        ByteBuf bytes = Unpooled.buffer();
        SessionCodec.encode(bytes, new SessionMessage.OfHop(1, message));
        session.onControl(from, bytes);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void whatAConsumerSaysOfTheEndOfTransfersCountsAsRecords() {
        List<String> counted = new ArrayList<>();
        session.limitBy((SenderAllowance) Proxy.newProxyInstance(
                SenderAllowance.class.getClassLoader(),
                new Class<?>[] {SenderAllowance.class},
                (proxy, method, arguments) -> {
                    counted.add(method.getName());
                    return method.getReturnType() == boolean.class ? false : null;
                }));
        PtcpSession peer = ofAPeer();
        session.onOpen(peer);
        session.attach(1, sender);
        TransferKey key = new TransferKey(new NodeId(1, 1), new TransferId(1, 1));
        arrives(peer, new HopMessage.Ack(key, new FragmentRanges()));
        assertThat(counted).doesNotContain("recordWritten");

        arrives(peer, new HopMessage.ReceiptNotice(new Receipt(key, "s", ReceiptStatus.DELIVERED, "", 0)));
        arrives(peer, new HopMessage.Committed(key, List.of("s"), 0));
        arrives(peer, new HopMessage.Refuse(key, new Refusal(ErrorCode.NO_SPACE, "full")));
        arrives(peer, new HopMessage.Cancelled(key));
        assertThat(counted.stream().filter("recordWritten"::equals)).hasSize(4);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void headerOfAPacketThatWaitsIsDecodedOnce() {
        AtomicBoolean over = new AtomicBoolean(true);
        session.limitBy((SenderAllowance) Proxy.newProxyInstance(
                SenderAllowance.class.getClassLoader(),
                new Class<?>[] {SenderAllowance.class},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class ? over.get() : null));
        PtcpSession peer = ofAPeer();
        session.onOpen(peer);
        SampleTransfer empty = SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 0, 64, 1);
        ByteBuf header = Unpooled.buffer();
        SmallItem item =
                new SmallItem(empty.manifest(), empty.commit(), 0, new byte[TransferDigest.LENGTH_BYTES], false);
        StreamHeaderCodec.encode(header, new StreamHeader.OfSmall(7, List.of(item)));

        assertThat(session.onPacketHeader(peer, 3, header, 0)).isNull();
        header.setZero(0, header.writerIndex()).setIndex(0, header.writerIndex()); // what waits is not read again
        assertThat(session.onPacketHeader(peer, 3, header, 0)).isNull();
        over.set(false);
        assertThat(session.onPacketHeader(peer, 3, header, 0)).isSameAs(PtcpHandler.DISCARD);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void receiverThatAnotherOneReplacesGivesItsMemoryBack() {
        FragmentBufferPool pool = new FragmentBufferPool(64, 1);
        HopSession consumer = new HopSession(pool, ignoring(HopSession.Owner.class));
        PtcpSession peer = ofAPeer();
        consumer.onOpen(peer);
        SampleTransfer file = SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 64, 64, 1);
        HopReceiver first = receiver(pool);
        consumer.attach(1, first);
        int crc = Crc32c.of(ByteBuffer.allocate(32));
        PacketHeader half =
                new PacketHeader(file.key(), 0, 0, 32, 64, crc, new byte[TransferDigest.LENGTH_BYTES], false);
        ByteBuf header = Unpooled.buffer();
        StreamHeaderCodec.encode(header, new StreamHeader.OfFragment(1, half));
        ByteBuf place = Objects.requireNonNull(consumer.onPacketHeader(peer, 3, header, 32));
        place.writeZero(32);
        consumer.onPacket(peer, 3, header, place);
        place.release();
        assertThat(pool.available()).isZero();

        consumer.attach(1, receiver(pool));

        assertThat(pool.available()).isEqualTo(1);
    }

    private static HopReceiver receiver(FragmentBufferPool pool) {
        return new HopReceiver(
                ignoring(ReceiverStore.class),
                pool,
                ignoring(HopLink.class),
                key -> true,
                1 << 20,
                new ReceiveMeter(),
                SenderAllowance.UNLIMITED);
    }

    @Test
    void whatIsNotWantedTakesNoMemory() {
        PtcpSession peer = ofAPeer();
        session.onOpen(peer);
        PacketHeader foreign = new PacketHeader(
                new TransferKey(new NodeId(1, 1), new TransferId(1, 1)),
                0,
                0,
                64 << 20,
                64 << 20,
                0,
                new byte[TransferDigest.LENGTH_BYTES],
                false);
        ByteBuf header = Unpooled.buffer();
        StreamHeaderCodec.encode(header, new StreamHeader.OfFragment(9, foreign));
        assertThat(session.onPacketHeader(peer, 3, header, 64 << 20)).isSameAs(PtcpHandler.DISCARD);
    }
}
