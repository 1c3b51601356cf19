package io.hawser.core.hop;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Order by path: decides which transfers must wait for which. Two transfers of one publisher to one topic conflict if they touch the same
 * path, or if one touches a directory that contains the other's path. Of two that conflict, the one with the lower number goes first.
 *
 * <p>Thread: the owner's.
 */
public final class PathOrder {
    /** The scope within which equal paths conflict. */
    private record Area(NodeId publisher, Topic topic) {
        // Written out for the same reason as in TransferKey.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Area that && publisher.equals(that.publisher) && topic.equals(that.topic);
        }

        @Override
        public int hashCode() {
            return 31 * publisher.hashCode() + topic.hashCode();
        }

        static Area of(Manifest manifest) {
            return new Area(manifest.key().publisher(), manifest.topic());
        }
    }

    private final Map<Area, NavigableMap<String, NavigableMap<Long, TransferKey>>> byArea = new HashMap<>();
    private final Map<TransferKey, Set<TransferKey>> waiters = new HashMap<>();

    /** Enters the transfer: later ones of its paths wait until {@link #release}. */
    public void register(Manifest manifest, long order) {
        NavigableMap<String, NavigableMap<Long, TransferKey>> byPath =
                byArea.computeIfAbsent(Area.of(manifest), unused -> new TreeMap<>());
        for (String path : manifest.paths()) {
            byPath.computeIfAbsent(path, unused -> new TreeMap<>()).put(order, manifest.key());
        }
    }

    /** Removes the transfer. Returns those that waited for it. */
    public List<TransferKey> release(Manifest manifest, long order) {
        TransferKey key = manifest.key();
        NavigableMap<String, NavigableMap<Long, TransferKey>> byPath = byArea.get(Area.of(manifest));
        if (byPath != null) {
            for (String path : manifest.paths()) {
                NavigableMap<Long, TransferKey> orders = byPath.get(path);
                if (orders != null && orders.remove(order, key) && orders.isEmpty()) {
                    byPath.remove(path);
                }
            }
            if (byPath.isEmpty()) {
                byArea.remove(Area.of(manifest));
            }
        }
        Set<TransferKey> woken = waiters.remove(key);
        return woken == null ? List.of() : List.copyOf(woken);
    }

    /** Whether the transfer must wait. If so, {@link #release} of its predecessor returns it. */
    public boolean mustWait(Manifest manifest, long order) {
        for (String path : manifest.paths()) {
            TransferKey predecessor = predecessor(manifest, order, path);
            if (predecessor != null) {
                waiters.computeIfAbsent(predecessor, unused -> new LinkedHashSet<>())
                        .add(manifest.key());
                return true;
            }
        }
        return false;
    }

    /** The transfer that must come first, for status; null if none must. */
    @Nullable
    TransferKey blocking(Manifest manifest, long order) {
        for (String path : manifest.paths()) {
            TransferKey predecessor = predecessor(manifest, order, path);
            if (predecessor != null) {
                return predecessor;
            }
        }
        return null;
    }

    private @Nullable TransferKey predecessor(Manifest manifest, long order, String path) {
        NavigableMap<String, NavigableMap<Long, TransferKey>> byPath = byArea.get(Area.of(manifest));
        if (byPath == null) {
            return null;
        }
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            TransferKey above = before(byPath.get(path.substring(0, slash)), order);
            if (above != null) {
                return above;
            }
        }
        TransferKey same = before(byPath.get(path), order);
        if (same != null) {
            return same;
        }
        for (NavigableMap<Long, TransferKey> below :
                PathOverlap.below(byPath, path).values()) {
            TransferKey inside = before(below, order);
            if (inside != null) {
                return inside;
            }
        }
        return null;
    }

    private static @Nullable TransferKey before(@Nullable NavigableMap<Long, TransferKey> orders, long order) {
        if (orders == null) {
            return null;
        }
        Map.Entry<Long, TransferKey> last = orders.lowerEntry(order);
        return last == null ? null : last.getValue();
    }
}
