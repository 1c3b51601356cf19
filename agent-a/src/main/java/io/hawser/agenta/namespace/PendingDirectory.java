package io.hawser.agenta.namespace;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What this node holds of one directory, as one walk through the spool has found it. Made before the far end is asked for the same
 * directory: what is delivered meanwhile is then in one of the two, or in both.
 *
 * <p>Thread: the loop.
 */
public final class PendingDirectory {
    /** Each costs a listing one question to the far end. */
    public static final int MAX_RENAMED = 256;

    private final Spool spool;
    private final Namespace.Place place;
    private final String prefix;
    private final List<TransferSnapshot> states;

    /** Walks through {@code spool}. */
    PendingDirectory(Spool spool, Namespace.Place place) {
        this.spool = spool;
        this.place = place;
        this.prefix = place.isTopic() ? "" : place.name() + "/";
        this.states = spool.states().stream()
                .filter(state -> state.manifest().topic().equals(place.topic()))
                .sorted(Comparator.comparingLong(state -> state.manifest().number()))
                .toList();
    }

    /** The topics of which {@code spool} knows something, as directories by name. */
    static Collection<PathFacts> topics(Spool spool, Predicate<TransferSnapshot> wanted) {
        Map<String, PathFacts> topics = new TreeMap<>();
        for (TransferSnapshot state : spool.states()) {
            if (NameReplay.hasEffect(state) && wanted.test(state)) {
                String topic = state.manifest().topic().name();
                topics.putIfAbsent(
                        topic, PathFacts.directory(topic, state.key().id().epochMillis()));
            }
        }
        return topics.values();
    }

    /** The entries, by name, also those that have been delivered. Of each name the newest. */
    Collection<PathFacts> all() {
        return list(state -> true);
    }

    /** Those of them that have not ended: the far end may not have them yet. */
    Collection<PathFacts> accepted() {
        return list(state -> !state.phase().isFinal());
    }

    private Collection<PathFacts> list(Predicate<TransferSnapshot> wanted) {
        NameReplay replay = new NameReplay(place.name());
        replay.play(states);
        Map<String, PathFacts> entries = new TreeMap<>();
        for (Map.Entry<String, NameReplay.Known> named : replay.below().entrySet()) {
            NameReplay.Known known = named.getValue();
            if (wanted.test(known.state())) {
                add(entries, named.getKey().substring(prefix.length()), known);
            }
        }
        return entries.values();
    }

    private static void add(Map<String, PathFacts> entries, String below, NameReplay.Known known) {
        int slash = below.indexOf('/');
        if (slash > 0) {
            String name = below.substring(0, slash);
            entries.putIfAbsent(
                    name, PathFacts.directory(name, known.state().key().id().epochMillis()));
        } else if (!below.isEmpty()) {
            entries.put(below, PendingNames.facts(below, known.state(), known.modified()));
        }
    }

    /** The uploads of {@code account} below it that broke off, as far as they came; those in directories below it as these. */
    Map<String, PathFacts> incomplete(String account) {
        Map<String, PathFacts> entries = new TreeMap<>();
        for (TransferSnapshot state : states) {
            String name = state.manifest().name();
            if (state.phase() == SpoolPhase.INCOMPLETE
                    && state.manifest().kind() == TransferKind.FILE
                    && account.equals(state.manifest().attributes().get(Attributes.ACCOUNT))
                    && name.startsWith(prefix)) {
                String below = name.substring(prefix.length());
                int slash = below.indexOf('/');
                if (slash < 0) {
                    PendingNames.incomplete(spool, below, state).ifPresent(entry -> entries.put(below, entry));
                } else {
                    String directory = below.substring(0, slash);
                    entries.putIfAbsent(directory, PathFacts.directory(directory, PendingNames.modifiedMillis(state)));
                }
            }
        }
        return entries;
    }

    /**
     * What was renamed into it here, and the far end has under an older name until it has done the same: the new last segment, and the
     * place to ask. Empty if there are more than {@value #MAX_RENAMED}.
     */
    Optional<Map<String, Namespace.Place>> renamedInto() {
        Map<String, Namespace.Place> renamed = new TreeMap<>();
        for (TransferSnapshot state : states) {
            String target = NameReplay.renamedTo(state.manifest());
            boolean inside = target.startsWith(prefix) && target.indexOf('/', prefix.length()) < 0;
            if (state.manifest().kind() == TransferKind.RENAME
                    && inside
                    && !state.phase().isFinal()
                    && PathStateSearch.at(spool, new Namespace.Place(place.topic(), target))
                            instanceof PathState.AtFarEnd far
                    && !far.name().equals(target)) {
                if (renamed.size() == MAX_RENAMED) {
                    return Optional.empty();
                }
                renamed.put(target.substring(prefix.length()), new Namespace.Place(place.topic(), far.name()));
            }
        }
        return Optional.of(renamed);
    }
}
