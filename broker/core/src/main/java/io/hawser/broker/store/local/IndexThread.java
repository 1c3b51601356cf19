package io.hawser.broker.store.local;

import io.hawser.broker.relay.Subscriptions;
import io.hawser.broker.store.local.IndexProxy.Care;
import io.hawser.core.time.ExpiryClock;
import io.hawser.core.trace.WorkSpanEvent;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogRecord;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index's tasks, one after the other, and the queue in front of them. Groups of records come from the log-writer, questions from the relay's
 * loop; both are taken in the order in which they came. There are two exceptions: people's questions, and where a fragment lies, are answered also in the middle
 * of a record that changes very many transfers, and questions about what is owed wait until the index's rows have been looked at.
 *
 * <p>Full queue: the log-writer waits, which slows the appends down until the index has caught up. Questions are never refused; the relay
 * bounds them: one for the next page of each subscription and of each publisher's receipts, one for each change of a node's subscriptions
 * that is under way ({@link Subscriptions#MAX_CHANGES}), and those that follow from other messages count against a limit of the session or
 * its principal.
 *
 * <p>Thread: any enqueues; the queries run on the index thread.
 */
final class IndexThread implements LogObserver {
    private static final Logger LOG = LoggerFactory.getLogger(IndexThread.class);
    private static final int MAX_WAITING_RECORDS = 20_000;
    /** How often it is looked whether something is to be done. */
    static final long LOOK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** While segments are being emptied: each step is a small one. */
    private static final long STEP_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * While very many small transfers are on their way: many are finished in a second or two, and what is finished when the rest is
     * written never costs a row. After a crash so much of the log is read again, which a start waits for.
     */
    private static final long LONGEST_UNWRITTEN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long MAX_UNWRITTEN_RECORDS = 60_000;
    private static final long MAX_UNWRITTEN_SEGMENTS = 4;

    private final CompletableFuture<Set<String>> opened = new CompletableFuture<>();
    private final ArrayDeque<Task> queue = new ArrayDeque<>();
    /** Questions that wait until the index's rows have been looked at. */
    private final List<Task> untilChecked = new ArrayList<>();
    /** Questions that are being answered or will be asked again; the end of the thread fails them. */
    private final Set<Question> begun = Collections.newSetFromMap(new IdentityHashMap<>());

    private final StoreRuntime runtime;
    private final ExpiryClock expiry;
    private final Consumer<StorageException> fatal;
    private final SerialQueue thread;
    private @Nullable IndexLifecycle index;
    private @Nullable SegmentCleaner cleaner;
    private int waitingRecords;
    /** Whether a step is posted or runs, or none may: before the index is open and after its end. */
    private boolean awake = true;

    private boolean lookPosted;
    private long lookDueNanos;
    private boolean closing;
    private boolean dead;
    private String whyDead = "the store is closed";
    private long lastLookNanos;
    private long writtenNanos;
    private AppliedPosition written = AppliedPosition.NOTHING;
    private long forcedSegment;

    IndexThread(StoreRuntime runtime, Consumer<StorageException> fatal) {
        this.runtime = runtime;
        this.expiry = new ExpiryClock(runtime::nowMillis, runtime::steadyMillis);
        this.fatal = fatal;
        this.thread = runtime.disk().serial(Lane.JOURNAL, "hawser-index");
    }

    /** What waits: records to apply, or a question. */
    private record Task(List<LogRecord> records, @Nullable Question question) {}

    /** Something to find out. */
    interface Question {
        /** Asks; called again from the beginning if the index had to be made anew meanwhile. */
        void ask(IndexLifecycle index) throws StorageException;

        /** The index does not work at all. By default nothing waits for the answer. */
        default void failed(String reason) {}

        /** When it may be answered. */
        default Care care() {
            return Care.NONE;
        }
    }

    /**
     * Opens the index on its own thread and waits for it.
     *
     * @return the names of the subscriptions; no other thread may look at them, since the index may be rebuilt at once
     */
    Set<String> start(IndexLifecycle storeIndex, SegmentCleaner segmentCleaner) throws StorageException {
        index = storeIndex;
        cleaner = segmentCleaner;
        storeIndex.pausing(() -> pause(storeIndex));
        if (runtime.disk().isConcurrent()) {
            thread.execute(() -> guarded(this::open));
        } else {
            guarded(this::open);
        }
        try {
            return opened.get();
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            throw new StorageException("the index cannot be made: " + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            throw new StorageException("interrupted while the index was opened", e);
        }
    }

    @Override
    public void durable(List<LogRecord> records) {
        synchronized (queue) {
            boolean interrupted = false;
            while (waitingRecords > MAX_WAITING_RECORDS
                    && !dead
                    && runtime.disk().isConcurrent()) {
                try {
                    queue.wait();
                } catch (InterruptedException e) {
                    interrupted = true; // the log's writer is not to be stopped this way
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            waitingRecords += records.size();
            queue.add(new Task(records, null));
            wake();
        }
    }

    void ask(Question question) {
        synchronized (queue) {
            if (!dead) {
                queue.add(new Task(List.of(), question));
                wake();
                return;
            }
        }
        question.failed(whyDead);
    }

    /** Does what waits, writes the index and ends. Blocks. */
    void close() {
        synchronized (queue) {
            closing = true;
            wake();
        }
        thread.close();
    }

    /** Called with the queue's lock. */
    private void wake() {
        if (!awake) {
            awake = true;
            thread.execute(() -> guarded(this::step));
        }
    }

    private interface Step {
        void run(IndexLifecycle store) throws StorageException;
    }

    private void guarded(Step step) {
        IndexLifecycle store = Objects.requireNonNull(index);
        try {
            step.run(store);
            rest(store);
        } catch (StorageException | RuntimeException | Error e) {
            // An Error too: without the index a broker waits for ever, also in its start.
            LOG.atError().setCause(e).log("The index has failed for good");
            StorageException failure =
                    e instanceof StorageException storage ? storage : new StorageException("the index failed: " + e, e);
            synchronized (queue) {
                whyDead = String.valueOf(failure.getMessage());
            }
            if (!opened.completeExceptionally(failure)) {
                fatal.accept(failure);
            }
            end(store);
        }
    }

    private void open(IndexLifecycle store) throws StorageException {
        store.open();
        lastLookNanos = runtime.nowNanos();
        writtenNanos = lastLookNanos;
        written = store.set().applied();
        forcedSegment = written.next().segment();
        opened.complete(store.set().subscriptions().stream()
                .map(state -> state.spec.name())
                .collect(Collectors.toUnmodifiableSet()));
        store.startCheck(
                failure -> ask(new Verdict(failure)),
                (check, failure) -> ask(index -> index.guard().ended(check, failure)));
    }

    /** After a step: the next one now, or when it is due, or the end. */
    private void rest(IndexLifecycle store) {
        synchronized (queue) {
            boolean ends = queue.isEmpty() && closing;
            awake = !queue.isEmpty() || closing;
            if (!queue.isEmpty()) {
                thread.execute(() -> guarded(this::step));
            } else if (!ends) {
                lookLater(store);
            }
            if (!ends) {
                return;
            }
        }
        store.close();
        end(store);
    }

    /** Called with the queue's lock. */
    private void lookLater(IndexLifecycle store) {
        boolean something = store.set().isDirty() || cleaner().isBusy();
        long now = runtime.nowNanos();
        long due = something ? Math.max(now + 1_000_000, lastLookNanos + intervalNanos()) : now + LOOK_INTERVAL_NANOS;
        if (lookPosted && lookDueNanos - due <= 0) {
            return;
        }
        lookPosted = true;
        lookDueNanos = due;
        runtime.disk().after(Duration.ofNanos(due - now), () -> {
            synchronized (queue) {
                lookPosted = false;
                wake();
            }
        });
    }

    /** Fails every pending request, also the one that was being answered at the failure. */
    private void end(IndexLifecycle store) {
        store.endChecks();
        synchronized (queue) {
            dead = true;
            queue.addAll(untilChecked);
            for (Task task : queue) {
                if (task.question() != null) {
                    begun.add(task.question());
                }
            }
            queue.clear();
            queue.notifyAll();
        }
        begun.forEach(question -> question.failed(whyDead));
    }

    private void step(IndexLifecycle store) throws StorageException {
        Task task = next();
        WorkSpanEvent work = WorkSpanEvent.begun(WorkSpanEvent.INDEX);
        try {
            if (task != null) {
                perform(store, task);
                task = null; // it is done, whatever fails next
            }
            commitIfDue(store);
            work.done();
        } catch (IndexFailedException e) {
            LOG.atError().setCause(e).log("The index failed and is made again from the log");
            store.rebuild(); // a second failure in it is the end
            if (task != null) {
                perform(store, task);
            }
            new Verdict(null).ask(store); // the snapshot to check is gone
        }
    }

    private void perform(IndexLifecycle store, Task task) throws StorageException {
        store.apply(task.records());
        Question question = task.question();
        if (question == null) {
            return;
        }
        if (question.care() == Care.NEEDS_ALL_ROWS && !store.isChecked()) {
            untilChecked.add(task);
        } else {
            begun.add(question);
            question.ask(store);
            begun.remove(question);
        }
    }

    /** In the middle of a record: answers read-only questions. */
    private void pause(IndexLifecycle store) throws StorageException {
        for (Task task = nextThatOnlyLooks(); task != null; task = nextThatOnlyLooks()) {
            try {
                perform(store, task);
            } catch (IndexFailedException e) {
                synchronized (queue) {
                    queue.addFirst(task);
                }
                throw e;
            }
        }
    }

    private @Nullable Task nextThatOnlyLooks() {
        synchronized (queue) {
            for (Iterator<Task> each = queue.iterator(); each.hasNext(); ) {
                Task task = each.next();
                if (task.question() != null && task.question().care() == Care.ONLY_LOOKS) {
                    each.remove();
                    return task;
                }
            }
            return null;
        }
    }

    /** The index's rows have been looked at. */
    private final class Verdict implements Question {
        private final @Nullable IndexFailedException failure;

        Verdict(@Nullable IndexFailedException failure) {
            this.failure = failure;
        }

        @Override
        public void ask(IndexLifecycle store) {
            if (failure != null && !store.isChecked()) {
                throw failure; // the index is made again, which makes its rows whole, and this is asked once more
            }
            store.checked();
            synchronized (queue) {
                for (int i = untilChecked.size() - 1; i >= 0; i--) {
                    queue.addFirst(untilChecked.get(i));
                }
            }
            untilChecked.clear();
        }
    }

    /** The next task; null if none waits. */
    private @Nullable Task next() {
        synchronized (queue) {
            Task task = queue.poll();
            if (task != null) {
                waitingRecords -= task.records().size();
                queue.notifyAll();
            }
            return task;
        }
    }

    private SegmentCleaner cleaner() {
        return Objects.requireNonNull(cleaner);
    }

    private long intervalNanos() {
        return cleaner().isBusy() ? STEP_INTERVAL_NANOS : LOOK_INTERVAL_NANOS;
    }

    private void commitIfDue(IndexLifecycle store) throws StorageException {
        long now = runtime.nowNanos();
        if (now - lastLookNanos < intervalNanos()) {
            return;
        }
        lastLookNanos = now;
        store.set().tombstones().expire(expiry.nowMillis());
        if (store.set().isDirty() && isToBeWritten(store, now)) {
            long segment = store.set().applied().next().segment();
            if (segment == forcedSegment) {
                store.commit();
            } else {
                store.checkpoint();
                forcedSegment = segment;
            }
            writtenNanos = now;
            written = store.set().applied();
        }
        cleaner().step(store);
    }

    private boolean isToBeWritten(IndexLifecycle store, long now) {
        AppliedPosition applied = store.set().applied();
        return store.set().isNearlyWritten(store.config().fewChanges())
                || now - writtenNanos >= LONGEST_UNWRITTEN_NANOS
                || applied.sequence() - written.sequence() >= MAX_UNWRITTEN_RECORDS
                || applied.next().segment() - written.next().segment() >= MAX_UNWRITTEN_SEGMENTS;
    }
}
