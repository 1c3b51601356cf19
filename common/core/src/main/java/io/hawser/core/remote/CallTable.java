package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Topic;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds agent-a's pending questions until they are answered or time out: sends them on a session, and again on the next session, after
 * damage, and with back-off while no node can answer.
 *
 * <p>A question for bulk data is sent only after it has the memory for its answer, so an answer never waits for memory.
 *
 * <p>Thread: the loop.
 */
final class CallTable implements CallHandler {
    /** Questions in flight in the lanes whose answers need no memory; memory bounds the others. */
    private static final int LOOK_SLOTS = 24;

    private static final int SUM_SLOTS = 8;
    /** The most waiting questions in one lane. */
    private static final int MAX_WAITING = 4096;
    /** The most damaged arrivals of one answer. */
    private static final int MAX_DAMAGES = 8;

    private final Executor loop;
    private final LongSupplier nanoClock;
    private final Map<Question.Lane, CallAdmissionQueue> lanes = new EnumMap<>(Question.Lane.class);
    /** In the order of asking, which a new session repeats. */
    private final Set<PendingCall> admitted = new LinkedHashSet<>();

    private final Map<Long, PendingCall> sent = new LinkedHashMap<>();
    private final Set<FragmentBufferPool> awaited = new HashSet<>();
    private long lastNumber;
    private @Nullable CallLink link;

    /**
     * @param reads memory for blocks, which their readers hold after the answer
     * @param pages memory for pages of listings
     */
    CallTable(FragmentBufferPool reads, FragmentBufferPool pages, Executor loop, LongSupplier nanoClock) {
        this.loop = loop;
        this.nanoClock = nanoClock;
        lanes.put(Question.Lane.LOOK, CallAdmissionQueue.of(LOOK_SLOTS));
        lanes.put(Question.Lane.SUM, CallAdmissionQueue.of(SUM_SLOTS));
        lanes.put(Question.Lane.READ, CallAdmissionQueue.of(reads));
        lanes.put(Question.Lane.PAGE, CallAdmissionQueue.of(pages));
    }

    /** Asks. Calls the listener later, never inside this call. */
    void ask(PendingCall call) {
        call.asked(nanoClock.getAsLong());
        CallAdmissionQueue lane = lane(call);
        if (lane.waiting.size() >= MAX_WAITING) {
            refuse(call, new Refusal(ErrorCode.NO_SPACE, "Too many requests are waiting"));
            return;
        }
        if (link == null) {
            call.unreachable(nanoClock.getAsLong());
        }
        lane.waiting.addLast(call);
        pump(lane);
    }

    /** Refuses a call that was never asked. */
    void refuse(PendingCall call, Refusal refusal) {
        loop.execute(() -> end(call, refusal));
    }

    /** Cancels a call: its listener is not called. */
    void cancel(PendingCall call) {
        if (!call.over) {
            cancelAtPeer(call);
            close(call);
        }
    }

    /** Tells the peer that it need not answer. */
    private void cancelAtPeer(PendingCall call) {
        if (call.isSent() && link != null) {
            link.cancel(call.number);
        }
    }

    @Override
    public void onUp(CallLink newLink) {
        link = newLink;
        lanes.values().forEach(lane -> lane.waiting.forEach(PendingCall::reachable));
        List.copyOf(admitted).forEach(this::send);
        lanes.values().forEach(this::pump);
    }

    @Override
    public void onDown(CallLink gone) {
        if (link != gone) {
            return;
        }
        link = null;
        sent.clear();
        long now = nanoClock.getAsLong();
        admitted.forEach(call -> call.unreachable(now));
        lanes.values().forEach(lane -> lane.waiting.forEach(call -> call.unreachable(now)));
    }

    @Override
    public void tick(long nowNanos) {
        for (PendingCall call : List.copyOf(admitted)) {
            boolean pending = !call.over && !timesOut(call, nowNanos);
            if (pending && link != null && call.backoffIsOver(nowNanos)) {
                send(call);
            }
        }
        for (CallAdmissionQueue lane : lanes.values()) {
            List.copyOf(lane.waiting).stream().filter(call -> !call.over).forEach(call -> timesOut(call, nowNanos));
        }
    }

    /** Ends a call that has timed out; returns whether it has. */
    private boolean timesOut(PendingCall call, long nowNanos) {
        String why = call.timeout(nowNanos);
        if (why != null) {
            cancelAtPeer(call);
            end(call, new Refusal(ErrorCode.UNREACHABLE, why));
        }
        return why != null;
    }

    private void pump(CallAdmissionQueue lane) {
        while (link != null) {
            PendingCall call = lane.admit();
            if (call == null) {
                awaitMemory(lane);
                return;
            }
            admitted.add(call);
            send(call);
        }
    }

    private void awaitMemory(CallAdmissionQueue lane) {
        FragmentBufferPool pool = lane.lackedMemoryOf();
        if (pool != null && awaited.add(pool)) {
            pool.whenAvailable(() -> loop.execute(() -> {
                awaited.remove(pool);
                pump(lane);
            }));
        }
    }

    private void send(PendingCall call) {
        CallLink to = link;
        if (to == null || call.isSent()) {
            return;
        }
        if (!call.ownsMemoryAlone()) {
            call.backOff(nanoClock.getAsLong());
            return;
        }
        long number = ++lastNumber;
        call.sent(number, nanoClock.getAsLong());
        sent.put(number, call);
        to.ask(number, call.topic, call.question);
    }

    private @Nullable PendingCall sentAs(CallLink from, long number) {
        return from == link ? sent.get(number) : null;
    }

    @Override
    public void onRefused(CallLink from, long number, Refusal refusal) {
        PendingCall call = sentAs(from, number);
        if (call == null) {
            return;
        }
        if (refusal.code() == ErrorCode.UNREACHABLE || refusal.code() == ErrorCode.STOPPING) {
            sent.remove(number);
            call.unreachable(nanoClock.getAsLong());
            call.backOff(nanoClock.getAsLong());
        } else {
            end(call, refusal);
        }
    }

    @Override
    public void onAnswered(CallLink from, long number, Answer answer) {
        PendingCall call = sentAs(from, number);
        if (call == null) {
            return;
        }
        boolean fits =
                switch (call.question.lane()) {
                    case LOOK -> answer instanceof Answer.OfFile;
                    case SUM -> answer instanceof Answer.OfChecksum;
                    case READ, PAGE -> false;
                };
        if (fits) {
            close(call);
            call.listener.answered(answer, null, 0);
        } else {
            end(call, unfit());
        }
    }

    @Override
    public @Nullable FragmentBuffer memoryFor(CallLink from, long number, int length) {
        PendingCall call = sentAs(from, number);
        if (call == null || call.memory == null) {
            return null;
        }
        int wanted = call.question instanceof Question.Read read ? read.length() : call.memory.payloadCapacity();
        if (length > wanted) {
            loop.execute(() -> end(call, unfit()));
            return null;
        }
        return call.memory;
    }

    @Override
    public void onAnswered(CallLink from, long number, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        PendingCall call = sentAs(from, number);
        if (call == null || call.memory != buffer) {
            return;
        }
        boolean fits = call.question instanceof Question.Read
                ? answer instanceof Answer.OfBlock
                : answer instanceof Answer.OfPage;
        if (!fits) {
            end(call, unfit());
        } else if (Crc32c.of(buffer.payload(0, length)) != crc32c) {
            damaged(from, call);
        } else {
            call.memory = null;
            close(call);
            call.listener.answered(answer, buffer, length);
        }
    }

    private void damaged(CallLink from, PendingCall call) {
        from.wasDamaged(call.topic, call.question);
        if (++call.damages > MAX_DAMAGES) {
            end(call, new Refusal(ErrorCode.STORAGE_FAILED, "The answer arrived damaged too often"));
            return;
        }
        sent.remove(call.number);
        call.backOff(nanoClock.getAsLong()); // not at once: the arriving packet still holds the buffer
    }

    private static Refusal unfit() {
        return new Refusal(ErrorCode.MALFORMED, "The far end sent an answer that does not match the question");
    }

    private void end(PendingCall call, Refusal refusal) {
        if (!call.over) {
            close(call);
            call.onRefused.accept(refusal);
        }
    }

    /** Removes a call in any state. */
    private void close(PendingCall call) {
        call.over = true;
        sent.remove(call.number);
        CallAdmissionQueue lane = lane(call);
        if (admitted.remove(call)) {
            lane.leave(call);
        } else {
            lane.waiting.remove(call);
        }
        call.releaseMemory();
        loop.execute(() -> pump(lane));
    }

    private CallAdmissionQueue lane(PendingCall call) {
        CallAdmissionQueue lane = lanes.get(call.question.lane());
        if (lane == null) {
            throw new IllegalStateException("no lane for " + call.question);
        }
        return lane;
    }

    @Override
    public void onAsked(CallLink from, long call, Topic topic, Question question) {
        from.refuse(call, new Refusal(ErrorCode.NOT_ALLOWED, "This node answers no questions"));
    }

    @Override
    public void onCancelled(CallLink from, long call) {
        // This side refuses every question at once.
    }
}
