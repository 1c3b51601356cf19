package io.hawser.ops.event;

import io.hawser.store.event.Cause;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Events that are not durable yet, and the causes that the store keeps for them. It is bounded: of too many the newest are lost. What the log
 * has of an earlier run is known and ignored.
 *
 * <p>Thread: any; {@link #awaitDurable} blocks.
 */
final class EventQueue {
    /** With the most bytes that an event takes, this is less than a record may have. */
    private static final int MAX_BATCH = 100;
    /** Batches that may be with the log's writer. */
    private static final int MAX_BATCHES = 60;
    /** So many are not left waiting for the others of their group. */
    private static final int FULL_GROUP = 1000;

    private static final int MAX_WAITING = 20_000;

    private final Path directory;
    private final Runnable flush;
    private final Runnable flushLater;

    private final Object lock = new Object();
    private List<PendingEvent> waiting = new ArrayList<>();
    /** The causes of batches that are being written, oldest first. */
    private final ArrayDeque<Cause> beingWritten = new ArrayDeque<>();

    private boolean laterPosted;
    private boolean nowPosted;
    private boolean ended;
    private boolean failed;
    /** Whether the disk is full: what waits is written later, and nothing else waits for it. */
    private boolean held;

    private long submitted;
    private long settled;
    private long lost;
    private String sourceId = "";
    private Cause highest = Cause.START;
    /** Of the events with the highest cause that an earlier run has written. */
    private final Set<String> knownIds = new HashSet<>();

    /**
     * What is to be written.
     *
     * @param sourceId the store whose causes these are
     */
    record Taken(String sourceId, List<List<PendingEvent>> batches) {}

    /**
     * @param directory of the log, for messages
     * @param flush posts a call of {@link #take} for now; called with the lock
     * @param flushLater the same for a little later
     */
    EventQueue(Path directory, Runnable flush, Runnable flushLater) {
        this.directory = directory;
        this.flush = flush;
        this.flushLater = flushLater;
    }

    /** The log has this batch, after those before. */
    void recovered(EventCodec.Batch batch) {
        synchronized (lock) {
            if (!batch.highest().equals(highest)) {
                knownIds.clear();
            }
            sourceId = batch.sourceId();
            highest = batch.highest();
            for (Event event : batch.events()) {
                if (event.cause().equals(highest)) {
                    knownIds.add(event.id());
                }
            }
        }
    }

    /**
     * The log is read.
     *
     * @param logId the store's identity
     * @param end where the store ends
     * @return the cause up to which all is known
     */
    Cause begin(String logId, Cause end) {
        synchronized (lock) {
            if (!sourceId.equals(logId) || highest.compareTo(end) > 0) {
                highest = Cause.START; // another store, or an older copy of it
                knownIds.clear();
            }
            sourceId = logId;
            return highest;
        }
    }

    /** Takes an event of the store, unless it is known. */
    void happened(PendingEvent event) {
        synchronized (lock) {
            int order = event.cause().compareTo(highest);
            if (order < 0
                    || (order == 0
                            && !knownIds.isEmpty()
                            && knownIds.contains(event.toEvent(0).id()))) {
                return; // a replay
            }
            highest = event.cause();
            add(event);
        }
    }

    /** Takes an event that no record of the store caused. */
    void note(PendingEvent event) {
        synchronized (lock) {
            add(event);
        }
    }

    // Called with the lock.
    private void add(PendingEvent event) {
        if (ended) {
            return;
        }
        if (waiting.size() >= MAX_WAITING) {
            lost++;
            return;
        }
        waiting.add(event);
        submitted++;
        if (waiting.size() >= FULL_GROUP) {
            flush();
        } else {
            flushLater();
        }
    }

    // Called with the lock.
    private void flushLater() {
        if (!laterPosted) {
            laterPosted = true;
            flushLater.run();
        }
    }

    // Called with the lock.
    private void flush() {
        if (!nowPosted) {
            nowPosted = true;
            flush.run();
        }
    }

    /** Takes all that waits; nothing, and is called again later, while the disk is full or slow. */
    Taken take(boolean isDiskFull) {
        synchronized (lock) {
            laterPosted = false;
            nowPosted = false;
            held = isDiskFull && !ended;
            if (held) {
                lock.notifyAll();
            }
            List<List<PendingEvent>> batches = new ArrayList<>();
            if (!ended && (held || beingWritten.size() > MAX_BATCHES)) {
                flushLater();
                return new Taken(sourceId, batches);
            }
            for (int i = 0; i < waiting.size(); i += MAX_BATCH) {
                batches.add(waiting.subList(i, Math.min(waiting.size(), i + MAX_BATCH)));
            }
            batches.forEach(batch -> beingWritten.add(firstCause(batch)));
            waiting = new ArrayList<>();
            return new Taken(sourceId, batches);
        }
    }

    private static Cause firstCause(List<PendingEvent> events) {
        return events.stream()
                .map(PendingEvent::cause)
                .filter(cause -> !cause.equals(Cause.START))
                .findFirst()
                .orElse(new Cause(Long.MAX_VALUE, 0));
    }

    /** The oldest batch that was taken is durable. */
    void written(int events) {
        synchronized (lock) {
            settled += events;
            beingWritten.poll();
            lock.notifyAll();
        }
    }

    /** Nothing more is written: what was taken keeps its causes. */
    void failed() {
        synchronized (lock) {
            failed = true;
            lock.notifyAll();
        }
    }

    /** Asks for a last flush; false if it has ended before. */
    boolean ending() {
        synchronized (lock) {
            if (!ended) {
                flush();
            }
            return !ended;
        }
    }

    void ended() {
        synchronized (lock) {
            ended = true;
            lock.notifyAll();
        }
    }

    boolean hasEnded() {
        synchronized (lock) {
            return ended;
        }
    }

    /** As {@link EventLog#neededSegment}. */
    long neededSegment() {
        synchronized (lock) {
            long needed = Long.MAX_VALUE;
            for (Cause cause : beingWritten) {
                needed = Math.min(needed, cause.segment());
            }
            return waiting.isEmpty()
                    ? needed
                    : Math.min(needed, firstCause(waiting).segment());
        }
    }

    /** As {@link EventLog#awaitDurable}. */
    void awaitDurable() {
        boolean interrupted = false;
        synchronized (lock) {
            long target = submitted;
            if (settled < target) {
                flush();
            }
            while (settled < target && !ended && !failed && !held) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true; // what the caller writes next must not overtake the events
                }
            }
            if (failed) {
                throw new IllegalStateException("the event log in " + directory + " has failed");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@link EventLog#lost}. */
    long lost() {
        synchronized (lock) {
            return lost;
        }
    }
}
