package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.relay.*;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.remote.UnlimitedCalls;
import io.hawser.core.testkit.RecordingCallLink;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.SessionCodec;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpErrorCode;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpPacket;
import io.hawser.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls of a session, over a session that is played by the test. */
class SessionCallsTest {
    private static final Topic TOPIC = new Topic("site-b");
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 4, 0, 0644, "v1");
    private static final Question READ = new Question.Read("f", "", 0, 4);
    private static final byte[] BYTES = {1, 2, 3, 4};

    private final FragmentBufferPool memory = new FragmentBufferPool(4096, 4);
    private final CallRelay relay = new CallRelay(memory, Runnable::run, topic -> true);
    private final RecordingCallLink far = new RecordingCallLink();
    private final List<Integer> dropped = new ArrayList<>();
    private final List<SessionMessage> sent = new ArrayList<>();
    private final PtcpSession ptcp = (PtcpSession) Proxy.newProxyInstance(
            PtcpSession.class.getClassLoader(),
            new Class<?>[] {PtcpSession.class},
            (proxy, method, arguments) -> called(method.getName(), arguments));
    private EventLoop loop = new EmbeddedChannel().eventLoop();
    private HopSession session;
    /** What a stream should be given at a time. */
    private int quantum = Integer.MAX_VALUE;

    /** Takes the relay as its handler, as the broker does. */
    private final class Owner implements HopSession.Owner {
        @Override
        public void onOpen(HopSession opened) {
            opened.attach(relay);
        }

        @Override
        public void onMessage(HopSession from, SessionMessage message) {}

        @Override
        public void onClosed(HopSession gone, PtcpException cause) {}
    }

    private Object called(String method, Object[] arguments) throws Exception {
        return switch (method) {
            case "peerGreeting" -> new Greeting(Greeting.Role.CLIENT, new NodeId(1, 2), 3).encode();
            case "sendControl" -> {
                ByteBuf bytes = (ByteBuf) arguments[0];
                sent.add(SessionCodec.decode(bytes));
                bytes.release();
                yield null;
            }
            case "loop" -> loop;
            case "wakeStreams" -> null;
            case "dropStream" -> {
                dropped.add((Integer) arguments[0]);
                yield null;
            }
            case "packetBytes" -> quantum;
            case "liveStreams" -> 2;
            case "pendingControlBytes" -> 0L;
            default -> throw new UnsupportedOperationException(method);
        };
    }

    @BeforeEach
    void open() {
        relay.connected("site-b", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), far);
        session = new HopSession(new FragmentBufferPool(4096, 1), new Owner());
        session.onOpen(ptcp);
        relay.admit(session.calls(), new UnlimitedCalls(), (topic, question) -> null);
    }

    @Test
    void anotherThreadThanTheLoopIsRefused() throws Exception {
        DefaultEventLoop other = new DefaultEventLoop();
        loop = other;
        try {
            assertThatThrownBy(session::tick).isInstanceOf(AssertionError.class);
            assertThatThrownBy(() -> session.detach(1)).isInstanceOf(AssertionError.class);
            other.submit(() -> session.detach(1)).get();
        } finally {
            loop = new EmbeddedChannel().eventLoop();
            other.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    private void arrives(SessionMessage message) {
        ByteBuf bytes = Unpooled.buffer();
        SessionCodec.encode(bytes, message);
        session.onControl(ptcp, bytes);
    }

    private void askAndAnswer(long call) {
        arrives(new SessionMessage.Ask(call, TOPIC, READ));
        far.deliver(relay, far.asked.size() - 1, new Answer.OfBlock(FILE), BYTES);
    }

    private long leaves(int stream) throws Exception {
        PtcpPacket packet = session.nextPacket(ptcp, stream);
        StreamHeader.OfAnswer header = (StreamHeader.OfAnswer)
                StreamHeaderCodec.decode(packet.header(), packet.payload().readableBytes());
        assertThat(header.crc32c()).isEqualTo(Crc32c.of(packet.payload().nioBuffer()));
        packet.payload().release();
        return header.call();
    }

    @Test
    void answersLeaveOnTheStreamsThatAskForThem() throws Exception {
        askAndAnswer(1);
        askAndAnswer(2);

        assertThat(leaves(1)).isEqualTo(1);
        assertThat(leaves(2)).isEqualTo(2);
        assertThat(session.nextPacket(ptcp, 1)).isNull();
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void whenAStreamIsLostThePeerIsToldWhichAnswersItHad() throws Exception {
        askAndAnswer(1);
        askAndAnswer(2);
        askAndAnswer(3);
        leaves(1);
        leaves(2);
        leaves(1);
        session.onStreamLost(ptcp, 1);
        session.onStreamLost(ptcp, 1);

        assertThat(sent)
                .extracting(message -> ((SessionMessage.CallRefused) message).call())
                .containsExactly(1L, 3L);
        assertThat(sent)
                .extracting(message ->
                        ((SessionMessage.CallRefused) message).refusal().code())
                .containsOnly(ErrorCode.UNREACHABLE);
    }

    private static StreamHeader part(long call, byte[] whole, int offset) {
        StreamHeader.OfAnswer answer =
                new StreamHeader.OfAnswer(call, new Answer.OfBlock(FILE), Crc32c.of(ByteBuffer.wrap(whole)));
        return new StreamHeader.OfAnswerPart(answer, offset, whole.length);
    }

    /** A packet begins to arrive; what the session gives for its payload. */
    private ByteBuf begins(int stream, StreamHeader header, int length) {
        ByteBuf bytes = Unpooled.buffer();
        StreamHeaderCodec.encode(bytes, header);
        ByteBuf place = session.onPacketHeader(ptcp, stream, bytes, length);
        assertThat(place).isNotNull();
        return place;
    }

    private void ends(int stream, ByteBuf place, byte[] whole, int offset, int length) {
        if (!place.isWritable()) { // it is discarded
            return;
        }
        place.writeBytes(whole, offset, length);
        session.onPacket(ptcp, stream, Unpooled.EMPTY_BUFFER, place);
        place.release();
    }

    /** The session answers what somebody else asks the relay; returns the number of the question. */
    private long ask(RecordingCallLink asker, int length) {
        relay.admit(asker, new UnlimitedCalls(), (topic, question) -> null);
        relay.connected("a-first", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), session.calls());
        relay.onAsked(asker, 1, TOPIC, new Question.Read("f", "", 0, length));
        return ((SessionMessage.Ask) sent.get(sent.size() - 1)).call();
    }

    @Test
    void toAFarPeerAnAnswerLeavesInPartsOverTheStreams() throws Exception {
        quantum = 1;
        int length = 2 * OutgoingAnswers.LEAST_PART_BYTES;
        FragmentBufferPool pool = new FragmentBufferPool(length, 1);
        FragmentBuffer buffer = pool.tryAcquire();
        session.calls().answer(9, new Answer.OfBlock(FILE), buffer, length, 5);
        buffer.release();

        for (int stream = 1; stream <= 2; stream++) {
            PtcpPacket packet = session.nextPacket(ptcp, stream);
            StreamHeader header =
                    StreamHeaderCodec.decode(packet.header(), packet.payload().readableBytes());
            assertThat(header)
                    .isEqualTo(new StreamHeader.OfAnswerPart(
                            new StreamHeader.OfAnswer(9, new Answer.OfBlock(FILE), 5),
                            (stream - 1) * OutgoingAnswers.LEAST_PART_BYTES,
                            length));
            packet.payload().release();
        }
        assertThat(session.nextPacket(ptcp, 1)).isNull();
        assertThat(pool.available()).isEqualTo(1);
    }

    @Test
    void partsAreReadIntoTheirPlacesAndTheAnswerIsThereWithTheLast() {
        RecordingCallLink asker = new RecordingCallLink();
        long number = ask(asker, 4);
        ByteBuf second = begins(2, part(number, BYTES, 2), 2);
        ByteBuf first = begins(1, part(number, BYTES, 0), 2);
        ends(2, second, BYTES, 2, 2);
        ends(2, begins(2, part(number, BYTES, 2), 2), BYTES, 2, 2); // once more: it is read and forgotten
        assertThat(asker.answered).isEmpty();

        ends(1, first, BYTES, 0, 2);

        assertThat(asker.payloads.get(1L).payload(0, 4)).isEqualTo(ByteBuffer.wrap(BYTES));
        asker.payloadsLeave();
    }

    @Test
    void anAnswerOfWhichAPartWasLostGivesItsMemoryBackWhenThePeerSaysSo() {
        RecordingCallLink asker = new RecordingCallLink();
        long number = ask(asker, 4);
        begins(1, part(number, BYTES, 0), 2).release();
        ends(2, begins(2, part(number, BYTES, 2), 2), BYTES, 2, 2);
        session.onStreamLost(ptcp, 1);
        assertThat(memory.available()).isEqualTo(3);

        arrives(new SessionMessage.CallRefused(number, new Refusal(ErrorCode.UNREACHABLE, "lost")));

        assertThat(memory.available()).isEqualTo(4);
        assertThat(asker.refused).hasSize(1);
        ends(2, begins(2, part(number, BYTES, 0), 2), BYTES, 0, 2);
        assertThat(asker.answered).isEmpty();
    }

    @Test
    void aCancelledAnswerDoesNotLeave() {
        askAndAnswer(1);
        arrives(new SessionMessage.CancelCall(1));

        assertThat(session.nextPacket(ptcp, 1)).isNull();
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void theEndOfASessionGivesItsMemoryBackAndCancelsWhatItAsked() {
        askAndAnswer(1);
        arrives(new SessionMessage.Ask(2, TOPIC, READ));
        session.onClosed(ptcp, new PtcpException(PtcpErrorCode.CONNECTION_LOST, "gone"));

        assertThat(far.cancelled).containsExactly(far.number(1));
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void anAnswerThatBreaksOffOnItsWayInGivesItsMemoryBack() {
        RecordingCallLink asker = new RecordingCallLink();
        relay.admit(asker, new UnlimitedCalls(), (topic, question) -> null);
        relay.connected("a-first", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), session.calls());
        relay.onAsked(asker, 1, TOPIC, READ);
        long number = ((SessionMessage.Ask) sent.get(0)).call();
        ByteBuf header = Unpooled.buffer();
        StreamHeaderCodec.encode(header, new StreamHeader.OfAnswer(number, new Answer.OfBlock(FILE), 0));
        ByteBuf place = session.onPacketHeader(ptcp, 7, header, 4);
        assertThat(place).isNotNull();
        relay.onCancelled(asker, 1);
        assertThat(memory.available()).isEqualTo(3); // it still arrives there
        place.release();
        session.onStreamLost(ptcp, 7);

        assertThat(memory.available()).isEqualTo(4);
        FragmentBuffer again = memory.tryAcquire();
        assertThat(again.refCnt()).isEqualTo(1);
        again.release();
    }

    @Test
    void answerThatEndsWhileAPartOfItArrivesHoldsItsMemoryForALimitedTime() {
        relay.connected("a-first", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), session.calls());
        byte[] whole = new byte[64];
        long call = ask(new RecordingCallLink(), whole.length);
        ByteBuf half = begins(5, part(call, whole, 0), 32);
        assertThat(memory.available()).isEqualTo(3);

        arrives(new SessionMessage.Answered(call, new Answer.OfFile(FILE))); // instead of the rest
        for (int i = 0; i < 200 && dropped.isEmpty(); i++) {
            session.tick();
        }
        assertThat(dropped).containsExactly(5);
        half.release();
        session.onStreamLost(ptcp, 5);
        assertThat(memory.available()).isEqualTo(4);
    }
}
