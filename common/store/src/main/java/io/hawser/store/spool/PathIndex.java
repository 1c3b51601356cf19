package io.hawser.store.spool;

import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The transfers that touch a path. Memory grows with their number only.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class PathIndex {
    private final Map<Topic, NavigableMap<String, ArrayDeque<SpoolTransfer>>> byTopic = new HashMap<>();

    void add(SpoolTransfer transfer) {
        NavigableMap<String, ArrayDeque<SpoolTransfer>> byPath =
                byTopic.computeIfAbsent(transfer.manifest().topic(), unused -> new TreeMap<>());
        for (String path : transfer.manifest().paths()) {
            byPath.computeIfAbsent(path, unused -> new ArrayDeque<>(1)).add(transfer);
        }
    }

    void remove(SpoolTransfer transfer) {
        NavigableMap<String, ArrayDeque<SpoolTransfer>> byPath =
                byTopic.get(transfer.manifest().topic());
        if (byPath == null) {
            return;
        }
        for (String path : transfer.manifest().paths()) {
            ArrayDeque<SpoolTransfer> there = byPath.get(path);
            if (there != null && there.remove(transfer) && there.isEmpty()) {
                byPath.remove(path);
            }
        }
        if (byPath.isEmpty()) {
            byTopic.remove(transfer.manifest().topic());
        }
    }

    /** Those that touch {@code path} or a directory above it, the newest first. */
    List<SpoolTransfer> touching(Topic topic, String path) {
        NavigableMap<String, ArrayDeque<SpoolTransfer>> byPath = byTopic.get(topic);
        if (byPath == null) {
            return List.of();
        }
        List<SpoolTransfer> found = new ArrayList<>(2);
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            addAll(byPath, path.substring(0, slash), found);
        }
        addAll(byPath, path, found);
        found.sort(Comparator.comparingLong(
                        (SpoolTransfer transfer) -> transfer.manifest().number())
                .reversed());
        return found;
    }

    private static void addAll(
            NavigableMap<String, ArrayDeque<SpoolTransfer>> byPath, String path, List<SpoolTransfer> into) {
        ArrayDeque<SpoolTransfer> there = byPath.get(path);
        if (there != null) {
            into.addAll(there);
        }
    }

    /** Those that touch {@code path}, a directory above it, or a path below it; in no order. */
    List<SpoolTransfer> touchingOrBelow(Topic topic, String path) {
        List<SpoolTransfer> found = new ArrayList<>(touching(topic, path));
        NavigableMap<String, ArrayDeque<SpoolTransfer>> byPath = byTopic.get(topic);
        if (byPath != null) {
            PathOverlap.below(byPath, path).values().forEach(found::addAll);
        }
        return found;
    }

    /** Whether a transfer for which {@code wanted} holds touches a path below {@code directory}; the empty name is the root. */
    boolean isTouchedBelow(Topic topic, String directory, Predicate<SpoolTransfer> wanted) {
        NavigableMap<String, ArrayDeque<SpoolTransfer>> byPath = byTopic.get(topic);
        if (byPath == null) {
            return false;
        }
        return (directory.isEmpty() ? byPath : PathOverlap.below(byPath, directory))
                .values().stream().flatMap(ArrayDeque::stream).anyMatch(wanted);
    }
}
