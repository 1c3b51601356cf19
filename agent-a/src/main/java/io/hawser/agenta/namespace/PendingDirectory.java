package io.hawser.agenta.namespace;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What this node holds of one directory. Made before the far end is asked for the same directory. When the answer comes, {@link #answered}
 * brings it up to date: what has ended since counts as pending, because the far end may have answered before. So what is delivered
 * meanwhile is in the answer, in this, or in both.
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
    /** What had ended before the far end was asked. */
    private final Set<TransferKey> ended;
    /** What has ended since, by each path that it touches. */
    private final Map<String, List<TransferSnapshot>> endedSince = new HashMap<>();

    private PendingDirectory(
            Spool spool, Namespace.Place place, Collection<TransferSnapshot> states, Set<TransferKey> ended) {
        this.spool = spool;
        this.place = place;
        this.prefix = place.isTopic() ? "" : place.name() + "/";
        this.states = states.stream()
                .sorted(Comparator.comparingLong(state -> state.manifest().number()))
                .toList();
        this.ended = ended;
    }

    /** Walks through {@code spool}. */
    static PendingDirectory of(Spool spool, Namespace.Place place) {
        List<TransferSnapshot> states = walk(spool, place);
        Set<TransferKey> ended = states.stream()
                .filter(state -> state.phase().isFinal())
                .map(TransferSnapshot::key)
                .collect(Collectors.toSet());
        return new PendingDirectory(spool, place, states, ended);
    }

    private static List<TransferSnapshot> walk(Spool spool, Namespace.Place place) {
        return spool.states().stream()
                .filter(state -> state.manifest().topic().equals(place.topic()))
                .toList();
    }

    /**
     * The same as it is now that the far end has answered.
     *
     * @param changed whether something was accepted since, so that the spool must be walked through again
     */
    PendingDirectory answered(boolean changed) {
        PendingDirectory now = new PendingDirectory(spool, place, changed ? latest() : states, ended);
        now.findEndedSince();
        return now;
    }

    private Collection<TransferSnapshot> latest() {
        Map<TransferKey, TransferSnapshot> latest = new HashMap<>();
        states.forEach(state -> latest.put(state.key(), state));
        walk(spool, place).forEach(state -> latest.put(state.key(), state));
        return latest.values();
    }

    private void findEndedSince() {
        for (TransferSnapshot state : states) {
            List<String> paths = state.manifest().paths();
            if (isPending(state) && paths.stream().anyMatch(this::isOnTheWay)) {
                Optional<TransferSnapshot> latest = spool.state(state.key());
                if (latest.isEmpty() || latest.get().phase().isFinal()) { // the spool forgets what has ended
                    paths.forEach(path -> endedSince
                            .computeIfAbsent(path, unused -> new ArrayList<>(1))
                            .add(latest.orElse(state)));
                }
            }
        }
    }

    /** Whether {@code path} is in the directory, or at or above it. */
    private boolean isOnTheWay(String path) {
        return path.startsWith(prefix) || PathOverlap.isAtOrBelow(place.name(), path);
    }

    /** Whether the far end's answer may be without its effect. */
    private boolean isPending(TransferSnapshot state) {
        return !ended.contains(state.key());
    }

    /** Whether something in it may be other than the far end says. */
    boolean isTouched() {
        return states.stream().filter(this::isPending).anyMatch(state -> state.manifest().paths().stream()
                .anyMatch(path -> path.startsWith(prefix)));
    }

    /** What is at its own name. What is brought below an older name makes a directory of that name again. */
    PathState itself() {
        return PathStateSearch.at(place.name(), name -> {
            List<TransferSnapshot> all = new ArrayList<>(spool.touching(place.topic(), name));
            states.stream()
                    .filter(state -> isPending(state)
                            && state.manifest().paths().stream().anyMatch(path -> PathOverlap.isBelow(path, name)))
                    .forEach(all::add);
            return newestFirst(all);
        });
    }

    /** What is at a name of its topic. */
    PathState stateAt(String name) {
        return PathStateSearch.at(name, this::touching);
    }

    private List<TransferSnapshot> touching(String name) {
        List<TransferSnapshot> touching = spool.touching(place.topic(), name);
        if (endedSince.isEmpty()) {
            return touching;
        }
        List<TransferSnapshot> all = new ArrayList<>(touching);
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            all.addAll(endedSince.getOrDefault(name.substring(0, slash), List.of()));
        }
        all.addAll(endedSince.getOrDefault(name, List.of()));
        return newestFirst(all);
    }

    private static List<TransferSnapshot> newestFirst(List<TransferSnapshot> all) {
        all.sort(Comparator.comparingLong(
                        (TransferSnapshot state) -> state.manifest().number())
                .reversed());
        return all;
    }

    /** The topics of which {@code spool} knows something, as directories by name. */
    static Collection<PathFacts> topics(Spool spool, Predicate<TransferSnapshot> wanted) {
        Map<String, PathFacts> topics = new TreeMap<>();
        for (TransferSnapshot state : spool.states()) {
            if (NamesAfterTransfers.hasEffect(state) && wanted.test(state)) {
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

    /** Those of them that had not ended: the far end may not have them yet. */
    Collection<PathFacts> accepted() {
        return list(this::isPending);
    }

    private Collection<PathFacts> list(Predicate<TransferSnapshot> wanted) {
        NamesAfterTransfers replay = new NamesAfterTransfers(place.name());
        replay.play(states);
        Map<String, PathFacts> entries = new TreeMap<>();
        for (Map.Entry<String, NamesAfterTransfers.Known> named : replay.below().entrySet()) {
            NamesAfterTransfers.Known known = named.getValue();
            if (wanted.test(known.state())) {
                add(entries, named.getKey().substring(prefix.length()), known);
            }
        }
        return entries.values();
    }

    private static void add(Map<String, PathFacts> entries, String below, NamesAfterTransfers.Known known) {
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
     * What was renamed into it here, and the far end has under an older name until it has done the same: by the new last segment. Empty if
     * there are more than {@value #MAX_RENAMED}.
     */
    Optional<Map<String, PathState.AtFarEnd>> renamedInto() {
        Map<String, PathState.AtFarEnd> renamed = new TreeMap<>();
        for (TransferSnapshot state : states) {
            String target = NamesAfterTransfers.renamedTo(state.manifest());
            boolean inside = target.startsWith(prefix) && target.indexOf('/', prefix.length()) < 0;
            if (state.manifest().kind() == TransferKind.RENAME
                    && inside
                    && isPending(state)
                    && stateAt(target) instanceof PathState.AtFarEnd far
                    && far.isBeingRenamed()) {
                if (renamed.size() == MAX_RENAMED) {
                    return Optional.empty();
                }
                renamed.put(target.substring(prefix.length()), far);
            }
        }
        return Optional.of(renamed);
    }
}
