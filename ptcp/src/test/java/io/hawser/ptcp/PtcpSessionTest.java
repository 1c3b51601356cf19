package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PtcpSessionTest {
    @Test
    void aFixedNumberOfDataChannelsIsNotDialledAtOnce() throws Exception {
        List<Long> dials = new CopyOnWriteArrayList<>();
        ChannelDialler noted = (loop, address, pipeline, timeout) -> {
            dials.add(System.nanoTime());
            return ChannelDialler.DIRECT.dial(loop, address, pipeline, timeout);
        };
        try (TestNet net = new TestNet("nio")) {
            InetSocketAddress address = net.listen(TestNet.streams(8)).localAddress();
            PtcpSession session = new PtcpDialler(noted)
                    .connect(net.diallers, address, TestNet.utf8("d"), TestNet.streams(8), new RecordingHandler())
                    .get(TestTimes.SECONDS, TimeUnit.SECONDS);
            await().until(() -> session.liveStreams() == 8);
            session.close("the test is over");
        }
        assertThat(dials).hasSize(9);
        // The first is the communication channel.
        assertThat(dials.get(8) - dials.get(1)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(7 * 5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void messagesAndPacketsCrossBothWays(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(4));
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(server, TestNet.streams(4), near);
            await().until(() -> !net.accepted.isEmpty() && net.accepted.get(0).session != null);
            RecordingHandler far = net.accepted.get(0);
            byte[] large = new byte[3 << 20];
            new Random(1).nextBytes(large);

            near.sendControl("to the acceptor");
            far.sendControl("to the dialler");
            near.send(TestNet.utf8("header"), large);
            far.send(TestNet.utf8("x".repeat(5000)), TestNet.utf8("small"));
            far.send(TestNet.utf8("empty"), new byte[0]);

            await().untilAsserted(() -> {
                assertThat(far.control).containsExactly("to the acceptor");
                assertThat(near.control).containsExactly("to the dialler");
                assertThat(far.headers).containsExactly("header");
                assertThat(near.headers).containsExactlyInAnyOrder("x".repeat(5000), "empty");
            });
            assertThat(far.payloads.get(0)).isEqualTo(large);
            assertThat(session.peerGreeting()).isEqualTo(TestNet.utf8("acceptor"));
            assertThat(far.session().peerGreeting()).isEqualTo(TestNet.utf8("dialler"));
            assertThat(session.traffic().sentBytes()).isEqualTo(large.length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void messagesOfOneTurnArriveInTheirOrderHoweverLongTheyAre(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1));
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(server, TestNet.streams(1), near);
            await().until(() -> !net.accepted.isEmpty() && net.accepted.get(0).session != null);
            List<String> messages = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                messages.add(i + "x".repeat(i % 7 == 6 ? 5_000 : i));
            }

            session.loop()
                    .execute(() -> messages.forEach(
                            text -> session.sendControl(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8))));

            await().untilAsserted(() -> assertThat(net.accepted.get(0).control).containsExactlyElementsOf(messages));
            await().until(() -> session.pendingControlBytes() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void closeSendsWhatWasGivenAndTellsBothSides(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(2));
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(server, TestNet.streams(2), near);
            await().until(() -> session.liveStreams() == 2);
            session.loop().execute(() -> {
                for (int i = 0; i < 2; i++) {
                    near.outbox.add(new PtcpPacket(
                            Unpooled.copiedBuffer(TestNet.utf8("h")), Unpooled.wrappedBuffer(new byte[8 << 20])));
                }
                session.wakeStreams();
                session.loop().execute(() -> session.close("that was all"));
            });
            await().until(() -> near.closed != null && net.accepted.get(0).closed != null);

            assertThat(net.accepted.get(0).headers).hasSize(2);
            assertThat(near.closed().code()).isEqualTo(PtcpErrorCode.CLOSED);
            assertThat(near.closed).hasMessage("closed by this side: that was all");
            assertThat(net.accepted.get(0).closed).hasMessage("closed by the peer: that was all");
        }
    }
}
