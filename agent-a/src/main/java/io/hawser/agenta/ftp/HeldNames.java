package io.hawser.agenta.ftp;

import io.hawser.common.ftp.FtpPath;
import io.hawser.common.model.Attributes;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKind;
import io.hawser.common.spool.Spool;
import io.hawser.common.spool.SpoolPhase;
import io.hawser.common.spool.TransferState;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What this node can say of the namespace by itself: the files and directories that its spool knows. A name that is not among
 * them may well exist at the far end.
 *
 * <p>Thread: the loop.
 */
public final class HeldNames {
    private final Namespace namespace;
    private final Spool spool;

    HeldNames(Namespace namespace, Spool spool) {
        this.namespace = namespace;
        this.spool = spool;
    }

    /**
     * A file or a directory.
     *
     * @param name its last segment
     * @param directory whether it is a directory
     * @param sizeBytes a file's size, 0 for a directory
     * @param modifiedMillis its time, milliseconds since the epoch
     */
    public record Entry(String name, boolean directory, long sizeBytes, long modifiedMillis) {}

    /** What is known of {@code path}: a complete file, or a directory. */
    public Optional<Entry> find(FtpPath path) {
        Optional<Namespace.Place> place = namespace.place(path);
        if (path.isRoot() || (place.isPresent() && place.get().isTopic())) {
            return Optional.of(new Entry(path.name(), true, 0, 0));
        }
        Optional<Entry> itself = findTransferred(path);
        if (itself.isPresent() || place.isEmpty()) {
            return itself;
        }
        return isDirectoryOfSomething(place.get()) ? Optional.of(new Entry(path.name(), true, 0, 0)) : Optional.empty();
    }

    /** What was transferred under exactly that name: a complete file, or a directory that was made. */
    public Optional<Entry> findTransferred(FtpPath path) {
        return namespace
                .place(path)
                .filter(place -> !place.isTopic())
                .flatMap(place -> spool.find(place.topic(), place.name()))
                .filter(HeldNames::isThere)
                .map(state -> entry(path.name(), state));
    }

    /** The entries of the directory {@code path}, by name. Of each name the newest. */
    public Collection<Entry> list(FtpPath path) {
        TreeMap<String, Entry> entries = new TreeMap<>();
        Optional<Namespace.Place> place = namespace.place(path);
        for (TransferState state : spool.states()) {
            if (isThere(state)) {
                String below = place.map(p -> below(p, state.manifest()))
                        .orElseGet(() -> path.isRoot() ? state.manifest().topic() + "/" : "");
                add(entries, below, state);
            }
        }
        return entries.values();
    }

    private static void add(Map<String, Entry> entries, String below, TransferState state) {
        int slash = below.indexOf('/');
        if (slash > 0) {
            String name = below.substring(0, slash);
            entries.putIfAbsent(name, new Entry(name, true, 0, state.key().id().epochMillis()));
        } else if (!below.isEmpty()) {
            entries.put(below, entry(below, state));
        }
    }

    private boolean isDirectoryOfSomething(Namespace.Place place) {
        return spool.states().stream()
                .anyMatch(state ->
                        isThere(state) && !below(place, state.manifest()).isEmpty());
    }

    /** The rest of a transfer's name below a directory, or empty if it lies elsewhere. */
    private static String below(Namespace.Place directory, Manifest manifest) {
        if (!manifest.topic().equals(directory.topic())) {
            return "";
        }
        if (directory.isTopic()) {
            return manifest.name();
        }
        String prefix = directory.name() + "/";
        return manifest.name().startsWith(prefix) ? manifest.name().substring(prefix.length()) : "";
    }

    private static boolean isThere(TransferState state) {
        return state.commit() != null
                && state.manifest().kind() != TransferKind.MESSAGE
                && state.phase() != SpoolPhase.CANCELLED
                && state.phase() != SpoolPhase.REFUSED;
    }

    private static Entry entry(String name, TransferState state) {
        boolean directory = state.manifest().kind() == TransferKind.MAKE_DIRECTORY;
        return new Entry(name, directory, directory ? 0 : state.sizeBytes(), modifiedMillis(state));
    }

    private static long modifiedMillis(TransferState state) {
        String modified = state.manifest().attributes().get(Attributes.MODIFIED_MILLIS);
        try {
            return modified != null
                    ? Long.parseLong(modified)
                    : state.key().id().epochMillis();
        } catch (NumberFormatException e) {
            return state.key().id().epochMillis();
        }
    }
}
