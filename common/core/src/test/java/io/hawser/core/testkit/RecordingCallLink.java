package io.hawser.core.testkit;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A session's calls in a test: what was sent is written down, and the peer's part is played by the test. */
public final class RecordingCallLink implements CallLink {
    /** A question that was sent. */
    public record Asked(long number, Topic topic, Question question) {}

    public final List<Asked> asked = new ArrayList<>();
    public final List<Long> cancelled = new ArrayList<>();
    public final List<Question> damaged = new ArrayList<>();
    public final Map<Long, Refusal> refused = new LinkedHashMap<>();
    public final Map<Long, Answer> answered = new LinkedHashMap<>();
    /** Answers' payloads: one reference each, which the test gives back with {@link #payloadsLeave}. */
    public final Map<Long, FragmentBuffer> payloads = new LinkedHashMap<>();

    public boolean backedUp;

    @Override
    public void ask(long call, Topic topic, Question question) {
        asked.add(new Asked(call, topic, question));
    }

    @Override
    public void cancel(long call) {
        cancelled.add(call);
    }

    @Override
    public void refuse(long call, Refusal refusal) {
        refused.put(call, refusal);
    }

    @Override
    public void answer(long call, Answer answer) {
        answered.put(call, answer);
    }

    @Override
    public void answer(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        answered.put(call, answer);
        payloads.put(call, buffer.retain());
    }

    @Override
    public boolean isBackedUp() {
        return backedUp;
    }

    @Override
    public void wasDamaged(Topic topic, Question question) {
        damaged.add(question);
    }

    /** The bytes of answers have left. */
    public void payloadsLeave() {
        payloads.values().forEach(FragmentBuffer::release);
        payloads.clear();
    }

    /** The number of the n-th question. */
    public long number(int n) {
        return asked.get(n).number();
    }

    /** The peer answers the n-th question with these bytes; false if nobody wants them. */
    public boolean deliver(CallHandler handler, int n, Answer answer, byte[] bytes) {
        return deliver(handler, n, answer, bytes, false);
    }

    /** The same with a byte that was damaged on its way. */
    public boolean deliverDamaged(CallHandler handler, int n, Answer answer, byte[] bytes) {
        return deliver(handler, n, answer, bytes, true);
    }

    private boolean deliver(CallHandler handler, int n, Answer answer, byte[] bytes, boolean damaged) {
        FragmentBuffer memory = handler.memoryFor(this, number(n), bytes.length);
        if (memory == null) {
            return false;
        }
        memory.retain();
        memory.payload(0, bytes.length).put(bytes);
        int crc32c = Crc32c.of(memory.payload(0, bytes.length));
        if (damaged) {
            memory.payload(0, bytes.length).put(0, (byte) ~bytes[0]);
        }
        handler.onAnswered(this, number(n), answer, memory, bytes.length, crc32c);
        memory.release();
        return true;
    }
}
