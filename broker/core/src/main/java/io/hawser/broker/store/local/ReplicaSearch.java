package io.hawser.broker.store.local;

import io.hawser.broker.store.Replica;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.TransferKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the far ends that have a copy under a name, from their deliveries: the last file of that name counts unless it was deleted
 * or renamed later, and a rename keeps the content. Looks at all deliveries, once and again while the last one of a far end is a rename,
 * which leads to an earlier name.
 *
 * <p>Thread: index only.
 */
final class ReplicaSearch {
    /** So long a chain of renames is followed. */
    private static final int MAX_PASSES = 8;

    private final String wanted;
    private final Map<Place, Trail> trails =
            new TreeMap<>(Comparator.comparing(Place::topic).thenComparing(Place::subscription));

    /** One far end. */
    private record Place(String topic, String subscription) {}

    /** What is looked for at one far end. */
    private static final class Trail {
        String name;
        /** The name became another one then: only earlier deliveries count. */
        long before = Long.MAX_VALUE;

        /** Of these the last one that says something about the name. */
        @Nullable
        ReplicaRecord last;

        boolean done;

        Trail(String name) {
            this.name = name;
        }
    }

    /** All of deliveries, each time in any order. */
    @FunctionalInterface
    interface Source {
        void each(Consumer<ReplicaRecord> visitor);
    }

    private ReplicaSearch(String wanted) {
        this.wanted = wanted;
    }

    /** The copies under {@code name}, by topic and subscription. */
    static List<Replica> of(String name, Source source) {
        ReplicaSearch search = new ReplicaSearch(name);
        boolean goesOn = true;
        for (int pass = 0; pass < MAX_PASSES && goesOn; pass++) {
            source.each(search::look);
            goesOn = search.followRenames();
        }
        return search.copies();
    }

    private void look(ReplicaRecord delivery) {
        Place place = new Place(delivery.topic().name(), delivery.subscription());
        Trail trail = trails.get(place);
        if (!concerns(delivery, trail == null ? wanted : trail.name)) {
            return;
        }
        if (trail == null) {
            trail = new Trail(wanted);
            trails.put(place, trail);
        }
        ReplicaRecord last = trail.last;
        if (!trail.done
                && delivery.sequence() < trail.before
                && (last == null || last.sequence() < delivery.sequence())) {
            trail.last = delivery;
        }
    }

    /** Where the last one is a rename, what had the name before it is looked for. Whether there is such a far end. */
    private boolean followRenames() {
        boolean any = false;
        for (Trail trail : trails.values()) {
            ReplicaRecord last = trail.last;
            Optional<String> before = trail.done || last == null ? Optional.empty() : nameBefore(last, trail.name);
            if (last != null && before.isPresent()) {
                trail.name = before.get();
                trail.before = last.sequence();
                trail.last = null;
                any = true;
            } else {
                trail.done = true;
            }
        }
        return any;
    }

    private List<Replica> copies() {
        List<Replica> copies = new ArrayList<>();
        for (Trail trail : trails.values()) {
            ReplicaRecord last = trail.last;
            if (trail.done && last != null && !ends(last, trail.name)) {
                copies.add(replica(last));
            }
        }
        return copies;
    }

    private static boolean concerns(ReplicaRecord delivery, String name) {
        return delivery.name().equals(name)
                || ends(delivery, name)
                || nameBefore(delivery, name).isPresent();
    }

    private static Replica replica(ReplicaRecord file) {
        boolean patched = file.kind() == TransferKind.PATCH; // the transfer's size and digest are those of the patch
        return new Replica(
                file.topic(),
                file.subscription(),
                file.key(),
                file.name(),
                patched ? -1 : file.sizeBytes(),
                patched ? null : file.digest(),
                file.epochMillis());
    }

    /** The name before this rename of what is at {@code name} since. */
    private static Optional<String> nameBefore(ReplicaRecord delivery, String name) {
        return delivery.kind() == TransferKind.RENAME && PathOverlap.isAtOrBelow(name, delivery.renamedTo())
                ? Optional.of(
                        delivery.name() + name.substring(delivery.renamedTo().length()))
                : Optional.empty();
    }

    /** What stood at {@code name} until then does so no longer. */
    private static boolean ends(ReplicaRecord delivery, String name) {
        return switch (delivery.kind()) {
            case DELETE -> delivery.name().equals(name);
            case RENAME -> PathOverlap.isAtOrBelow(name, delivery.name());
            default -> false;
        };
    }
}
