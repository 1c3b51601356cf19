package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.session.JoinProof;
import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What acceptors and diallers do with peers that break the rules, or that are something else. */
class PtcpHandshakeTest {
    private static final ControlFrame HELLO = new ControlFrame.Hello(1, 1, 2, 300, 5000, 0, ByteString.EMPTY);

    private final TestNet net = new TestNet("epoll");

    @AfterEach
    void close() {
        net.close();
    }

    @Test
    void wrongProofIsRefusedAndUsesNoNumberUp() throws Exception {
        InetSocketAddress address = net.listen(TestNet.streams(2)).localAddress();
        try (RawPeer control = new RawPeer(address);
                RawPeer wrong = new RawPeer(address);
                RawPeer right = new RawPeer(address);
                RawPeer again = new RawPeer(address)) {
            control.send(HELLO);
            ControlFrame.Welcome welcome = (ControlFrame.Welcome) control.read();
            ByteString random = ByteString.of(new byte[ControlFrameCodec.RANDOM_BYTES]);
            JoinProof proof = new JoinProof(welcome.joinSecret(), welcome.sessionId());

            wrong.send(new ControlFrame.Join(
                    welcome.sessionId(), 0, random, ByteString.of(new byte[ControlFrameCodec.PROOF_BYTES])));
            assertRefused(wrong, PtcpErrorCode.JOIN_REFUSED);
            ControlFrame join = new ControlFrame.Join(welcome.sessionId(), 0, random, proof.ofDialler(0, random));
            right.send(join);
            assertThat(right.read()).isEqualTo(new ControlFrame.Joined(0, proof.ofAcceptor(0, random)));
            again.send(join);
            assertRefused(again, PtcpErrorCode.JOIN_REFUSED);
        }
    }

    /** A loop that ends does not close a channel that it gets in its last turn: who ends it gives its dials up first. */
    @Test
    void dialThatIsGivenUpLeavesNothingOpen() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            RecordingHandler handler = new RecordingHandler();
            Future<PtcpSession> dial = new PtcpDialler()
                    .connect(
                            net.diallers,
                            (InetSocketAddress) mute.getLocalSocketAddress(),
                            TestNet.utf8("dialler"),
                            TestNet.streams(2),
                            handler);
            try (RawPeer accepted = new RawPeer(mute.accept())) {
                assertThat(accepted.read()).isInstanceOf(ControlFrame.Hello.class);

                dial.cancel(false);

                assertThat(accepted.isClosedByPeer()).isTrue();
            }
            assertThat(handler.events).isEmpty();
        }
    }

    @Test
    void dialThatIsGivenUpBeforeItStartsConnectsToNobody() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EventLoop loop = net.diallers.next();
            loop.submit(() -> new PtcpDialler()
                            .connect(
                                    net.diallers,
                                    (InetSocketAddress) listening.getLocalSocketAddress(),
                                    TestNet.utf8("dialler"),
                                    TestNet.streams(2),
                                    new RecordingHandler())
                            .cancel(false))
                    .sync();
            loop.submit(() -> {}).sync(); // behind the start

            listening.setSoTimeout(1);
            assertThatThrownBy(listening::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void unknownSessionCannotBeJoined() throws Exception {
        InetSocketAddress address = net.listen(TestNet.streams(2)).localAddress();
        try (RawPeer peer = new RawPeer(address)) {
            peer.send(new ControlFrame.Join(
                    1,
                    0,
                    ByteString.of(new byte[ControlFrameCodec.RANDOM_BYTES]),
                    ByteString.of(new byte[ControlFrameCodec.PROOF_BYTES])));
            assertRefused(peer, PtcpErrorCode.JOIN_REFUSED);
        }
    }

    @Test
    void acceptorOfAnotherVersionIsTold() throws Exception {
        InetSocketAddress address = net.listen(TestNet.streams(2)).localAddress();
        try (RawPeer peer = new RawPeer(address)) {
            peer.send(new ControlFrame.Hello(2, 9, 2, 300, 5000, 0, ByteString.EMPTY));
            assertRefused(peer, PtcpErrorCode.VERSION);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "abcd",
                "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3 and then some more that nobody wants to read"
            })
    void garbageIsRefusedAtItsFirstBytes(String garbage) throws Exception {
        InetSocketAddress address = net.listen(TestNet.streams(2)).localAddress();
        try (RawPeer peer = new RawPeer(address)) {
            peer.send(TestNet.utf8(garbage));
            assertRefused(peer, PtcpErrorCode.PROTOCOL);
        }
    }

    @Test
    void frameThatIsTooLongOrDamagedIsRefused() throws Exception {
        InetSocketAddress address = net.listen(TestNet.streams(2)).localAddress();
        byte[] hello = RawPeer.bytesOf(HELLO);
        for (int position = 0; position < hello.length; position++) {
            byte[] damaged = hello.clone();
            damaged[position] ^= 0x40;
            try (RawPeer peer = new RawPeer(address)) {
                peer.send(damaged);
                assertRefused(peer, PtcpErrorCode.PROTOCOL);
            }
        }
        assertThat(net.accepted).isEmpty();
    }

    @Test
    void anAcceptorThatAnswersLaterIsAskedAgainOrRefuses() throws Exception {
        List<CompletableFuture<String>> asked = new CopyOnWriteArrayList<>();
        InetSocketAddress address = net.listen(TestNet.streams(1), (greeting, principal, remote) -> {
                    if (asked.stream().anyMatch(CompletableFuture::isDone)) {
                        return new SessionAdmission.Accepted(new byte[0], new RecordingHandler());
                    }
                    asked.add(new CompletableFuture<>());
                    return new SessionAdmission.Later(asked.get(asked.size() - 1));
                })
                .localAddress();
        try (RawPeer refused = new RawPeer(address);
                RawPeer hasty = new RawPeer(address);
                RawPeer patient = new RawPeer(address)) {
            refused.send(HELLO);
            await().until(() -> asked.size() == 1);
            hasty.send(HELLO);
            await().until(() -> asked.size() == 2);
            patient.send(HELLO);
            await().until(() -> asked.size() == 3);
            hasty.send(HELLO); // it may not speak before it is answered
            assertRefused(hasty, PtcpErrorCode.PROTOCOL);

            asked.get(0).complete("the disk is full");
            assertRefused(refused, PtcpErrorCode.GREETING_REFUSED);
            asked.get(1).complete("");
            asked.get(2).complete("");
            assertThat(patient.read()).isInstanceOf(ControlFrame.Welcome.class);
        }
    }

    @Test
    void randomBytesNeverMakeASession() throws Exception {
        InetSocketAddress address = net.listen(TestNet.impatient(1)).localAddress();
        Random random = new Random(42);
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[1 + random.nextInt(2000)];
            random.nextBytes(bytes);
            try (RawPeer peer = new RawPeer(address)) {
                peer.send(bytes);
            }
        }
        RecordingHandler near = new RecordingHandler();
        net.dial(address, TestNet.impatient(1), near);
        net.firstAccepted();
        assertThat(net.accepted).hasSize(1);
    }

    @Test
    void connectionThatSaysNothingIsClosed() throws Exception {
        InetSocketAddress address = net.listen(TestNet.impatient(1)).localAddress();
        try (RawPeer peer = new RawPeer(address)) {
            assertThat(peer.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void sessionWithoutDataChannelsIsGivenUp() throws Exception {
        InetSocketAddress address = net.listen(TestNet.impatient(1)).localAddress();
        try (RawPeer peer = new RawPeer(address)) {
            peer.send(HELLO);
            assertThat(peer.read()).isInstanceOf(ControlFrame.Welcome.class);
            ControlFrame last = peer.read();
            assertThat(last).isInstanceOfSatisfying(ControlFrame.Close.class, close -> assertThat(close.code())
                    .isEqualTo(PtcpErrorCode.TIMEOUT.code()));
        }
        assertThat(net.accepted.get(0).events).isEmpty();
    }

    @Test
    void silentConnectionsAreBoundedInNumber() throws Exception {
        InetSocketAddress address = net.listen(TestNet.streams(1)).localAddress();
        List<RawPeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 256; i++) {
                peers.add(new RawPeer(address));
            }
            try (RawPeer oneTooMany = new RawPeer(address)) {
                assertThat(oneTooMany.isClosedByPeer()).isTrue();
            }
        } finally {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
        await().untilAsserted(() -> net.dial(address, TestNet.streams(1), new RecordingHandler()));
    }

    @Test
    void refusalOfTheGreetingReachesTheDialler() throws Exception {
        PtcpServer server = net.listen(
                TestNet.streams(1),
                (greeting, principal, remote) -> new SessionAdmission.Refused("node 7 is not in the list of nodes"));

        PtcpException refusal = net.refusal(server.localAddress(), TestNet.streams(1));

        assertThat(refusal.code()).isEqualTo(PtcpErrorCode.GREETING_REFUSED);
        assertThat(refusal).hasMessageEndingWith("refused: node 7 is not in the list of nodes");
    }

    @Test
    void defectOfTheAcceptorIsToldAndHurtsNobodyElse() throws Exception {
        PtcpServer server = net.listen(TestNet.streams(1), (greeting, principal, remote) -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(net.refusal(server.localAddress(), TestNet.streams(1)).code())
                .isEqualTo(PtcpErrorCode.INTERNAL);
        assertThat(net.refusal(server.localAddress(), TestNet.streams(1)).code())
                .isEqualTo(PtcpErrorCode.INTERNAL);
    }

    @Test
    void diallerSaysWhatIsWrongWithTheAddress() throws Exception {
        InetSocketAddress free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        assertThat(net.refusal(free, TestNet.streams(1)))
                .hasMessageContaining("connection refused by")
                .hasMessageContaining("is a broker listening there?");
        assertThat(net.refusal(InetSocketAddress.createUnresolved("no-such-host.invalid", 1), TestNet.streams(1)))
                .hasMessage("the host name of no-such-host.invalid:1 is not known: check its spelling");
    }

    @Test
    void diallerSaysWhatAnswersInsteadOfPtcp() throws Exception {
        PtcpException ftp = refusalBy("220 ftp.example ready\r\n");
        assertThat(ftp.code()).isEqualTo(PtcpErrorCode.PROTOCOL);
        assertThat(ftp).hasMessageContaining("does not speak PTCP (it said \"220 ");
        PtcpException closed = refusalBy("");
        assertThat(closed.code()).isEqualTo(PtcpErrorCode.CONNECTION_LOST);
        assertThat(closed).hasMessageContaining("closed the connection before it answered");
    }

    @Test
    void portThatNeverAnswersIsGivenUp() throws Exception {
        PtcpException silent = refusalBy(null);
        assertThat(silent.code()).isEqualTo(PtcpErrorCode.TIMEOUT);
        assertThat(silent).hasMessageContaining("did not answer in time");
    }

    @Test
    void portInUseIsTold() throws Exception {
        PtcpServer server = net.listen(TestNet.streams(1));
        assertThatThrownBy(() -> PtcpServer.listen(
                        net.servers,
                        server.localAddress(),
                        TestNet.streams(1),
                        (greeting, principal, remote) -> new SessionAdmission.Refused("")))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:")
                .hasMessageEndingWith("Address already in use: does another process use the port?");
    }

    @Test
    void anAddressOfAnotherMachineIsTold() {
        assertThatThrownBy(() -> PtcpServer.listen(
                        net.servers,
                        new InetSocketAddress("192.0.2.77", 0),
                        TestNet.streams(1),
                        (greeting, principal, remote) -> new SessionAdmission.Refused("")))
                .isInstanceOf(PtcpException.class)
                .hasMessage(
                        "cannot listen on 192.0.2.77:0: Cannot assign requested address: this machine does not have it");
    }

    /** Dials a port that says {@code text}, or nothing at all for null. */
    private PtcpException refusalBy(@Nullable String text) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answer(listening, text), "test-foreign-port");
            thread.setDaemon(true);
            thread.start();
            return net.refusal((InetSocketAddress) listening.getLocalSocketAddress(), TestNet.impatient(1));
        }
    }

    private static void answer(ServerSocket listening, @Nullable String text) {
        try (RawPeer peer = new RawPeer(listening.accept())) {
            if (text == null) {
                peer.drain();
            } else {
                peer.read();
                peer.send(TestNet.utf8(text));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertRefused(RawPeer peer, PtcpErrorCode code) throws IOException {
        assertThat(peer.read()).isInstanceOfSatisfying(ControlFrame.Refused.class, refused -> assertThat(
                        PtcpErrorCode.of(refused.code()))
                .isEqualTo(code));
        assertThat(peer.isClosedByPeer()).isTrue();
    }
}
