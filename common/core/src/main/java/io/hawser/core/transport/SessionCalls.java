package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.ptcp.PtcpPacket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the remote calls of one session: questions and short answers as control messages, answers with a payload as packets.
 *
 * <p>Answers are not acknowledged. When a stream is lost, its last {@value OutgoingAnswers#REMEMBERED} answers are refused: the peer has
 * forgotten those that arrived, and asks the others again.
 *
 * <p>Thread: the session's loop.
 */
final class SessionCalls implements CallLink {
    private static final Logger LOG = LoggerFactory.getLogger(SessionCalls.class);

    private final HopSession session;
    private final OutgoingAnswers outgoing = new OutgoingAnswers();
    private final ArrivingAnswers arriving = new ArrivingAnswers();
    private @Nullable CallHandler handler;
    private boolean over;

    SessionCalls(HopSession session) {
        this.session = session;
    }

    /** Sets the handler of the session's calls, and tells it that the session is up. */
    void attach(CallHandler newHandler) {
        handler = newHandler;
        newHandler.onUp(this);
    }

    @Override
    public void ask(long call, Topic topic, Question question) {
        send(new SessionMessage.Ask(call, topic, question));
    }

    @Override
    public void cancel(long call) {
        arriving.forget(call);
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
            outgoing.add(call, answer, buffer, length, crc32c);
            session.session().wakeStreams();
        }
    }

    @Override
    public boolean isBackedUp() {
        return session.isBackedUp();
    }

    @Override
    public void wasDamaged(Topic topic, Question question) {
        LOG.atWarn()
                .addKeyValue("session", session.session().id())
                .addKeyValue("topic", topic)
                .addKeyValue("name", question.name())
                .log("An answer arrived damaged (CRC32C); asking again");
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
            arriving.forget(answered.call());
            to.onAnswered(this, answered.call(), answered.answer());
        } else if (to != null && message instanceof SessionMessage.CallRefused refused) {
            arriving.forget(refused.call());
            to.onRefused(this, refused.call(), refused.refusal());
        } else if (to != null && message instanceof SessionMessage.CancelCall) {
            outgoing.drop(message.call());
            to.onCancelled(this, message.call());
        }
    }

    /** The memory for that part of an answer's payload; null if no call waits for it. */
    @Nullable
    FragmentBuffer place(StreamHeader.OfAnswerPart part, int payloadLength) {
        long call = part.answer().call();
        CallHandler to = handler;
        FragmentBuffer memory = to == null ? null : to.memoryFor(this, call, part.wholeLength());
        if (memory == null) {
            arriving.forget(call);
            return null;
        }
        return arriving.begin(call, memory, part.offset(), payloadLength, part.wholeLength()) ? memory : null;
    }

    /** Whether the call to which that part belongs still waits for its answer. */
    boolean awaits(StreamHeader.OfAnswerPart part) {
        return arriving.knows(part.answer().call());
    }

    /** The part for which {@link #place} returned memory has arrived. */
    void received(StreamHeader.OfAnswerPart part, FragmentBuffer buffer, int length) {
        StreamHeader.OfAnswer of = part.answer();
        CallHandler to = handler;
        if (arriving.isCompletedBy(of.call(), buffer, length) && to != null) {
            to.onAnswered(this, of.call(), of.answer(), buffer, part.wholeLength(), of.crc32c());
        }
    }

    @Nullable
    PtcpPacket next(int stream) {
        return outgoing.isEmpty()
                ? null
                : outgoing.next(
                        stream,
                        session.session().packetBytes(stream),
                        session.session().liveStreams());
    }

    void streamLost(int stream) {
        outgoing.streamLost(stream)
                .forEach(call -> refuse(call, new Refusal(ErrorCode.UNREACHABLE, "The answer's stream was lost")));
    }

    /** The session is over, or another one has taken over its hops. */
    void down() {
        over = true;
        outgoing.clear();
        arriving.clear();
        CallHandler to = handler;
        handler = null;
        if (to != null) {
            to.onDown(this);
        }
    }
}
