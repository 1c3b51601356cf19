package io.hawser.agentb.files;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about files. Reads and pages wait until there is a buffer; checksums go on in slices, one after the other, so
 * that a long one holds back nothing.
 *
 * <p>Thread: the sessions' loop, except {@link #close} (any other).
 */
public final class CallServer implements CallHandler, AutoCloseable {
    /** Threads that read a disk. */
    private static final int READERS = 4;

    private static final int LOOKERS = 2;
    private static final int SUMMERS = 2;
    /** Questions of one session at once. */
    private static final int MAX_CALLS = 2048;

    private final ServedFiles files;
    private final FragmentBufferPool memory;
    private final Executor loop;
    private final ServeThreads readers;
    private final ServeThreads lookers = new ServeThreads(LOOKERS);
    private final ServeThreads summers = new ServeThreads(SUMMERS);
    private final Map<CallLink, Map<Long, ServedCall>> sessions = new HashMap<>();
    private final Deque<ServedCall> waiting = new ArrayDeque<>();
    private boolean awaitingMemory;

    /**
     * Creates a server without sessions.
     *
     * @param memory for answers on their way; of nobody else
     */
    public CallServer(ServedFiles files, FragmentBufferPool memory, Executor loop) {
        this(files, memory, loop, READERS);
    }

    /**
     * The same.
     *
     * @param readers how many reads and pages are answered at once; what is not a disk may let each wait for long
     */
    public CallServer(ServedFiles files, FragmentBufferPool memory, Executor loop, int readers) {
        this.readers = new ServeThreads(readers);
        this.files = files;
        this.memory = memory;
        this.loop = loop;
    }

    @Override
    public void onUp(CallLink link) {
        sessions.put(link, new HashMap<>());
    }

    @Override
    public void onDown(CallLink link) {
        Map<Long, ServedCall> gone = sessions.remove(link);
        if (gone != null) {
            gone.values().forEach(call -> {
                call.cancelled = true;
                lookers.remove(call.look);
            });
        }
        waiting.removeIf(call -> call.cancelled);
    }

    @Override
    public void onAsked(CallLink link, long number, Topic topic, Question question) {
        Map<Long, ServedCall> calls = sessions.get(link);
        if (calls == null) {
            return;
        }
        if (calls.size() >= MAX_CALLS) {
            link.refuse(number, new Refusal(ErrorCode.NO_SPACE, "too many calls are under way"));
            return;
        }
        ServedCall call = new ServedCall(link, number, question, this::look);
        if (calls.putIfAbsent(number, call) == null) {
            begin(call);
        }
    }

    @Override
    public void onCancelled(CallLink link, long number) {
        ServedCall call = sessions.getOrDefault(link, Map.of()).get(number);
        if (call != null) {
            call.cancelled = true;
            waiting.remove(call);
            lookers.remove(call.look);
            over(call);
        }
    }

    private void begin(ServedCall call) {
        if (call.question.lane().isBulk()) {
            waiting.addLast(call);
            pump();
        } else if (call.question instanceof Question.Checksum checksum) {
            summers.execute(() -> beginSum(call, checksum));
        } else {
            lookers.execute(call.look);
        }
    }

    private void look(ServedCall call) {
        Outcome<Answer> outcome = map(files.stat(call.question.name()), Answer.OfFile::new);
        loop.execute(() -> answer(call, outcome));
    }

    private void pump() {
        while (!waiting.isEmpty()) {
            FragmentBuffer buffer = memory.tryAcquire();
            if (buffer == null) {
                awaitMemory();
                return;
            }
            ServedCall call = waiting.removeFirst();
            readers.execute(() -> fill(call, buffer));
        }
    }

    private void awaitMemory() {
        if (!awaitingMemory) {
            awaitingMemory = true;
            memory.whenAvailable(() -> loop.execute(() -> {
                awaitingMemory = false;
                pump();
            }));
        }
    }

    private void fill(ServedCall call, FragmentBuffer buffer) {
        ByteBuffer into = buffer.payload(0, buffer.payloadCapacity());
        Outcome<Answer> outcome;
        if (call.cancelled) {
            outcome = Outcome.refused(ErrorCode.CANCELLED, "cancelled");
        } else if (call.question instanceof Question.Read read && read.length() > into.capacity()) {
            // Fewer bytes than asked for would mean that the file ends there.
            outcome = Outcome.refused(ErrorCode.TOO_LARGE, "a block is " + into.capacity() + " bytes at most");
        } else if (call.question instanceof Question.Read read) {
            into.limit(read.length());
            outcome = map(files.read(read, into), Answer.OfBlock::new);
        } else {
            String after = call.question instanceof Question.ListPage page ? page.after() : "";
            outcome = map(files.list(call.question.name(), after, into), Answer.OfPage::new);
        }
        int length = into.position();
        int crc32c = Crc32c.of(buffer.payload(0, length));
        loop.execute(() -> {
            if (outcome.isRefused()) {
                answer(call, outcome);
            } else if (over(call)) {
                call.link.answer(call.number, outcome.get(), buffer, length, crc32c);
            }
            buffer.release();
        });
    }

    private void beginSum(ServedCall call, Question.Checksum question) {
        Outcome<ServedFiles.SlicedChecksum> begun = files.checksum(question);
        Refusal refusal = begun.refusal();
        if (refusal == null) {
            goOn(call, begun.get());
        } else {
            loop.execute(() -> answer(call, new Outcome<>(null, refusal)));
        }
    }

    private void goOn(ServedCall call, ServedFiles.SlicedChecksum summing) {
        if (call.cancelled) {
            summing.close();
            return;
        }
        Outcome<String> slice = summing.goOn();
        if (!slice.isRefused() && slice.get().isEmpty()) {
            summers.execute(() -> goOn(call, summing)); // behind the others
            return;
        }
        summing.close();
        loop.execute(() -> answer(call, map(slice, Answer.OfChecksum::new)));
    }

    private void answer(ServedCall call, Outcome<Answer> outcome) {
        if (over(call)) {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                call.link.answer(call.number, outcome.get());
            } else {
                call.link.refuse(call.number, refusal);
            }
        }
    }

    /** Whether the call was still wanted. */
    private boolean over(ServedCall call) {
        Map<Long, ServedCall> calls = sessions.get(call.link);
        return calls != null && calls.remove(call.number, call);
    }

    private interface Mapping<T> {
        Answer apply(T value);
    }

    private static <T> Outcome<Answer> map(Outcome<T> outcome, Mapping<T> mapping) {
        return outcome.isRefused() ? new Outcome<>(null, outcome.refusal()) : Outcome.of(mapping.apply(outcome.get()));
    }

    /** Answers no more. */
    @Override
    public void close() {
        readers.close();
        lookers.close();
        summers.close();
    }

    @Override
    public void tick(long nowNanos) {
        // Whoever asks watches the time.
    }

    @Override
    public void onRefused(CallLink link, long call, Refusal refusal) {
        // It asks nothing.
    }

    @Override
    public void onAnswered(CallLink link, long call, Answer answer) {
        // It asks nothing.
    }

    @Override
    public @Nullable FragmentBuffer memoryFor(CallLink link, long call, int length) {
        return null;
    }

    @Override
    public void onAnswered(CallLink link, long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        // It asks nothing.
    }

    /** A question that is being answered. */
    private static final class ServedCall {
        final CallLink link;
        final long number;
        final Question question;
        /** What a looker does for it. */
        final Runnable look;

        volatile boolean cancelled;

        ServedCall(CallLink link, long number, Question question, Consumer<ServedCall> look) {
            this.link = link;
            this.number = number;
            this.question = question;
            this.look = () -> look.accept(this);
        }
    }
}
