package io.hawser.common.transport;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Topic;
import io.hawser.common.remote.Answer;
import io.hawser.common.remote.CallHandler;
import io.hawser.common.remote.CallLink;
import io.hawser.common.remote.Question;
import io.hawser.common.wire.SessionMessage;
import io.hawser.common.wire.StreamHeader;
import io.hawser.common.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one session: questions and short answers are control messages, answers with a payload are packets.
 *
 * <p>Nobody acknowledges an answer. When a stream is lost, the peer is told of the last {@value #REMEMBERED} answers that were
 * given to it: those that arrived it does not know any more, the others it asks again.
 *
 * <p>Thread: the session's loop.
 */
final class SessionCalls implements CallLink {
    private static final Logger LOG = LoggerFactory.getLogger(SessionCalls.class);

    /** At least as many as a peer may have under way: what did not arrive is the last of what was given to a stream. */
    static final int REMEMBERED = 256;

    private static final int HEADER_BYTES = 256;

    private record Outgoing(StreamHeader.OfAnswer header, ByteBuf payload) {}

    private final HopSession session;
    private final Deque<Outgoing> outgoing = new ArrayDeque<>();
    private final Map<Integer, Deque<Long>> givenTo = new HashMap<>();
    private @Nullable CallHandler handler;
    private boolean over;

    SessionCalls(HopSession session) {
        this.session = session;
    }

    /** From now on this handler hears of the session's calls, and that it is up. */
    void handledBy(CallHandler newHandler) {
        handler = newHandler;
        newHandler.onUp(this);
    }

    @Override
    public void ask(long call, Topic topic, Question question) {
        send(new SessionMessage.Ask(call, topic, question));
    }

    @Override
    public void cancel(long call) {
        send(new SessionMessage.CancelCall(call));
    }

    @Override
    public void refuse(long call, Refusal refusal) {
        send(new SessionMessage.CallRefused(call, refusal));
    }

    @Override
    public void answer(long call, Answer answer) {
        send(new SessionMessage.Answered(call, answer));
    }

    @Override
    public void answer(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        if (!over) {
            StreamHeader.OfAnswer header = new StreamHeader.OfAnswer(call, answer, crc32c);
            outgoing.addLast(new Outgoing(header, buffer.retainedPayload(0, length)));
            session.session().wakeStreams();
        }
    }

    @Override
    public void wasDamaged(Topic topic, Question question) {
        LOG.atWarn()
                .addKeyValue("session", session.session().id())
                .addKeyValue("topic", topic)
                .addKeyValue("name", question.name())
                .log("An answer arrived damaged (CRC32C); it is asked for again");
    }

    private void send(SessionMessage message) {
        if (!over) {
            session.send(message);
        }
    }

    void on(SessionMessage.OfCall message) {
        CallHandler to = handler;
        if (message instanceof SessionMessage.Ask ask) {
            if (to == null) {
                refuse(ask.call(), new Refusal(ErrorCode.NOT_ALLOWED, "This node answers no questions"));
            } else {
                to.onAsked(this, ask.call(), ask.topic(), ask.question());
            }
        } else if (to != null && message instanceof SessionMessage.Answered answered) {
            to.onAnswered(this, answered.call(), answered.answer());
        } else if (to != null && message instanceof SessionMessage.CallRefused refused) {
            to.onRefused(this, refused.call(), refused.refusal());
        } else if (to != null && message instanceof SessionMessage.CancelCall) {
            dropOutgoing(message.call());
            to.onCancelled(this, message.call());
        }
    }

    private void dropOutgoing(long call) {
        outgoing.removeIf(each -> {
            boolean same = each.header.call() == call;
            if (same) {
                each.payload.release();
            }
            return same;
        });
    }

    /** Where an answer's payload goes; null if nobody wants it. */
    @Nullable
    FragmentBuffer place(StreamHeader.OfAnswer header, int payloadLength) {
        CallHandler to = handler;
        return to == null ? null : to.memoryFor(this, header.call(), payloadLength);
    }

    void received(StreamHeader.OfAnswer header, FragmentBuffer buffer, int length) {
        CallHandler to = handler;
        if (to != null) {
            to.onAnswered(this, header.call(), header.answer(), buffer, length, header.crc32c());
        }
    }

    /** The next answer for this stream, or null. */
    @Nullable
    PtcpPacket next(int stream) {
        Outgoing next = outgoing.pollFirst();
        if (next == null) {
            return null;
        }
        Deque<Long> given = givenTo.computeIfAbsent(stream, number -> new ArrayDeque<>());
        given.addLast(next.header.call());
        if (given.size() > REMEMBERED) {
            given.removeFirst();
        }
        ByteBuf header = Unpooled.buffer(HEADER_BYTES);
        StreamHeaderCodec.encode(header, next.header);
        return new PtcpPacket(header, next.payload);
    }

    void streamLost(int stream) {
        Deque<Long> given = givenTo.remove(stream);
        if (given != null) {
            given.forEach(call -> refuse(call, new Refusal(ErrorCode.UNREACHABLE, "The answer's stream was lost")));
        }
    }

    /** The session is over, or others have it now. */
    void down() {
        over = true;
        outgoing.forEach(each -> each.payload.release());
        outgoing.clear();
        CallHandler to = handler;
        handler = null;
        if (to != null) {
            to.onDown(this);
        }
    }
}
