package io.hawser.it.sim;

import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names on a file system that journals its directories: changes are seen at once, become durable in their order, and those
 * that no force covered may be undone by a power cut.
 */
final class SimDirectory {
    private sealed interface Change {
        record Create(TransferKey key) implements Change {}

        record Rename(TransferKey key, String name) implements Change {}

        record Unlink(String name) implements Change {}

        record Move(String name, String target) implements Change {}
    }

    private static final class Names {
        final Set<TransferKey> landing = new LinkedHashSet<>();
        final Map<String, TransferKey> visible = new LinkedHashMap<>();

        /** With what is below it. */
        private void move(String name, String target) {
            for (String each : List.copyOf(visible.keySet())) {
                if (each.equals(name) || each.startsWith(name + "/")) {
                    TransferKey moved = visible.remove(each);
                    if (moved != null) {
                        visible.put(target + each.substring(name.length()), moved);
                    }
                }
            }
        }

        void apply(Change change) {
            if (change instanceof Change.Create create) {
                landing.add(create.key);
            } else if (change instanceof Change.Rename rename) {
                landing.remove(rename.key);
                visible.put(rename.name, rename.key);
            } else if (change instanceof Change.Unlink unlink) {
                visible.remove(unlink.name);
            } else if (change instanceof Change.Move move) {
                move(move.name, move.target);
            }
        }
    }

    private Names durable = new Names();
    private Names seen = new Names();
    private final List<Change> unforced = new ArrayList<>();

    boolean hasLandingFile(TransferKey key) {
        return seen.landing.contains(key);
    }

    Map<String, TransferKey> visible() {
        return seen.visible;
    }

    void create(TransferKey key) {
        change(new Change.Create(key));
    }

    /** Whether another object stood at the name. */
    boolean rename(TransferKey key, String name) {
        boolean overwrites = seen.visible.containsKey(name);
        change(new Change.Rename(key, name));
        return overwrites;
    }

    void unlink(String name) {
        change(new Change.Unlink(name));
    }

    void move(String name, String target) {
        change(new Change.Move(name, target));
    }

    /** An empty file system. */
    void wipe() {
        durable = new Names();
        seen = new Names();
        unforced.clear();
    }

    private void change(Change change) {
        unforced.add(change);
        seen.apply(change);
    }

    void force() {
        unforced.forEach(durable::apply);
        unforced.clear();
    }

    /** Keeps the first {@code kept} of the changes that were not forced. Returns the objects whose rename was undone. */
    List<TransferKey> powerCut(int kept) {
        List<TransferKey> undone = new ArrayList<>();
        for (int i = 0; i < unforced.size(); i++) {
            if (i < kept) {
                durable.apply(unforced.get(i));
            } else if (unforced.get(i) instanceof Change.Rename rename) {
                undone.add(rename.key);
            }
        }
        unforced.clear();
        seen = new Names();
        seen.landing.addAll(durable.landing);
        seen.visible.putAll(durable.visible);
        return undone;
    }

    int unforcedCount() {
        return unforced.size();
    }
}
