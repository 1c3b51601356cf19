package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a session as one of its ends sees them: questions and short answers go with the control messages, blocks over streams,
 * in any order, where they may be damaged, or lost with their stream.
 */
final class SimCalls implements CallLink {
    private final SimSession session;
    private final SimChain chain;
    private final boolean ofClient;
    private @Nullable CallHandler handler;

    SimCalls(SimSession session, boolean ofClient) {
        this.session = session;
        this.chain = session.chain();
        this.ofClient = ofClient;
    }

    /** This end has the session. */
    void up(CallHandler newHandler) {
        handler = newHandler;
        newHandler.onUp(this);
    }

    /** This end has the session no more. */
    void down() {
        CallHandler old = handler;
        if (old != null) {
            handler = null;
            old.onDown(this);
        }
    }

    private interface Arrival {
        void at(CallHandler to, SimCalls peer);
    }

    private void send(Arrival arrival) {
        SimCalls peer = session.calls(!ofClient);
        session.control(ofClient, () -> {
            CallHandler to = peer.handler;
            if (to != null) {
                arrival.at(to, peer);
            }
        });
    }

    @Override
    public void ask(long call, Topic topic, Question question) {
        chain.trace(session.client(), "asks", question);
        send((to, peer) -> to.onAsked(peer, call, topic, question));
    }

    @Override
    public void cancel(long call) {
        send((to, peer) -> to.onCancelled(peer, call));
    }

    @Override
    public void refuse(long call, Refusal refusal) {
        chain.trace(session.client(), "refuses", refusal);
        send((to, peer) -> to.onRefused(peer, call, refusal));
    }

    @Override
    public void answer(long call, Answer answer) {
        send((to, peer) -> to.onAnswered(peer, call, answer));
    }

    @Override
    public void answer(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        byte[] bytes = new byte[length];
        buffer.payload(0, length).get(bytes);
        SimCalls peer = session.calls(!ofClient);
        chain.scheduler.after(chain.quick(), () -> {
            CallHandler to = peer.handler;
            if (session.isCut() || to == null) {
                return;
            }
            if (chain.strikes(Fault.ANSWER_LOST_WITH_ITS_STREAM, 10)) {
                refuse(call, new Refusal(ErrorCode.UNREACHABLE, "The answer's stream was lost"));
                return;
            }
            arrive(to, peer, call, answer, bytes, crc32c);
        });
    }

    private void arrive(CallHandler to, SimCalls peer, long call, Answer answer, byte[] bytes, int crc32c) {
        FragmentBuffer memory = to.memoryFor(peer, call, bytes.length);
        if (memory == null) {
            return;
        }
        memory.retain();
        memory.payload(0, bytes.length).put(bytes);
        if (bytes.length > 0 && chain.strikes(Fault.ANSWER_DAMAGED, 10)) {
            int hit = chain.random.nextInt(bytes.length);
            memory.payload(0, bytes.length).put(hit, (byte) ~bytes[hit]);
        }
        to.onAnswered(peer, call, answer, memory, bytes.length, crc32c);
        memory.release();
    }

    @Override
    public boolean isBackedUp() {
        return false;
    }

    @Override
    public void wasDamaged(Topic topic, Question question) {
        // It is asked for again, and that is what matters here.
    }
}
