package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PtcpTuningTest {
    private static final PtcpOptions AUTO =
            TestNet.streams(PtcpOptions.MAX_STREAMS).withTuning(PtcpTuning.AUTO);

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void theAcceptorGetsTheStreamsThatItAsksFor(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(net.listen(AUTO), AUTO, near);
            NettySession far = (NettySession) net.firstAccepted().session();
            far.loop().execute(() -> far.streams().onStreamCount(9));
            await().until(() -> session.liveStreams() == 9 && far.liveStreams() == 9);

            far.loop().execute(() -> far.streams().onStreamCount(200));
            await().until(() -> far.liveStreams() == PtcpOptions.MAX_STREAMS);
        }
    }

    @Test
    void aFixedNumberStaysWhateverTheAcceptorWants() throws Exception {
        try (TestNet net = new TestNet("nio")) {
            PtcpSession session = net.dial(net.listen(AUTO), TestNet.streams(3), new RecordingHandler());
            NettySession far = (NettySession) net.firstAccepted().session();
            await().until(() -> far.liveStreams() == 3);
            assertThat(far.packetBytes(0)).isEqualTo(Integer.MAX_VALUE);
            assertThat(session.liveStreams()).isEqualTo(3);
        }
    }

    /** An acceptor that knows nothing of it: there are as many as there always were. */
    @Test
    void withAnOlderAcceptorThereAreFour() throws Exception {
        try (TestNet net = new TestNet("nio")) {
            PtcpSession session = net.dial(net.listen(TestNet.streams(64)), AUTO, new RecordingHandler());
            await().until(() -> session.liveStreams() == 4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void aStreamThatEndsInOrderTakesNothingWithIt(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            RecordingHandler near = new RecordingHandler();
            NettySession session = (NettySession) net.dial(net.listen(AUTO), AUTO, near);
            RecordingHandler far = net.firstAccepted();
            session.loop().execute(() -> session.streams().onStreamCount(2));
            for (int i = 0; i < 50; i++) {
                near.send(TestNet.utf8("near " + i), new byte[10_000]);
                far.send(TestNet.utf8("far " + i), new byte[10_000]);
                if (i % 10 == 5) {
                    int stream = session.loop()
                            .submit(() -> session.streams().sendingStreams().get(0).stream())
                            .get();
                    session.loop().execute(() -> session.retireStream(stream));
                    await().until(() -> session.loop()
                            .submit(() -> session.streams().sendingStreams().stream()
                                            .noneMatch(each -> each.stream() == stream)
                                    && !session.streams().sendingStreams().isEmpty())
                            .get());
                }
            }
            await().until(() -> far.headers.size() == 50 && near.headers.size() == 50);
            assertThat(near.lost).isEmpty();
            assertThat(far.lost).isEmpty();
            assertThat(session.traffic().streamsReplaced()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void theRateHoldsOverAllStreams(String transport) throws Exception {
        int rate = 200_000;
        PtcpOptions limited = TestNet.streams(4).withTuning(new PtcpTuning(false, rate, false, PtcpTuning.KERNEL));
        try (TestNet net = new TestNet(transport)) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(net.listen(TestNet.streams(4)), limited, near);
            await().until(() -> session.liveStreams() == 4);
            RecordingHandler far = net.firstAccepted();
            long began = System.nanoTime();
            for (int i = 0; i < 40; i++) {
                near.send(TestNet.utf8("h"), new byte[10_000]);
            }
            await().until(() -> far.payloads.size() == 40);
            double seconds = (System.nanoTime() - began) / 1e9;
            // A burst of 16 KiB and the last packet, which may leave on credit, need no time.
            assertThat(seconds).isGreaterThan((400_000.0 - 16_384 - 10_200) / rate);
        }
    }

    /** What is small is spread over all streams, so that it takes no longer than its share on one. */
    @Test
    void whatWaitsIsGivenToTheStreamsInTurn() throws Exception {
        Set<Integer> used = new ConcurrentSkipListSet<>();
        RecordingHandler near = new RecordingHandler() {
            @Override
            public @Nullable PtcpPacket nextPacket(PtcpSession from, int stream) {
                PtcpPacket packet = super.nextPacket(from, stream);
                if (packet != null) {
                    used.add(stream);
                }
                return packet;
            }
        };
        try (TestNet net = new TestNet("nio")) {
            PtcpSession session = net.dial(net.listen(TestNet.streams(4)), TestNet.streams(4), near);
            await().until(() -> session.liveStreams() == 4);
            session.loop().execute(() -> {
                for (int i = 0; i < 4; i++) {
                    near.outbox.add(new PtcpPacket(
                            Unpooled.copiedBuffer(TestNet.utf8("h")), Unpooled.wrappedBuffer(new byte[1000])));
                }
                session.wakeStreams();
            });
            RecordingHandler far = net.firstAccepted();
            await().until(() -> far.payloads.size() == 4);
            assertThat(used).isEqualTo(new TreeSet<>(Set.of(0, 1, 2, 3)));
        }
    }
}
