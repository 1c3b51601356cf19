package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the far ends said of directories that new names are to go into, for as long as listings are believed, and which of them did not
 * answer a short while ago.
 *
 * <p>Bounded: {@value #MAX_CLEAR} directories and {@value #MAX_SLOW} topics, the newest. Thread: the loop.
 */
final class ObstacleAnswerCache {
    static final int MAX_CLEAR = 1000;
    static final int MAX_SLOW = 1000;
    /** A far end that did not answer is not asked anew by each command. */
    static final Duration BELIEVED_SLOW = Duration.ofSeconds(10);

    private final LongSupplier nanoClock;
    private final Map<Place, Clear> clear = new EvictingMap<>(MAX_CLEAR);
    private final Map<Topic, Long> slow = new EvictingMap<>(MAX_SLOW);

    /** Nothing is in the way below a directory: it is there, or it is missing and can be made. */
    private record Clear(boolean there, long atNanos) {}

    ObstacleAnswerCache(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * Whether nothing is in the way below {@code directory}.
     *
     * @param made whether it would be made if it is missing
     */
    boolean isClear(Place directory, boolean made) {
        Clear known = clear.get(directory);
        return known != null && isFresh(known.atNanos, FarNamespace.FRESH) && (made || known.there);
    }

    /** The far end has just said that {@code directory} is there, or that it is missing and can be made. */
    void remember(Place directory, boolean there) {
        clear.remove(directory);
        clear.put(directory, new Clear(there, nanoClock.getAsLong()));
    }

    /** Something was done to {@code place}: what is remembered of it and below it may no longer be true. */
    void changed(Place place) {
        clear.entrySet()
                .removeIf(known ->
                        !isFresh(known.getValue().atNanos, FarNamespace.FRESH) || place.isAtOrAbove(known.getKey()));
    }

    /** The far end of {@code topic} has just not answered in time. */
    void unanswered(Topic topic) {
        slow.remove(topic);
        slow.put(topic, nanoClock.getAsLong());
        slow.values().removeIf(since -> !isFresh(since, BELIEVED_SLOW));
    }

    /** Whether it did not answer in time when it was last asked, a short while ago. */
    boolean isSlow(Topic topic) {
        return isFresh(slow.get(topic), BELIEVED_SLOW);
    }

    private boolean isFresh(@Nullable Long atNanos, Duration time) {
        return atNanos != null && nanoClock.getAsLong() - atNanos < time.toNanos();
    }
}
