package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestProxy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session does when its connections die, and when its user has no memory. */
class PtcpFaultTest {
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void dataChannelThatDiesIsToldAndReplaced(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.streams(3)).localAddress())) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(proxy.address(), TestNet.streams(3), near);
            RecordingHandler far = net.firstAccepted();
            await().until(() -> session.liveStreams() == 3);

            proxy.links.get(2).cut();

            await().untilAsserted(() -> {
                assertThat(near.lost).hasSize(1);
                assertThat(far.lost).isEqualTo(near.lost);
                assertThat(session.liveStreams()).isEqualTo(3);
                assertThat(far.session().liveStreams()).isEqualTo(3);
                assertThat(session.traffic().streamsReplaced()).isEqualTo(1);
            });
            near.send(TestNet.utf8("after"), new byte[100_000]);
            await().until(() -> far.headers.contains("after"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void sessionIsOverWhenItsCommunicationChannelDies(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.streams(2)).localAddress())) {
            RecordingHandler near = new RecordingHandler();
            net.dial(proxy.address(), TestNet.streams(2), near);
            RecordingHandler far = net.firstAccepted();

            proxy.links.get(0).cut();

            await().until(() -> near.closed != null && far.closed != null);
            assertThat(near.closed().code()).isEqualTo(PtcpErrorCode.CONNECTION_LOST);
            assertThat(near.closed()).hasMessageContaining("was lost");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void silentPeerIsTakenForDead(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.impatient(2)).localAddress())) {
            RecordingHandler near = new RecordingHandler();
            net.dial(proxy.address(), TestNet.impatient(2), near);
            RecordingHandler far = net.firstAccepted();

            proxy.links.get(0).freeze();

            await().until(() -> near.closed != null && far.closed != null);
            assertThat(near.closed().code()).isEqualTo(PtcpErrorCode.TIMEOUT);
            assertThat(far.closed().code()).isEqualTo(PtcpErrorCode.TIMEOUT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void signOfLifeIsGivenByWhoLivesOnly(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.impatient(2)).localAddress())) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(proxy.address(), TestNet.impatient(2), near);
            AtomicInteger heard = new AtomicInteger();
            Runnable ask = () -> session.probe(heard::incrementAndGet);

            session.loop().submit(ask).sync();
            await().until(() -> heard.get() == 1);
            RecordingHandler far = net.firstAccepted();
            far.session()
                    .loop()
                    .submit(() -> far.session().probe(heard::incrementAndGet))
                    .sync();
            await().until(() -> heard.get() == 2);

            proxy.links.get(0).freeze();
            session.loop().submit(ask).sync();
            await().until(() -> near.closed != null);
            session.loop().submit(ask).sync();
            assertThat(heard).hasValue(2);
        }
    }

    /** Who asks may be in the middle of handing out a packet. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void whoAsksForASignOfLifeIsToldNothingInsideTheCall(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.impatient(2)).localAddress())) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(proxy.address(), TestNet.impatient(2), near);
            AtomicInteger heard = new AtomicInteger();
            AtomicBoolean toldInside = new AtomicBoolean();

            session.loop()
                    .submit(() -> {
                        proxy.links.forEach(TestProxy.Link::cut); // the loop has not seen it yet
                        for (int i = 0; i < 3; i++) {
                            session.probe(heard::incrementAndGet);
                            toldInside.compareAndSet(false, near.closed != null || !near.lost.isEmpty());
                        }
                    })
                    .sync();

            await().until(() -> near.closed != null);
            assertThat(toldInside).isFalse();
            assertThat(heard).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void dataChannelThatStandsStillIsReplaced(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.impatient(1)).localAddress())) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(proxy.address(), TestNet.impatient(1), near);
            RecordingHandler far = net.firstAccepted();

            proxy.links.get(1).freeze();
            near.send(TestNet.utf8("lost"), new byte[32 << 20]);

            await().untilAsserted(() -> {
                assertThat(near.lost).containsExactly(0);
                assertThat(far.lost).containsExactly(0);
            });
            near.send(TestNet.utf8("after"), new byte[1000]);
            await().until(() -> far.headers.contains("after"));
            assertThat(near.closed).isNull();
            assertThat(session.liveStreams()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void packetThatIsPutOffWaitsAndHoldsNothingElseBack(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.impatient(1));
            RecordingHandler near = new RecordingHandler();
            net.dial(server, TestNet.impatient(1), near);
            RecordingHandler far = net.firstAccepted();
            far.hasMemory = false;

            byte[] payload = new byte[16 << 20];
            Arrays.fill(payload, (byte) 7);
            near.send(TestNet.utf8("first"), payload);
            near.send(TestNet.utf8("second"), new byte[0]);
            await().until(() -> far.asked.get() == 1);
            near.sendControl("overtakes");
            await().until(() -> far.control.contains("overtakes"));
            // Longer than the limit for a standstill: a stream that the peer does not read is not dead.
            await().during(java.time.Duration.ofMillis(1500)).until(() -> near.lost.isEmpty() && near.closed == null);
            assertThat(far.payloads).isEmpty();
            far.giveMemory();

            await().until(() -> far.headers.equals(java.util.List.of("first", "second")));
            assertThat(far.payloads.get(0)).isEqualTo(payload);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void controlMessagesOfAPausedPeerWaitInTheirOrder(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1));
            RecordingHandler near = new RecordingHandler();
            net.dial(server, TestNet.streams(1), near);
            RecordingHandler far = net.firstAccepted();
            PtcpSession session = java.util.Objects.requireNonNull(far.session);
            session.loop().submit(() -> session.pauseControl(true)).sync();
            List<String> messages =
                    IntStream.range(0, 20_000).mapToObj(Integer::toString).toList();
            messages.forEach(near::sendControl);
            near.send(TestNet.utf8("packet"), new byte[10]);
            await().until(() -> far.headers.contains("packet"));
            assertThat(far.control).as("the one whose place was named before").hasSizeLessThanOrEqualTo(1);

            session.loop().submit(() -> session.pauseControl(false)).sync();

            await().until(() -> far.control.size() == messages.size());
            assertThat(far.control).isEqualTo(messages);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void whatCameBeforeTheEndOfAConnectionIsReadWhenThereIsMemory(String transport) throws Exception {
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(TestNet.impatient(2)).localAddress())) {
            AtomicInteger turn = new AtomicInteger();
            RecordingHandler near = new RecordingHandler() {
                @Override
                public @Nullable PtcpPacket nextPacket(PtcpSession from, int stream) {
                    // One stream only, whose peer will have no memory.
                    return stream == 0 && turn.get() > 0 && turn.getAndDecrement() > 0
                            ? new PtcpPacket(
                                    Unpooled.copiedBuffer(TestNet.utf8("p")), Unpooled.wrappedBuffer(new byte[100_000]))
                            : null;
                }
            };
            PtcpSession session = net.dial(proxy.address(), TestNet.impatient(2), near);
            RecordingHandler far = net.firstAccepted();
            await().until(() -> session.liveStreams() == 2);
            far.hasMemory = false;
            turn.set(5);
            session.loop().execute(session::wakeStreams);
            await().until(() -> far.asked.get() == 1 && session.traffic().sentBytes() == 500_000);

            // The near end of every data channel closes in an orderly way: FIN with unread data, and no memory.
            proxy.links.subList(1, 3).forEach(TestProxy.Link::finish);
            await().during(java.time.Duration.ofMillis(300)).until(() -> far.payloads.isEmpty());
            // Memory for one packet at a time: reading is put off and resumed behind the FIN, too.
            far.memoryForOne = true;
            for (int i = 1; i <= 5; i++) {
                int arrived = i;
                far.giveMemory();
                await().until(() -> far.payloads.size() == arrived);
            }
            far.giveMemory();
            await().untilAsserted(() -> assertThat(far.lost).containsExactlyInAnyOrder(0, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void defectOfAHandlerEndsItsSessionAndNoOther(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            AtomicInteger count = new AtomicInteger();
            PtcpServer server = net.listen(TestNet.streams(1), (greeting, principal, remote) -> {
                boolean defective = count.getAndIncrement() == 0;
                RecordingHandler handler = new RecordingHandler() {
                    @Override
                    public void onControl(PtcpSession from, ByteBuf message) {
                        if (defective) {
                            throw new IllegalStateException("on purpose");
                        }
                        super.onControl(from, message);
                    }
                };
                net.accepted.add(handler);
                return new SessionAdmission.Accepted(new byte[0], handler);
            });
            RecordingHandler first = new RecordingHandler();
            RecordingHandler second = new RecordingHandler();
            net.dial(server, TestNet.streams(1), first);
            net.dial(server, TestNet.streams(1), second);

            first.sendControl("x");
            second.sendControl("y");

            await().until(() ->
                    first.closed != null && net.accepted.get(1).control.contains("y"));
            assertThat(first.closed().code()).isEqualTo(PtcpErrorCode.INTERNAL);
            assertThat(second.closed).isNull();
        }
    }
}
