package io.hawser.store.log;

import java.util.List;

/**
 * Sees every record that became durable, in order, before the callbacks of the same group are made: so an index that
 * enqueues them here knows of all that anyone was told.
 *
 * <p>Thread: log-writer. It must not block.
 */
@FunctionalInterface
public interface LogObserver {
    LogObserver NONE = records -> {};

    /** These records have become durable by one force. */
    void durable(List<LogRecord> records);
}
