package io.hawser.broker.session;

import io.hawser.broker.relay.CallRelay;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.AskerAllowance;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Passes the calls of one session on to the relay, and refuses those that its peer has no right to.
 *
 * @param calls where the others go
 * @param allowance what the peer's principal may ask at once
 * @param whyNot why that may not be asked of that topic; null if it may
 *
 * <p>Thread: the relay's loop.
 */
record AuthorizedCalls(CallRelay calls, AskerAllowance allowance, BiFunction<Topic, Question, @Nullable Refusal> whyNot)
        implements CallHandler {
    @Override
    public void onAsked(CallLink link, long call, Topic topic, Question question) {
        Refusal refusal = whyNot.apply(topic, question);
        if (refusal == null) {
            calls.onAsked(link, call, topic, question);
        } else {
            link.refuse(call, refusal);
        }
    }

    @Override
    public void onUp(CallLink link) {
        calls.onUp(link, allowance);
    }

    @Override
    public void onDown(CallLink link) {
        calls.onDown(link);
    }

    @Override
    public void onCancelled(CallLink link, long call) {
        calls.onCancelled(link, call);
    }

    @Override
    public void onRefused(CallLink link, long call, Refusal refusal) {
        calls.onRefused(link, call, refusal);
    }

    @Override
    public void onAnswered(CallLink link, long call, Answer answer) {
        calls.onAnswered(link, call, answer);
    }

    @Override
    public @Nullable FragmentBuffer memoryFor(CallLink link, long call, int length) {
        return calls.memoryFor(link, call, length);
    }

    @Override
    public void onAnswered(CallLink link, long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        calls.onAnswered(link, call, answer, buffer, length, crc32c);
    }

    @Override
    public void tick(long nowNanos) {
        calls.tick(nowNanos);
    }
}
