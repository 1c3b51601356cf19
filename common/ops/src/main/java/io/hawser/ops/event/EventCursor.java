package io.hawser.ops.event;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

    private final Storage storage;
    private final Path file;
    private final EventLog log;
    private long written;

    /** @param name of the receiver */
    EventCursor(Storage storage, Path directory, String name, EventLog log) {
        this.storage = storage;
        this.file = directory.resolve("cursor-" + name);
        this.log = log;
    }

    /** The number of the last event that the receiver has; a new one begins with what comes from now on. */
    long read() throws StorageException {
        if (storage.facts(file) != null) {
            String[] words = new String(storage.readAll(file), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", -1);
            boolean isOfLog = words.length == 2 && words[0].equals(log.id()) && words[1].matches("[0-9]{1,18}");
            if (isOfLog) {
                written = Math.min(Long.parseLong(words[1]), log.foundSequence());
                return written;
            }
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .log("A receiver's place is of another event log; it gets all that is kept");
            return log.firstSequence() - 1;
        }
        write(log.lastSequence());
        return log.lastSequence();
    }

    /** The receiver has all up to that one. */
    void write(long sequence) throws StorageException {
        if (sequence != written || sequence == 0) {
            storage.replaceAll(file, (log.id() + " " + sequence + "\n").getBytes(StandardCharsets.US_ASCII));
            written = sequence;
        }
    }
}
