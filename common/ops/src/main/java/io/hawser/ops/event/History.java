package io.hawser.ops.event;

import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.EventSettings;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The finished transfers of a node: the projection of its event log, in {@link HistoryIndex}. While very many events come, it reads the log
 * in short steps with long pauses, so that it takes a small part of one processor; a question makes it catch up for {@value
 * #CATCH_UP_MILLIS} ms at most.
 *
 * <p>Thread: any; the index belongs to {@code hawser-history}.
 */
public final class History implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(History.class);
    static final String INDEX = "index";
    private static final int READ_AT_ONCE = 250;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** A step on an idle node, which may take a whole processor for so long. */
    private static final long IDLE_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int CATCH_UP_MILLIS = 1000;
    private static final long ANSWER_SECONDS = 10;

    private final String node;
    private final EventLog log;
    private final Storage storage;
    private final Path parent;
    private final Path directory;
    private final EventSettings settings;
    private final StoreRuntime runtime;
    private final SerialQueue thread;

    private final Object lock = new Object();
    private boolean stepPosted;
    private boolean closed;

    /** Owned by the thread, as all that follows. */
    private @Nullable HistoryIndex index;

    private long next;
    private long seen;
    private long compactBytes;
    private boolean broken;
    /** Whether this run has had the index open: before, it can have no later events than earlier runs left. */
    private boolean wasOpen;

    private volatile long oldest;

    /**
     * @param node the node's name
     * @param directory the event log's
     * @param runtime the event log's
     */
    public History(
            String node, EventLog log, Storage storage, Path directory, EventSettings settings, StoreRuntime runtime) {
        this.node = node;
        this.log = log;
        this.storage = storage;
        this.parent = directory;
        this.directory = directory.resolve(INDEX);
        this.settings = settings;
        this.runtime = runtime;
        this.thread = runtime.disk().serial(Lane.JOURNAL, "hawser-history");
        log.keepFrom(() -> oldest);
        log.listen(this::postStep);
    }

    private void postStep() {
        synchronized (lock) {
            if (stepPosted || closed) {
                return;
            }
            stepPosted = true;
        }
        runtime.disk().after(PAUSE, () -> thread.execute(this::step));
    }

    private void step() {
        synchronized (lock) {
            stepPosted = false;
        }
        boolean isIdle = log.lastSequence() == seen;
        seen = log.lastSequence();
        catchUp(isIdle ? IDLE_STEP_NANOS : STEP_NANOS);
        compactIfBloated();
        if (next <= log.lastSequence() && !broken) {
            postStep();
        }
    }

    /**
     * The rows that match, of topics that {@code seesTopic}. Blocks.
     *
     * @throws IOException if the index does not answer
     */
    public HistoryPage find(HistoryQuery query, Predicate<String> seesTopic) throws IOException {
        CompletableFuture<HistoryPage> answer = new CompletableFuture<>();
        if (!thread.execute(() -> answer(query, seesTopic, answer))) {
            throw new IOException("the node is stopping");
        }
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the history cannot be read now: " + e.getMessage(), e);
        }
    }

    private void answer(HistoryQuery query, Predicate<String> seesTopic, CompletableFuture<HistoryPage> answer) {
        try {
            catchUp(TimeUnit.MILLISECONDS.toNanos(CATCH_UP_MILLIS));
            HistoryIndex rows = index;
            if (rows == null) {
                throw new IOException("its index cannot be opened");
            }
            List<HistoryEntry> found = rows.find(query, seesTopic);
            boolean more = found.size() > query.limit();
            List<HistoryEntry> shown = more ? found.subList(0, query.limit()) : found;
            HistoryEntry last = more ? shown.get(shown.size() - 1) : null;
            answer.complete(new HistoryPage(
                    node,
                    shown.stream().map(HistoryEntry::toRow).toList(),
                    last == null ? null : new HistoryQuery.Place(last.endedMillis, last.sequence).toString(),
                    Math.max(0, log.lastSequence() + 1 - next)));
        } catch (SQLException | IllegalArgumentException e) {
            begin("a question failed", e);
            answer.completeExceptionally(e);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
    }

    /** Applies events for so long at most. */
    private void catchUp(long nanos) {
        if (log.id().isEmpty() || broken) {
            return;
        }
        try {
            if (!tryCatchUp(nanos)) {
                boolean unused = tryCatchUp(nanos); // it was made again
            }
        } catch (StorageException e) {
            LOG.atWarn().setCause(e).log("The history cannot be read from the event log; tried again");
        }
    }

    private boolean tryCatchUp(long nanos) throws StorageException {
        if (broken) {
            return true;
        }
        try {
            if (index == null) {
                open();
            }
            apply(nanos);
            return true;
        } catch (SQLException | IllegalArgumentException | IllegalStateException e) {
            begin("it failed", e);
            return false;
        }
    }

    private void open() throws StorageException, SQLException {
        storage.createPrivateDirectory(parent);
        HistoryIndex opened = HistoryIndex.open(storage, directory);
        long found = opened.next(log.id());
        boolean isOfLostEvents = found > (wasOpen ? log.lastSequence() : log.foundSequence()) + 1;
        if (found == 0 || isOfLostEvents) {
            opened.close();
            HistoryIndex.delete(storage, directory);
            opened = HistoryIndex.open(storage, directory);
            found = log.firstSequence();
        }
        opened.expireUnfinished(runtime.nowMillis() - settings.keep().toMillis());
        wasOpen = true;
        next = found;
        index = opened;
        oldest = opened.oldest();
    }

    /** Makes the index again, from the log. A second failure in it is left to the next start. */
    private void begin(String why, Exception cause) {
        LOG.atWarn()
                .addKeyValue("why", why)
                .setCause(cause)
                .log("The index of the history is made again from the event log");
        try {
            if (index != null) {
                index.close();
            }
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("A broken index could not even be left in order");
        }
        index = null;
        try {
            HistoryIndex.delete(storage, directory);
            open();
            postStep();
        } catch (StorageException | SQLException | IllegalStateException e) {
            broken = true;
            LOG.atError().setCause(e).log("There is no history until the next start; events are recorded all the same");
        }
    }

    private void compactIfBloated() {
        HistoryIndex bloated = index;
        try {
            if (bloated == null || !bloated.isBloated(compactBytes)) {
                return;
            }
            bloated.compact();
            index = null;
            open();
            HistoryIndex compact = index;
            compactBytes = compact == null ? 0 : compact.fileBytes();
        } catch (StorageException | SQLException | IllegalStateException e) {
            begin("its file could not be made smaller", e);
        }
    }

    private void apply(long nanos) throws StorageException, SQLException {
        HistoryIndex rows = index;
        long until = runtime.nowNanos() + nanos;
        while (rows != null && next <= log.lastSequence() && runtime.nowNanos() < until) {
            List<Event> events = log.read(next, READ_AT_ONCE);
            if (events.isEmpty()) {
                return;
            }
            apply(rows, events);
            next = events.get(events.size() - 1).sequence() + 1;
            boolean more = rows.expire(
                    settings.keepRows(), runtime.nowMillis() - settings.keep().toMillis());
            rows.commit(log.id(), next);
            while (more) {
                more = rows.expire(
                        settings.keepRows(),
                        runtime.nowMillis() - settings.keep().toMillis());
                rows.commit(log.id(), next);
            }
            oldest = rows.rows() < settings.keepRows() ? 0 : rows.oldest();
        }
    }

    private static void apply(HistoryIndex rows, List<Event> events) throws SQLException {
        Map<TransferKey, HistoryEntry> touched = new LinkedHashMap<>();
        Map<TransferKey, Boolean> known = new LinkedHashMap<>();
        for (Event event : events) {
            TransferKey key = event.key();
            if (key != null) {
                HistoryEntry entry = touched.get(key);
                if (entry == null) {
                    HistoryEntry found = rows.find(key);
                    entry = found == null ? new HistoryEntry(key) : found;
                    known.put(key, found != null);
                    touched.put(key, entry);
                }
                entry.apply(event);
            } else if (event.ends()) {
                HistoryEntry entry = new HistoryEntry(null);
                entry.apply(event);
                rows.put(entry, false);
            }
        }
        for (HistoryEntry entry : touched.values()) {
            rows.put(entry, Boolean.TRUE.equals(known.get(entry.key)));
        }
    }

    /** Takes no more questions; blocks until the index is closed. Before the event log ends. */
    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        thread.execute(() -> {
            try {
                if (index != null) {
                    index.close();
                }
            } catch (SQLException e) {
                LOG.atDebug().setCause(e).log("The index of the history could not be closed in order");
            }
            index = null;
            broken = true;
        });
        thread.close();
    }
}
