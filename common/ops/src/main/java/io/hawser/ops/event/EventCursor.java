package io.hawser.ops.event;

import io.hawser.store.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a receiver of events has come, durable: the number of the last event that it has, and the id of the log. It is written after the
 * receiver has answered, so that after a crash it gets some events again, and misses none.
 *
 * <p>Thread: its receiver's; blocks.
 */
final class EventCursor {
    private static final Logger LOG = LoggerFactory.getLogger(EventCursor.class);

    private final String name;
    private final EventLog log;

    /** @param name of the receiver */
    EventCursor(String name, EventLog log) {
        this.name = name;
        this.log = log;
    }

    /** The number of the last event that the receiver has; a new one begins with what comes from now on. The log is open. */
    long read() throws StorageException {
        String found = log.place(name);
        if (found.isEmpty()) {
            write(log.lastSequence());
            return log.lastSequence();
        }
        String[] words = found.split(" ", -1);
        boolean isOfLog = words.length == 2 && words[0].equals(log.id()) && words[1].matches("[0-9]{1,18}");
        if (isOfLog) {
            return Math.min(Long.parseLong(words[1]), log.foundSequence());
        }
        LOG.atWarn()
                .addKeyValue("receiver", name)
                .log("A receiver's place is of another event log; it gets all that is kept");
        return log.firstSequence() - 1;
    }

    /** The receiver has all up to that one. What was written before is written again: some places forget what is not used. */
    void write(long sequence) throws StorageException {
        log.place(name, log.id() + " " + sequence);
    }
}
