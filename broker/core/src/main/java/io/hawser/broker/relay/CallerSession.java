package io.hawser.broker.relay;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallAllowance;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A session that asks questions: at most {@value #MAX_UNDER_WAY} are pending, the others wait.
 *
 * <p>Thread: the relay's loop.
 */
final class CallerSession {
    static final int MAX_UNDER_WAY = 64;
    /** Questions of one session, waiting ones included. */
    static final int MAX_CALLS = 1024;

    final CallLink link;
    /** Shared with the other sessions of its principal. */
    final CallAllowance allowance;
    /** Why a question may not be asked of a topic; null if it may. */
    final BiFunction<Topic, Question, @Nullable Refusal> whyNot;

    final Map<Long, RelayedCall> calls = new HashMap<>();
    final Deque<RelayedCall> waiting = new ArrayDeque<>();
    /** Calls with answers that need memory. */
    final Deque<RelayedCall> waitingForMemory = new ArrayDeque<>();

    private int underWay;

    CallerSession(CallLink link, CallAllowance allowance, BiFunction<Topic, Question, @Nullable Refusal> whyNot) {
        this.link = link;
        this.allowance = allowance;
        this.whyNot = whyNot;
    }

    boolean mayAskMore() {
        return underWay < MAX_UNDER_WAY;
    }

    void asked() {
        underWay++;
    }

    void over() {
        underWay--;
    }

    Deque<RelayedCall> queueOf(RelayedCall call) {
        return call.question.lane().isBulk() ? waitingForMemory : waiting;
    }
}
