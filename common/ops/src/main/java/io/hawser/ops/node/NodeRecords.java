package io.hawser.ops.node;

import io.hawser.core.model.Topic;
import io.hawser.ops.event.EventFeed;
import io.hawser.ops.event.EventLog;
import io.hawser.ops.event.EventReceivers;
import io.hawser.ops.event.EventStorage;
import io.hawser.ops.event.History;
import io.hawser.ops.event.HistoryQuery;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.EventSettings;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.WarningCode;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a node records of what happens: its event log, the history, those who get or follow the events.
 *
 * <p>Thread: any.
 */
final class NodeRecords {
    private static final String HEALTH = "/health";

    private final EventLog events;
    private final History history;
    private final EventFeed feed;
    private final EventReceivers receivers;
    private final HealthWatch watch;
    private volatile AdminPage health = AdminPage.json((AdminPage.JsonPage) query -> Health.of(true, "", Map.of()));

    /**
     * Nothing is opened before the node's store begins.
     *
     * @param node the node's name
     * @param directory its own, in the node's data directory
     * @param journal where its events are kept
     * @param fatal told on some thread when events cannot be written
     */
    NodeRecords(
            String node,
            Storage storage,
            Path directory,
            EventStorage journal,
            EventSettings settings,
            Consumer<StorageException> fatal) {
        StoreRuntime runtime = StoreRuntime.of(new ThreadedDisk("events", 1));
        events = new EventLog(journal, directory, settings, runtime, fatal);
        history = new History(node, events, storage, directory, settings, runtime);
        feed = new EventFeed(events, node);
        receivers = EventReceivers.start(settings.receivers(), node, events);
        watch = new HealthWatch(
                () -> Json.read(health.get(Map.of()).body().getBytes(StandardCharsets.UTF_8), Health.class),
                (type, subject, facts) -> events.note(type, subject, false, facts));
        watch.start();
    }

    EventLog events() {
        return events;
    }

    /** The node's pages with those of its records; from here on its warnings are those of its {@code /health}. */
    Map<String, AdminPage> pages(Map<String, AdminPage> own) {
        AdminPage page = own.get(HEALTH);
        if (page != null) {
            health = page;
        }
        Map<String, AdminPage> more = new LinkedHashMap<>(own);
        more.put("/events", feed);
        more.put(
                "/history",
                AdminPage.json((query, caller) -> history.find(
                        HistoryQuery.of(query),
                        topic -> caller.access().seesAll()
                                || (!topic.isEmpty() && caller.access().sees(new Topic(topic))))));
        return more;
    }

    List<HealthWarning> warnings() {
        List<HealthWarning> found = new ArrayList<>(receivers.warnings());
        if (events.lost() > 0) {
            found.add(WarningCode.EVENTS_LOST.says(events.lost() + " events were not recorded, since the disk of "
                    + events.directory() + " was too slow: the history lacks them. Check the disk"));
        }
        if (events.damages() > 0) {
            found.add(WarningCode.EVENTS_LOST.says("the event log in " + events.directory() + " is damaged in "
                    + events.damages() + (events.damages() == 1 ? " place" : " places")
                    + ": the history lacks what was there, and no transfer depends on it. Stop the node and run"
                    + " 'hawser fsck' on its data directory to see what it is, and check the disk"));
        }
        return found;
    }

    /** Ends those who read; before the node's store is closed. Idempotent. Blocks. */
    void closeReaders() {
        watch.close();
        receivers.close();
        history.close();
    }

    /** Ends the rest. Idempotent. Blocks. */
    void close() {
        closeReaders();
        events.end();
    }
}
