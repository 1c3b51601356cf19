package io.hawser.ops.event;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A receiver that events are delivered to, at least once.
 *
 * <p>Thread: {@code hawser-events-to-NAME}, which it may block.
 */
public interface EventReceiver extends AutoCloseable {
    /** Its name, in messages and of the file of its cursor. */
    String name();

    /** Whether it wants that event. */
    boolean wants(Event event);

    /**
     * Delivers some events, in order by transfer.
     *
     * @return how many of them, from the first on, it has for good; fewer than all after a failure
     */
    int deliver(List<Event> events) throws InterruptedException;

    /** Why it has not taken an event, if it has not; a sentence for {@code /health}. */
    Optional<String> problem();

    /** After a failure: for how long it asks to be left alone; zero if it does not. */
    default Duration pause() {
        return Duration.ZERO;
    }

    /** Whether it wants no more events. */
    default boolean isGone() {
        return false;
    }

    /** Takes no more. Thread: any. */
    @Override
    void close();
}
