package io.hawser.agenta.namespace;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.PatchRanges;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names below one directory after a sequence of transfers: files and directories appear, operations move them and take them
 * away.
 *
 * <p>Thread: one owner.
 */
public final class NamesAfterTransfers {
    private final String directory;
    private final TreeMap<String, Known> names = new TreeMap<>();

    /**
     * A file or directory.
     *
     * @param state the transfer that brought it
     * @param modified the time that it was given since
     */
    record Known(TransferSnapshot state, OptionalLong modified) {}

    /** For the names below {@code directory}; empty is the root. */
    NamesAfterTransfers(String directory) {
        this.directory = directory;
    }

    /** Plays those of {@code states}, which are in their order, that have an effect. */
    void play(List<TransferSnapshot> states) {
        NavigableSet<String> looked = origins(states);
        for (TransferSnapshot state : states) {
            if (hasEffect(state) && state.manifest().paths().stream().anyMatch(path -> concerns(path, looked))) {
                apply(state);
            }
        }
    }

    /** The directory, and the names from which something was renamed into it. */
    private NavigableSet<String> origins(List<TransferSnapshot> states) {
        NavigableSet<String> looked = new TreeSet<>(List.of(directory));
        ListIterator<TransferSnapshot> newestFirst = states.listIterator(states.size());
        while (newestFirst.hasPrevious()) {
            Manifest manifest = newestFirst.previous().manifest();
            if (manifest.kind() == TransferKind.RENAME && concerns(renamedTo(manifest), looked)) {
                looked.add(manifest.name());
            }
        }
        return looked;
    }

    private static boolean concerns(String path, NavigableSet<String> looked) {
        if (looked.contains("") || looked.contains(path)) {
            return true;
        }
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            if (looked.contains(path.substring(0, slash))) {
                return true;
            }
        }
        String below = looked.ceiling(path + "/");
        return below != null && below.startsWith(path + "/");
    }

    private void apply(TransferSnapshot state) {
        Manifest manifest = state.manifest();
        String name = manifest.name();
        switch (manifest.kind()) {
            case FILE, PATCH -> names.put(name, new Known(state, OptionalLong.empty()));
            case MAKE_DIRECTORY -> names.putIfAbsent(name, new Known(state, OptionalLong.empty()));
            case DELETE, REMOVE_DIRECTORY -> names.remove(name);
            case RENAME -> rename(name, renamedTo(manifest));
            case SET_TIME ->
                names.computeIfPresent(name, (unused, known) -> new Known(known.state(), modified(manifest)));
            case SET_MODE, MESSAGE -> {}
        }
    }

    private void rename(String from, String to) {
        List<Map.Entry<String, Known>> moved = new ArrayList<>();
        Known itself = names.remove(from);
        if (itself != null) {
            moved.add(Map.entry(to, itself));
        }
        NavigableMap<String, Known> inside = PathOverlap.below(names, from);
        inside.forEach((name, known) -> moved.add(Map.entry(to + name.substring(from.length()), known)));
        inside.clear();
        moved.forEach(entry -> names.put(entry.getKey(), entry.getValue()));
    }

    /** What is below the directory, by full name. */
    NavigableMap<String, Known> below() {
        return directory.isEmpty() ? names : PathOverlap.below(names, directory);
    }

    /** Whether a transfer has, or will have, its effect. */
    static boolean hasEffect(TransferSnapshot state) {
        return state.commit() != null
                && state.manifest().kind() != TransferKind.MESSAGE
                && state.phase() != SpoolPhase.CANCELLED
                && state.phase() != SpoolPhase.REFUSED
                && !state.isNowhere();
    }

    public static String renamedTo(Manifest rename) {
        return rename.attributes().getOrDefault(Attributes.RENAMED_TO, "");
    }

    /** The size of the file that a transfer makes: a patch leaves what is before and after its bytes. */
    static long resultBytes(TransferSnapshot state) {
        long content = state.sizeBytes();
        if (state.manifest().kind() != TransferKind.PATCH) {
            return content;
        }
        long base = number(state.manifest(), Attributes.BASE_SIZE);
        return PatchRanges.parse(state.manifest().attributes().getOrDefault(Attributes.OFFSET, ""))
                .map(places -> places.mergedBytes(base, content))
                .orElse(base);
    }

    /** A decimal attribute; 0 if it is none, as the base of a patch without a base. */
    private static long number(Manifest manifest, String attribute) {
        try {
            return Long.parseLong(manifest.attributes().getOrDefault(attribute, ""));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The time that a transfer gives to what it brings or touches. */
    static OptionalLong modified(Manifest manifest) {
        try {
            String millis = manifest.attributes().get(Attributes.MODIFIED_MILLIS);
            return millis == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(millis));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
