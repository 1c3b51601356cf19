package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.meter.CallCounts;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallAllowance;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Relays questions about files from askers to the subscriptions that answer, and the answers back. It keeps nothing durable: when
 * one side disconnects, it tells the other.
 *
 * <p>Answers with a payload have memory of their own, apart from what publishers need, and a question is passed on only with a
 * buffer for its answer in hand; askers take turns for it. A damaged answer is asked for again.
 *
 * <p>Thread: the relay's loop.
 */
public final class CallRelay implements CallHandler {
    /** How often one answer may arrive damaged. */
    private static final int MAX_DAMAGES = 8;
    /** Of the memory for answers, this part is never one principal's: it may not read its answers, or may never get them. */
    private static final int OTHERS_PART = 4;

    private final FragmentBufferPool memory;
    private final int mostOfOnePrincipal;
    private final Executor loop;
    private final CallServerSelector servers;
    /** In the order of their turns. */
    private final Map<CallLink, CallerSession> askers = new LinkedHashMap<>();

    private final Map<Long, RelayedCall> underWay = new HashMap<>();
    private long lastNumber;
    private final CallCounts counts = new CallCounts();
    private boolean awaitingMemory;

    /**
     * @param memory the buffers for answers on their way, used by this class alone
     * @param complete whether the consumers of all subscriptions of a topic are connected, so that no other can come that shows
     *     files
     */
    public CallRelay(FragmentBufferPool memory, Executor loop, Predicate<Topic> complete) {
        this.memory = memory;
        this.mostOfOnePrincipal = Math.max(1, memory.capacity() - memory.capacity() / OTHERS_PART);
        this.loop = loop;
        this.servers = new CallServerSelector(complete);
    }

    /** A subscription is connected, and this is what its consumer says of the topic's files. */
    public void connected(String subscription, Topic topic, CallServerCandidate offer, CallLink link) {
        servers.connected(subscription, topic, offer, link);
    }

    /** A subscription's consumer has left for good. */
    public void left(String subscription, Topic topic) {
        servers.removed(subscription, topic);
    }

    /** Counts the answers that it passed on and the questions that it refused. */
    public CallCounts counts() {
        return counts;
    }

    /** Questions that were passed on and not answered. */
    public int underWay() {
        return underWay.size();
    }

    /** Questions that wait for their turn or for memory. */
    public int waiting() {
        return askers.values().stream()
                .mapToInt(asker -> asker.waiting.size() + asker.waitingForMemory.size())
                .sum();
    }

    /** Gives no right to ask; see {@link #admit}. */
    @Override
    public void onUp(CallLink link) {}

    /**
     * Lets a session ask, within the limits and the rights of its principal. What a session asks before it is refused.
     *
     * @param whyNot why a question may not be asked of a topic; null if it may
     */
    public void admit(CallLink link, CallAllowance allowance, BiFunction<Topic, Question, @Nullable Refusal> whyNot) {
        askers.put(link, new CallerSession(link, allowance, whyNot));
    }

    @Override
    public void onDown(CallLink link) {
        CallerSession gone = askers.remove(link);
        if (gone != null) {
            List.copyOf(gone.calls.values()).forEach(this::cancel);
        }
        servers.down(link);
        underWay.values().stream()
                .filter(call -> call.server == link)
                .toList()
                .forEach(call -> refuse(call, servers.whyNot(call.topic)));
    }

    @Override
    public void onAsked(CallLink link, long number, Topic topic, Question question) {
        CallerSession asker = askers.get(link);
        if (asker == null) {
            link.refuse(number, new Refusal(ErrorCode.NOT_ALLOWED, "this session may not ask anything"));
            return;
        }
        Refusal refusal = asker.whyNot.apply(topic, question);
        if (refusal != null) {
            link.refuse(number, refusal);
        } else if (asker.calls.containsKey(number)) {
            link.refuse(number, new Refusal(ErrorCode.MALFORMED, "call " + number + " is under way already"));
        } else if (asker.calls.size() >= CallerSession.MAX_CALLS || !asker.allowance.tryAsk()) {
            link.refuse(number, new Refusal(ErrorCode.NO_SPACE, "too many calls are under way"));
        } else {
            RelayedCall call = new RelayedCall(asker, number, topic, question);
            asker.calls.put(number, call);
            asker.queueOf(call).addLast(call);
            pump(asker);
        }
    }

    @Override
    public void onCancelled(CallLink link, long number) {
        CallerSession asker = askers.get(link);
        RelayedCall call = asker == null ? null : asker.calls.get(number);
        if (call != null) {
            cancel(call);
        }
    }

    private void cancel(RelayedCall call) {
        CallLink server = call.server;
        if (server != null) {
            server.cancel(call.numberThere);
        }
        close(call);
    }

    private void pump(CallerSession asker) {
        while (asker.mayAskMore() && !asker.waiting.isEmpty()) {
            pass(asker.waiting.removeFirst());
        }
        pumpMemory();
    }

    /** Each asker in turn gets one buffer, as long as there are some. */
    private void pumpMemory() {
        boolean passed = true;
        while (passed) {
            passed = false;
            for (CallerSession asker : List.copyOf(askers.values())) {
                boolean wants = asker.mayAskMore() && !asker.waitingForMemory.isEmpty();
                if (wants && asker.allowance.tryTakeAnswer(mostOfOnePrincipal)) {
                    FragmentBuffer buffer = memory.tryAcquire();
                    if (buffer == null) {
                        asker.allowance.giveAnswer();
                        awaitMemory();
                        return;
                    }
                    buffer.whenFree(() -> loop.execute(() -> {
                        asker.allowance.giveAnswer();
                        pumpMemory();
                    }));
                    RelayedCall call = asker.waitingForMemory.removeFirst();
                    call.memory = buffer;
                    askers.remove(asker.link); // to the end of the row
                    askers.put(asker.link, asker);
                    pass(call);
                    passed = true;
                }
            }
        }
    }

    private void awaitMemory() {
        if (!awaitingMemory) {
            awaitingMemory = true;
            memory.whenAvailable(() -> loop.execute(() -> {
                awaitingMemory = false;
                pumpMemory();
            }));
        }
    }

    private void pass(RelayedCall call) {
        CallLink server = servers.of(call.topic);
        if (server == null) {
            refuse(call, servers.whyNot(call.topic));
            return;
        }
        if (server.isBackedUp()) {
            refuse(
                    call,
                    new Refusal(
                            ErrorCode.UNREACHABLE, "the far end of " + call.topic + " does not read what it is asked"));
            return;
        }
        call.server = server;
        call.numberThere = ++lastNumber;
        call.asker.asked();
        underWay.put(call.numberThere, call);
        server.ask(call.numberThere, call.topic, call.question);
    }

    private @Nullable RelayedCall from(CallLink server, long number) {
        RelayedCall call = underWay.get(number);
        return call != null && call.server == server ? call : null;
    }

    @Override
    public void onRefused(CallLink server, long number, Refusal refusal) {
        RelayedCall call = from(server, number);
        if (call != null) {
            refuse(call, refusal);
        }
    }

    private void refuse(RelayedCall call, Refusal refusal) {
        close(call);
        counts.refused();
        call.asker.link.refuse(call.number, refusal);
    }

    @Override
    public void onAnswered(CallLink server, long number, Answer answer) {
        RelayedCall call = from(server, number);
        if (call != null) {
            close(call);
            counts.answered(0);
            call.asker.link.answer(call.number, answer);
        }
    }

    @Override
    public @Nullable FragmentBuffer memoryFor(CallLink server, long number, int length) {
        RelayedCall call = from(server, number);
        if (call != null && length > memory.payloadCapacity()) {
            refuse(call, new Refusal(ErrorCode.TOO_LARGE, "the answer is longer than the broker's fragments"));
            return null;
        }
        return call == null ? null : call.memory;
    }

    @Override
    public void onAnswered(CallLink server, long number, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        RelayedCall call = from(server, number);
        if (call == null || call.memory != buffer) {
            return;
        }
        if (Crc32c.of(buffer.payload(0, length)) != crc32c) {
            damaged(server, call);
        } else {
            counts.answered(length);
            call.asker.link.answer(call.number, answer, buffer, length, crc32c);
            close(call);
        }
    }

    private void damaged(CallLink server, RelayedCall call) {
        server.wasDamaged(call.topic, call.question);
        if (++call.damages > MAX_DAMAGES) {
            refuse(call, new Refusal(ErrorCode.STORAGE_FAILED, "the answer arrived damaged again and again"));
            return;
        }
        takeBack(call);
        call.asker.waitingForMemory.addFirst(call);
        loop.execute(this::pumpMemory);
    }

    private void takeBack(RelayedCall call) {
        if (call.server != null) {
            call.server = null;
            underWay.remove(call.numberThere);
            call.asker.over();
        }
        call.releaseMemory();
    }

    private void close(RelayedCall call) {
        CallerSession asker = call.asker;
        if (call.server == null) {
            asker.queueOf(call).remove(call);
        }
        takeBack(call);
        if (asker.calls.remove(call.number) != null) {
            asker.allowance.askOver();
        }
        if (!asker.waiting.isEmpty() || !asker.waitingForMemory.isEmpty()) {
            loop.execute(() -> pump(asker));
        }
    }

    @Override
    public void tick(long nowNanos) {
        // The asker watches the time.
    }
}
