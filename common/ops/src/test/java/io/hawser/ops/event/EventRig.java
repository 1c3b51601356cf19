package io.hawser.ops.event;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.ops.observe.EventSettings;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** An event log with its history in a directory, as a node has it; closing it is an orderly stop. */
final class EventRig implements AutoCloseable {
    static final String SOURCE = "0123456789abcdef0123456789abcdef";
    static final Cause FAR = new Cause(1_000_000, 0);
    /** Nothing is too old or too much. */
    static final EventSettings FOREVER =
            new EventSettings(java.time.Duration.ofDays(36_500), 1_000_000, 1L << 30, EventSettings.Receivers.NONE);

    static final long BEGAN_MILLIS = 1_700_000_000_000L;

    final EventLog log;
    final History history;
    final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    EventRig(Path directory, EventSettings settings) throws StorageException {
        this(directory, settings, SOURCE, FAR);
    }

    EventRig(Path directory, EventSettings settings, String source, Cause end) throws StorageException {
        this(directory, settings, source, end, journal -> journal);
    }

    EventRig(Path directory, EventSettings settings, String source, Cause end, UnaryOperator<EventJournal> around)
            throws StorageException {
        this(directory, settings, source, end, around, new DiskStorage());
    }

    EventRig(
            Path directory,
            EventSettings settings,
            String source,
            Cause end,
            UnaryOperator<EventJournal> around,
            Storage storage)
            throws StorageException {
        StoreRuntime runtime = StoreRuntime.of(new ThreadedDisk("events", 1));
        EventStorage local = EventStorage.local(storage, directory, settings.quotaBytes());
        EventStorage events = (its, dead) -> around.apply(local.open(its, dead));
        log = new EventLog(events, directory, settings, runtime, fatal::add);
        history = new History("test", log, storage, directory, settings, runtime);
        log.begin(source, end);
    }

    static TransferKey key(int number) {
        return new TransferKey(new NodeId(1, 2), TransferId.of(BEGAN_MILLIS + number, 3, number));
    }

    static TransferEvent event(EventType type, int transfer, String subscription, boolean ends, long cause) {
        return event(type, transfer, "site-b", "dir/file-" + transfer, subscription, ends, cause);
    }

    static TransferEvent event(
            EventType type, int transfer, String topic, String name, String subscription, boolean ends, long cause) {
        Manifest manifest = new Manifest(
                key(transfer),
                transfer + 1,
                new Topic(topic),
                TransferKind.FILE,
                name,
                List.of(name),
                4096,
                4096,
                Map.of("account", "alice"));
        Commit commit = Commit.of(4096, new TransferDigest(4096, new byte[32]));
        String reason = type.isFailure() ? "the disk is full" : "";
        return new TransferEvent(
                type,
                key(transfer),
                manifest,
                commit,
                subscription,
                reason,
                BEGAN_MILLIS + 2000 + transfer,
                ends,
                new Cause(1, cause));
    }

    HistoryPage find(Map<String, String> query) throws Exception {
        return history.find(HistoryQuery.of(query), topic -> true);
    }

    @Override
    public void close() {
        history.close();
        log.end();
    }
}
