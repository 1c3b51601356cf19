package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.session.JoinProof;
import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.hawser.ptcp.wire.PacketCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that has joined as it should and breaks the format then. */
class PtcpBrokenPeerTest {
    private static final ByteString RANDOM = ByteString.of(new byte[ControlFrameCodec.RANDOM_BYTES]);

    private @Nullable TestNet opened;
    private InetSocketAddress address = TestNet.ANY_PORT;

    private TestNet net() {
        return Objects.requireNonNull(opened);
    }

    @AfterEach
    void close() {
        net().close();
    }

    /** A dialler that is written by hand, with an open session of one stream. */
    private final class Dialled implements AutoCloseable {
        final RawPeer control = new RawPeer(address);
        final RawPeer data = new RawPeer(address);
        final JoinProof proof;
        final long sessionId;

        Dialled() throws IOException {
            control.send(new ControlFrame.Hello(1, 1, 1, 60_000, 60_000, 0, ByteString.EMPTY));
            ControlFrame.Welcome welcome = (ControlFrame.Welcome) control.read();
            sessionId = welcome.sessionId();
            proof = new JoinProof(welcome.joinSecret(), sessionId);
            join(data, 0);
            assertThat(data.read()).isInstanceOf(ControlFrame.Joined.class);
            control.send(new ControlFrame.Ready());
        }

        void join(RawPeer peer, int stream) throws IOException {
            peer.send(new ControlFrame.Join(sessionId, stream, RANDOM, proof.ofDialler(stream, RANDOM)));
        }

        ControlFrame readPastPings() throws IOException {
            ControlFrame frame = control.read();
            while (frame instanceof ControlFrame.Ping) {
                frame = control.read();
            }
            return frame;
        }

        @Override
        public void close() throws IOException {
            control.close();
            data.close();
        }
    }

    private void listen(String transport) throws Exception {
        opened = new TestNet(transport);
        address = net().listen(TestNet.streams(1)).localAddress();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void damagedPacketCostsItsStreamAndNotTheSession(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled();
                RawPeer next = new RawPeer(address)) {
            RecordingHandler far = net().firstAccepted();
            peer.data.send(packet("good", 3));
            peer.data.send(new byte[3]);
            byte[] damaged = packet("bad", 3);
            damaged[20] ^= 1;
            peer.data.send(damaged);

            assertThat(peer.readPastPings()).isEqualTo(new ControlFrame.Lost(0));
            assertThat(peer.data.isClosedByPeer()).isTrue();
            peer.join(next, 1);
            assertThat(next.read()).isInstanceOf(ControlFrame.Joined.class);
            next.send(packet("again", 0));
            await().until(() -> far.headers.equals(List.of("good", "again")));
            assertThat(far.lost).containsExactly(0);
            assertThat(far.closed).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void streamThatDiesInsideAPacketGivesTheMemoryBack(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled()) {
            RecordingHandler far = net().firstAccepted();
            peer.data.send(packet("half", 1000));
            peer.data.send(new byte[500]);
            await().until(() -> far.asked.get() == 1);
            peer.data.close();
            await().until(() -> far.lost.equals(List.of(0)));
            assertThat(far.payloads).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void longHeaderThatComesByteByByteIsRead(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled()) {
            RecordingHandler far = net().firstAccepted();
            String header = "h".repeat(300);
            for (byte b : packet(header, 1)) {
                peer.data.send(new byte[] {b});
            }
            peer.data.send(new byte[] {9});
            await().until(() -> far.headers.equals(List.of(header)));
            assertThat(far.payloads.get(0)).containsExactly(9);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void garbageOnTheCommunicationChannelEndsTheSession(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled()) {
            RecordingHandler far = net().firstAccepted();
            byte[] garbage = new byte[1000];
            new Random(1).nextBytes(garbage);
            peer.control.send(garbage);

            assertThat(peer.readPastPings())
                    .isInstanceOfSatisfying(ControlFrame.Close.class, close -> assertThat(close.code())
                            .isEqualTo(PtcpErrorCode.PROTOCOL.code()));
            assertThat(peer.control.isClosedByPeer()).isTrue();
            await().untilAsserted(() -> assertThat(far.closed().code()).isEqualTo(PtcpErrorCode.PROTOCOL));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void frameThatBelongsElsewhereEndsTheSession(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled()) {
            peer.control.send(new ControlFrame.Ready());
            assertThat(peer.readPastPings())
                    .isInstanceOfSatisfying(ControlFrame.Close.class, close -> assertThat(close.sentence())
                            .isEqualTo("a Ready frame came when it could not"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void bytesBehindTheEndOfAStreamCostTheStream(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled()) {
            ByteBuf end = PacketCodec.encodeEnd(UnpooledByteBufAllocator.DEFAULT);
            peer.data.send(ByteBufUtil.getBytes(end));
            end.release();
            peer.data.send(packet("late", 0));
            assertThat(peer.readPastPings()).isEqualTo(new ControlFrame.Lost(0));
            assertThat(net().firstAccepted().headers).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void sessionHasNoMoreStreamsThanItAskedFor(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled();
                RawPeer successor = new RawPeer(address);
                RawPeer oneTooMany = new RawPeer(address)) {
            // One more than it asked for may live while its predecessor's death is not known yet.
            peer.join(successor, 1);
            assertThat(successor.read()).isInstanceOf(ControlFrame.Joined.class);
            peer.join(oneTooMany, 2);
            assertThat(oneTooMany.read())
                    .isInstanceOfSatisfying(ControlFrame.Refused.class, refused -> assertThat(refused.code())
                            .isEqualTo(PtcpErrorCode.TOO_MANY.code()));
        }
    }

    private static byte[] packet(String header, int payloadLength) {
        ByteBuf encoded = PacketCodec.encode(
                Unpooled.wrappedBuffer(TestNet.utf8(header)), payloadLength, UnpooledByteBufAllocator.DEFAULT);
        try {
            return ByteBufUtil.getBytes(encoded);
        } finally {
            encoded.release();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void peerThatDoesNotReadItsAnswersLosesItsSession(String transport) throws Exception {
        listen(transport);
        try (Dialled peer = new Dialled()) {
            RecordingHandler far = net().firstAccepted();
            byte[] ping = RawPeer.bytesOf(new ControlFrame.Ping(1, List.of()));
            byte[] pings = new byte[1000 * ping.length];
            for (int i = 0; i < pings.length; i += ping.length) {
                System.arraycopy(ping, 0, pings, i, ping.length);
            }
            try {
                while (far.closed == null) {
                    peer.control.send(pings);
                }
            } catch (IOException closedByTheServer) {
                assertThat(closedByTheServer).isNotNull();
            }
            await().untilAsserted(() -> assertThat(far.closed().getMessage()).contains("does not read"));
        }
    }
}
