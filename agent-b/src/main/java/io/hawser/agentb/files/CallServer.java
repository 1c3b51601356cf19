package io.hawser.agentb.files;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.meter.CallCounts;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Answers agent-a's questions about files, on threads of its own. Reads and listings wait for a buffer; checksums run in slices, in turn, so that a
 * long one does not hold up the others.
 *
 * <p>Thread: the sessions' loop, except {@link #close} (any other).
 */
public final class CallServer implements CallHandler, AutoCloseable {
    private static final int READ_THREADS = 4;
    private static final int STAT_THREADS = 2;
    private static final int CHECKSUM_THREADS = 2;
    /** Of one session at once. */
    private static final int MAX_CALLS = 2048;

    private final ServedFiles files;
    private final FragmentBufferPool memory;
    private final Executor loop;
    private final ServeThreads reads;
    private final ServeThreads stats = new ServeThreads(STAT_THREADS);
    private final ServeThreads checksums = new ServeThreads(CHECKSUM_THREADS);
    private final Map<CallLink, Map<Long, ServedCall>> sessions = new HashMap<>();
    private final Deque<ServedCall> waiting = new ArrayDeque<>();
    private final CallCounts counts = new CallCounts();
    private boolean awaitingMemory;

    /** @param memory for answers that are being sent; used by nothing else */
    public CallServer(ServedFiles files, FragmentBufferPool memory, Executor loop) {
        this(files, memory, loop, READ_THREADS);
    }

    /**
     * The same for files that are not on a local disk.
     *
     * @param readThreads reads and listings that are answered at once, each of which may wait long
     */
    public CallServer(ServedFiles files, FragmentBufferPool memory, Executor loop, int readThreads) {
        this.reads = new ServeThreads(readThreads);
        this.files = new GuardedFiles(files);
        this.memory = memory;
        this.loop = loop;
    }

    /** Counts its answers. */
    public CallCounts counts() {
        return counts;
    }

    @Override
    public void onUp(CallLink link) {
        assert isOnLoop();
        sessions.put(link, new HashMap<>());
    }

    @Override
    public void onDown(CallLink link) {
        assert isOnLoop();
        Map<Long, ServedCall> calls = sessions.remove(link);
        if (calls != null) {
            calls.values().forEach(call -> {
                call.cancelled = true;
                removeTask(call);
            });
        }
        waiting.removeIf(call -> call.cancelled);
    }

    @Override
    public void onAsked(CallLink link, long number, Topic topic, Question question) {
        assert isOnLoop();
        Map<Long, ServedCall> calls = sessions.get(link);
        if (calls == null) {
            return;
        }
        if (calls.size() >= MAX_CALLS) {
            counts.refused();
            link.refuse(number, new Refusal(ErrorCode.NO_SPACE, "too many calls at once"));
            return;
        }
        ServedCall call = new ServedCall(link, number, question, this::run);
        if (calls.putIfAbsent(number, call) == null) {
            begin(call);
        }
    }

    @Override
    public void onCancelled(CallLink link, long number) {
        assert isOnLoop();
        ServedCall call = sessions.getOrDefault(link, Map.of()).get(number);
        if (call != null) {
            call.cancelled = true;
            waiting.remove(call);
            removeTask(call);
            end(call);
        }
    }

    private void begin(ServedCall call) {
        if (call.question.lane().isBulk()) {
            waiting.addLast(call);
            pump();
        } else {
            threadsOf(call).execute(call.task);
        }
    }

    private ServeThreads threadsOf(ServedCall call) {
        return call.question instanceof Question.Checksum ? checksums : stats;
    }

    private void removeTask(ServedCall call) {
        threadsOf(call).remove(call.task);
    }

    private void run(ServedCall call) {
        if (call.question instanceof Question.Checksum checksum) {
            beginChecksum(call, checksum);
        } else {
            stat(call);
        }
    }

    private void stat(ServedCall call) {
        Outcome<Answer> outcome = files.stat(call.question.name()).map(Answer.OfFile::new);
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
            reads.execute(() -> fill(call, buffer));
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
            // Fewer bytes than requested would mean the end of the file.
            outcome = Outcome.refused(ErrorCode.TOO_LARGE, "a block is " + into.capacity() + " bytes at most");
        } else if (call.question instanceof Question.Read read) {
            into.limit(read.length());
            outcome = files.read(read, into).map(Answer.OfBlock::new);
        } else {
            String after = call.question instanceof Question.ListPage page ? page.after() : "";
            outcome = files.list(call.question.name(), after, into).map(Answer.OfPage::new);
        }
        int length = into.position();
        int crc32c = Crc32c.of(buffer.payload(0, length));
        loop.execute(() -> {
            if (outcome.isRefused()) {
                answer(call, outcome);
            } else if (end(call)) {
                counts.answered(length);
                call.link.answer(call.number, outcome.get(), buffer, length, crc32c);
            }
            buffer.release();
        });
    }

    private void beginChecksum(ServedCall call, Question.Checksum question) {
        Outcome<ServedFiles.SlicedChecksum> begun = files.checksum(question);
        Refusal refusal = begun.refusal();
        if (refusal == null) {
            runSlice(call, begun.get());
        } else {
            loop.execute(() -> answer(call, new Outcome<>(null, refusal)));
        }
    }

    private void runSlice(ServedCall call, ServedFiles.SlicedChecksum checksum) {
        if (call.cancelled) {
            checksum.close();
            return;
        }
        Outcome<String> slice = checksum.nextSlice();
        if (!slice.isRefused() && slice.get().isEmpty()) {
            checksums.execute(() -> runSlice(call, checksum)); // after the others
            return;
        }
        checksum.close();
        loop.execute(() -> answer(call, slice.map(Answer.OfChecksum::new)));
    }

    private void answer(ServedCall call, Outcome<Answer> outcome) {
        if (end(call)) {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                counts.answered(0);
                call.link.answer(call.number, outcome.get());
            } else {
                counts.refused();
                call.link.refuse(call.number, refusal);
            }
        }
    }

    /** Ends a call; whether it was still open. */
    private boolean end(ServedCall call) {
        assert isOnLoop();
        Map<Long, ServedCall> calls = sessions.get(call.link);
        return calls != null && calls.remove(call.number, call);
    }

    /** Tests may give another executor than Netty's. */
    private boolean isOnLoop() {
        return !(loop instanceof EventExecutor owner) || owner.inEventLoop();
    }

    @Override
    public void close() {
        reads.close();
        stats.close();
        checksums.close();
    }

    /** A question that is being answered. */
    private static final class ServedCall {
        final CallLink link;
        final long number;
        final Question question;
        /** Its first task, unless it is a bulk one: to be removed with the call. */
        final Runnable task;

        volatile boolean cancelled;

        ServedCall(CallLink link, long number, Question question, Consumer<ServedCall> run) {
            this.link = link;
            this.number = number;
            this.question = question;
            this.task = () -> run.accept(this);
        }
    }
}
