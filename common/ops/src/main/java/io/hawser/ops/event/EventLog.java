package io.hawser.ops.event;

import io.hawser.ops.observe.EventSettings;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of a node, durable: a journal with records of its own, which the cleaning of the node's store does not touch. Events come
 * from any thread into a bounded queue and are appended in groups, at most {@value #GROUP_MILLIS} ms later, so that they cost the transfers'
 * path nothing.
 *
 * <p>At least once: the store tells of each event after its cause is durable, keeps the cause until the event is, and at a start tells again
 * of causes that it still has. Those up to the last cause in this log are known and ignored.
 *
 * <p>Thread: any; what blocks says so. {@code hawser-events} encodes and deletes, the journal's thread writes.
 */
public final class EventLog implements TransferEvents {
    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
    private static final String DIRECTORY = "events";
    private static final String SEGMENTS = "log";

    static final int GROUP_MILLIS = 200;
    private static final Duration EXPIRY_INTERVAL = Duration.ofMinutes(1);

    private final EventStorage storage;
    private final Path directory;
    private final EventSettings settings;
    private final StoreRuntime runtime;
    private final Consumer<StorageException> fatal;
    private final SerialQueue queue;
    private final EventQueue unwritten;
    private final EndedTransferLog ended;
    private final EventSegments segments = new EventSegments();
    private final EventTail tail = new EventTail();
    private final List<SerialQueue> followers = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Function<TransferEvent, EventFacts.Details> details = event -> EventFacts.Details.NONE;
    private volatile LongSupplier firstNeeded = () -> 0;
    private volatile @Nullable EventJournal journal;
    private volatile long durableSequence;
    private volatile long foundSequence;

    /** Owned by the queue. */
    private long nextSequence = 1;
    /** Of the events that were numbered; owned by the queue. */
    private Cause lastCause = Cause.START;

    /**
     * Nothing is opened before {@link #begin}.
     *
     * @param storage where its journal is
     * @param directory its own, in the node's data directory
     * @param runtime its own
     * @param fatal told on some thread when the log cannot be written: the node has to end
     */
    public EventLog(
            EventStorage storage,
            Path directory,
            EventSettings settings,
            StoreRuntime runtime,
            Consumer<StorageException> fatal) {
        this.storage = storage;
        this.directory = directory;
        this.settings = settings;
        this.runtime = runtime;
        this.fatal = fatal;
        this.ended = new EndedTransferLog(runtime::steadyMillis);
        this.queue = runtime.disk().serial(Lane.JOURNAL, "hawser-events");
        Runnable flush = () -> queue.execute(this::flush);
        this.unwritten =
                new EventQueue(directory, flush, () -> runtime.disk().after(Duration.ofMillis(GROUP_MILLIS), flush));
    }

    /** Where a node has its event log. */
    public static Path directoryIn(Path data) {
        return data.resolve(DIRECTORY);
    }

    /** Where an event log on this machine has its segments. */
    static Path segmentsIn(Path directory) {
        return directory.resolve(SEGMENTS);
    }

    /** Sets what the node adds to the events of its store. It is called on the store's thread and must not block. */
    public void details(Function<TransferEvent, EventFacts.Details> source) {
        details = source;
    }

    /** Runs {@code woken} on some thread whenever there are more durable events. It must not block. */
    public void listen(Runnable woken) {
        listeners.add(woken);
    }

    /** A queue for one who follows the log, which {@link #end} ends. */
    SerialQueue serial(String name) {
        SerialQueue made = runtime.disk().serial(Lane.JOURNAL, name);
        followers.add(made);
        return made;
    }

    /** Calls {@code post} after that time, unless the log has ended by then. It must only post. */
    void after(Duration delay, Runnable post) {
        runtime.disk().after(delay, post);
    }

    /** Sets from which event on the history needs the log; 0 if all that is kept. */
    void keepFrom(LongSupplier first) {
        firstNeeded = first;
    }

    @Override
    public void begin(String logId, Cause end) throws StorageException {
        if (journal != null || unwritten.hasEnded()) {
            throw new IllegalStateException("the event log was begun before");
        }
        EventJournal opened = storage.open(runtime, fatal);
        try {
            opened.showFirst(first -> segments.add(first, EventCodec.decode(first)));
            opened.replay(segments.lastSegment(), 0, this::recover);
        } catch (StorageException | RuntimeException e) {
            opened.close();
            throw e;
        }
        durableSequence = nextSequence - 1;
        foundSequence = durableSequence;
        lastCause = unwritten.begin(logId, end);
        journal = opened;
        LOG.atInfo()
                .addKeyValue("directory", directory)
                .addKeyValue("lastEvent", durableSequence)
                .log("Event log opened");
        opened.scrub(serial("hawser-events-check"), runtime.disk());
        runtime.disk().after(EXPIRY_INTERVAL, this::postExpiry);
        listeners.forEach(Runnable::run);
    }

    private void recover(LogRecord record) throws StorageException {
        EventCodec.Batch batch = EventCodec.decode(record);
        segments.add(record, batch);
        unwritten.recovered(batch);
        for (Event event : batch.events()) {
            nextSequence = event.sequence() + 1;
        }
    }

    @Override
    public void happened(TransferEvent event) {
        unwritten.happened(PendingEvent.of(event, details.apply(event)));
    }

    /** Takes an event that no record of the store caused; it is durable soon, if the node lives. */
    public void note(EventType type, String subject, boolean ends, EventFacts facts) {
        unwritten.note(PendingEvent.of(type, runtime.nowMillis(), subject, ends, facts));
    }

    /** Queue. */
    private void flush() {
        EventQueue.Taken taken = unwritten.take(isDiskFull());
        taken.batches().forEach(batch -> append(taken.sourceId(), batch));
    }

    /** Whether the disk has no room for events now, also without the old ones. What waits stays in memory until it has. */
    private boolean isDiskFull() {
        try {
            EventJournal opened = journal;
            if (opened == null || !opened.isFull()) {
                return false;
            }
            segments.expire(opened, 0, 0, 0);
            return opened.isFull();
        } catch (StorageException e) {
            LOG.atDebug().setCause(e).log("The room on the disk of the event log is not known");
            return false;
        }
    }

    private void append(String source, List<PendingEvent> pending) {
        EventJournal to = journal; // before what is set when it is opened
        List<Event> events =
                pending.stream().map(each -> each.toEvent(nextSequence++)).toList();
        ended.write(events);
        if (to == null) {
            unwritten.written(events.size());
            return;
        }
        Cause last = lastCause;
        for (PendingEvent each : pending) {
            last = each.cause().equals(Cause.START) ? last : each.cause();
        }
        lastCause = last;
        byte[] body = EventCodec.encode(new EventCodec.Batch(source, last, events));
        to.append(
                events.get(0).sequence(),
                body,
                AppendCallback.of((sequence, position) -> durable(events, position), this::failed));
    }

    /** The journal's thread. */
    private void durable(List<Event> events, LogPosition position) {
        segments.durable(position.segment(), events.get(0));
        tail.add(events);
        durableSequence = events.get(events.size() - 1).sequence();
        unwritten.written(events.size());
        listeners.forEach(Runnable::run);
    }

    /** What is not written keeps its causes. */
    private void failed(StorageException cause) {
        LOG.atError().setCause(cause).log("Events could not be written");
        unwritten.failed();
    }

    @Override
    public long neededSegment() {
        return unwritten.neededSegment();
    }

    @Override
    public void awaitDurable() {
        unwritten.awaitDurable();
    }

    /** The number of the last durable event; 0 if there is none. */
    public long lastSequence() {
        return durableSequence;
    }

    /** The number of the last event that earlier runs left; 0 if there is none. */
    long foundSequence() {
        return foundSequence;
    }

    /** How many places of the log were found damaged in this run. */
    public int damages() {
        EventJournal opened = journal;
        return opened == null ? 0 : opened.damages();
    }

    /** The number of the oldest event that is kept. */
    public long firstSequence() {
        return segments.firstSequence();
    }

    /** Identifies this log; empty before it is open. */
    public String id() {
        EventJournal opened = journal;
        return opened == null ? "" : opened.id();
    }

    /** Where it is. */
    public Path directory() {
        return directory;
    }

    /** How far a receiver has come; empty if that is not known. The log is open. Blocks. */
    String place(String receiver) throws StorageException {
        return open().place(receiver);
    }

    /** Keeps durably how far a receiver has come. The log is open. Blocks. */
    void place(String receiver, String place) throws StorageException {
        open().place(receiver, place);
    }

    private EventJournal open() {
        EventJournal opened = journal;
        if (opened == null) {
            throw new IllegalStateException("the event log is not open");
        }
        return opened;
    }

    /** How many events found no place in the queue, since their disk was too slow. */
    public long lost() {
        return unwritten.lost();
    }

    /** Durable events from that number on, in their order, at most about {@code limit}; empty if there is none yet. Blocks. */
    public List<Event> read(long fromSequence, int limit) throws StorageException {
        EventJournal from = journal;
        if (from == null || fromSequence > durableSequence) {
            return List.of();
        }
        List<Event> recent = tail.from(fromSequence, limit);
        if (!recent.isEmpty()) {
            return recent;
        }
        List<Event> found = new ArrayList<>();
        try {
            from.replay(segments.segmentOf(fromSequence), fromSequence, record -> {
                for (Event event : EventCodec.decode(record).events()) {
                    if (event.sequence() >= fromSequence) {
                        found.add(event);
                    }
                }
                if (found.size() >= limit) {
                    throw new EnoughException();
                }
            });
        } catch (EnoughException e) {
            return found;
        }
        return found;
    }

    /** Ends a replay. */
    private static final class EnoughException extends StorageException {
        private static final long serialVersionUID = 1;

        EnoughException() {
            super("enough was read");
        }
    }

    private void postExpiry() {
        queue.execute(() -> {
            expire();
            runtime.disk().after(EXPIRY_INTERVAL, this::postExpiry);
        });
    }

    /** Deletes old segments now. Blocks. */
    void expireNow() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        queue.execute(() -> {
            expire();
            done.complete(true);
        });
        done.join();
    }

    /** Queue. */
    private void expire() {
        EventJournal opened = journal;
        if (opened == null) {
            return;
        }
        try {
            segments.expire(
                    opened,
                    runtime.nowMillis() - settings.keep().toMillis(),
                    firstNeeded.getAsLong(),
                    settings.quotaBytes());
        } catch (StorageException e) {
            LOG.atWarn().setCause(e).log("An old segment of the event log could not be deleted; tried again later");
        }
    }

    @Override
    public void end() {
        if (!unwritten.ending()) {
            return;
        }
        followers.forEach(SerialQueue::close);
        queue.close();
        EventJournal opened = journal;
        if (opened != null) {
            opened.close();
        }
        unwritten.ended();
        runtime.disk().close();
    }
}
