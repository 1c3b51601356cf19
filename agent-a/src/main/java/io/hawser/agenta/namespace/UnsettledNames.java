package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Topic;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The names whose change is accepted here and not durable yet. Another change of such a name waits until it is known whether the first one
 * is made: of two that claim one name only one can succeed.
 *
 * <p>Thread: the loop.
 */
final class UnsettledNames {
    private final Executor loop;
    private final Map<Topic, NavigableMap<String, Unsettled>> byTopic = new HashMap<>();

    private static final class Unsettled {
        private int changes;
        private final Set<Waiter> waiting = new LinkedHashSet<>();
    }

    private final class Waiter implements Runnable {
        private final List<Place> places;
        private final Runnable action;
        private @Nullable Unsettled at;
        private boolean left;

        private Waiter(List<Place> places, Runnable action) {
            this.places = places;
            this.action = action;
        }

        @Override
        public void run() {
            if (!left) {
                at = firstUnsettled(places);
                if (at == null) {
                    action.run();
                } else {
                    at.waiting.add(this);
                }
            }
        }

        private void leave() {
            left = true;
            if (at != null) {
                at.waiting.remove(this);
            }
        }
    }

    UnsettledNames(Executor loop) {
        this.loop = loop;
    }

    /** A change of {@code names} is accepted. */
    void accepted(Topic topic, Collection<String> names) {
        NavigableMap<String, Unsettled> byName = byTopic.computeIfAbsent(topic, unused -> new TreeMap<>());
        names.forEach(name -> byName.computeIfAbsent(name, unused -> new Unsettled()).changes++);
    }

    /** That change is durable or has failed. What waited for it runs one turn of the loop later. */
    void settled(Topic topic, Collection<String> names) {
        NavigableMap<String, Unsettled> byName = byTopic.getOrDefault(topic, new TreeMap<>());
        for (String name : names) {
            Unsettled unsettled = byName.get(name);
            if (unsettled != null && --unsettled.changes == 0) {
                byName.remove(name);
                unsettled.waiting.forEach(loop::execute);
            }
        }
        if (byName.isEmpty()) {
            byTopic.remove(topic);
        }
    }

    /**
     * Runs {@code action} when no change of {@code places}, or of a directory above one, is unsettled; perhaps inside this call. Returns
     * what ends the wait.
     */
    Runnable whenSettled(List<Place> places, Runnable action) {
        Waiter waiter = new Waiter(places, action);
        waiter.run();
        return waiter::leave;
    }

    private @Nullable Unsettled firstUnsettled(List<Place> places) {
        return places.stream()
                .map(this::atOrAbove)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private @Nullable Unsettled atOrAbove(Place place) {
        NavigableMap<String, Unsettled> byName = byTopic.get(place.topic());
        if (byName == null) {
            return null;
        }
        String name = place.name();
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            Unsettled above = byName.get(name.substring(0, slash));
            if (above != null) {
                return above;
            }
        }
        return byName.get(name);
    }

    /** Whether a change of something in {@code directory} is unsettled. */
    boolean isBelow(Place directory) {
        NavigableMap<String, Unsettled> byName = byTopic.get(directory.topic());
        return byName != null && !PathOverlap.below(byName, directory.name()).isEmpty();
    }
}
