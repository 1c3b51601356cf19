package io.hawser.store.landing;

import io.hawser.core.model.PathOverlap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Order by path at the target: of objects that touch the same path, or where one path contains the other, the one that was
 * added first is published first. Publishers are not told apart, since they write into one tree.
 *
 * <p>Thread: the loop.
 *
 * @param <T> what is put in order; compared by identity or equality, as it likes
 */
final class PublicationOrder<T> {
    private final NavigableMap<String, List<Place<T>>> byPath = new TreeMap<>();
    private final Map<T, Place<T>> places = new HashMap<>();

    private static final class Place<T> {
        final T item;
        final List<String> paths;
        final List<Place<T>> followers = new ArrayList<>(0);
        int predecessors;

        Place(T item, List<String> paths) {
            this.item = item;
            this.paths = paths;
        }
    }

    /** Adds {@code item} after all others. Returns whether it may be published at once. */
    boolean add(T item, List<String> paths) {
        Place<T> place = new Place<>(item, List.copyOf(new LinkedHashSet<>(paths)));
        Set<Place<T>> before = new LinkedHashSet<>();
        place.paths.forEach(path -> collectConflicts(path, before));
        before.forEach(predecessor -> predecessor.followers.add(place));
        place.predecessors = before.size();
        place.paths.forEach(path ->
                byPath.computeIfAbsent(path, unused -> new ArrayList<>(1)).add(place));
        places.put(item, place);
        return before.isEmpty();
    }

    private void collectConflicts(String path, Set<Place<T>> into) {
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            into.addAll(byPath.getOrDefault(path.substring(0, slash), List.of()));
        }
        into.addAll(byPath.getOrDefault(path, List.of()));
        PathOverlap.below(byPath, path).values().forEach(into::addAll);
    }

    /** Whether others have to be published before {@code item}. */
    boolean mustWait(T item) {
        Place<T> place = places.get(item);
        return place != null && place.predecessors > 0;
    }

    /** {@code item} is published, or never will be. Returns those that may go now, in their order. */
    List<T> remove(T item) {
        Place<T> place = places.remove(item);
        if (place == null) {
            return List.of();
        }
        for (String path : place.paths) {
            byPath.computeIfPresent(path, (unused, there) -> {
                there.remove(place);
                return there.isEmpty() ? null : there;
            });
        }
        List<T> free = new ArrayList<>(place.followers.size());
        for (Place<T> follower : place.followers) {
            follower.predecessors--;
            if (follower.predecessors == 0) {
                free.add(follower.item);
            }
        }
        return free;
    }
}
