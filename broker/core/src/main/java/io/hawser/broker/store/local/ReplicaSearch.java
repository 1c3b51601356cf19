package io.hawser.broker.store.local;

import io.hawser.broker.store.Replica;
import io.hawser.core.model.PathTree;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds the far ends that have a copy under a name, from their deliveries: the last file of that name counts unless it was deleted
 * or renamed later, and a rename keeps the content. Looks at all deliveries, once and again for each name that a rename leads to.
 *
 * <p>Thread: index only.
 */
final class ReplicaSearch {
    /** So long a chain of renames is followed. */
    private static final int MAX_PASSES = 8;

    private static final int MAX_FOUND = 20_000;

    /** One far end. */
    private record Place(String topic, String subscription) {}

    private final Set<String> names = new HashSet<>();
    private final Map<Place, List<ReplicaRecord>> found =
            new TreeMap<>(Comparator.comparing(Place::topic).thenComparing(Place::subscription));
    private int count;

    /** All of deliveries, each time in any order. */
    @FunctionalInterface
    interface Source {
        void each(Consumer<ReplicaRecord> visitor);
    }

    private ReplicaSearch() {}

    /** The copies under {@code name}, by topic and subscription. */
    static List<Replica> of(String name, Source source) {
        ReplicaSearch search = new ReplicaSearch();
        search.names.add(name);
        int known = 0;
        for (int pass = 0; pass < MAX_PASSES && known < search.names.size(); pass++) {
            known = search.names.size();
            search.found.clear();
            search.count = 0;
            source.each(search::look);
        }
        List<Replica> replicas = new ArrayList<>();
        search.found.forEach((place, deliveries) ->
                replicaOf(name, place.subscription(), deliveries).ifPresent(replicas::add));
        return replicas;
    }

    private void look(ReplicaRecord delivery) {
        boolean touches = false;
        for (String name : List.copyOf(names)) {
            Optional<String> before = nameBefore(delivery, name);
            before.ifPresent(names::add);
            touches |= before.isPresent()
                    || ends(delivery, name)
                    || delivery.name().equals(name);
        }
        if (touches && count < MAX_FOUND) {
            count++;
            found.computeIfAbsent(
                            new Place(delivery.topic().name(), delivery.subscription()), unused -> new ArrayList<>())
                    .add(delivery);
        }
    }

    private static Optional<Replica> replicaOf(String wanted, String subscription, List<ReplicaRecord> deliveries) {
        deliveries.sort(Comparator.comparingLong(ReplicaRecord::sequence).reversed());
        String name = wanted;
        for (ReplicaRecord delivery : deliveries) {
            Optional<String> before = nameBefore(delivery, name);
            if (before.isPresent()) {
                name = before.get();
            } else if (ends(delivery, name)) {
                return Optional.empty();
            } else if (delivery.name().equals(name)) {
                return Optional.of(replica(delivery.topic(), subscription, delivery));
            }
        }
        return Optional.empty();
    }

    private static Replica replica(Topic topic, String subscription, ReplicaRecord file) {
        boolean patched = file.kind() == TransferKind.PATCH; // the transfer's size and digest are those of the patch
        return new Replica(
                topic,
                subscription,
                file.key(),
                file.name(),
                patched ? -1 : file.sizeBytes(),
                patched ? null : file.digest(),
                file.epochMillis());
    }

    /** The name before this rename of what is at {@code name} since. */
    private static Optional<String> nameBefore(ReplicaRecord delivery, String name) {
        return delivery.kind() == TransferKind.RENAME && PathTree.isAtOrBelow(name, delivery.renamedTo())
                ? Optional.of(
                        delivery.name() + name.substring(delivery.renamedTo().length()))
                : Optional.empty();
    }

    /** What stood at {@code name} until then does so no longer. */
    private static boolean ends(ReplicaRecord delivery, String name) {
        return switch (delivery.kind()) {
            case DELETE -> delivery.name().equals(name);
            case RENAME -> PathTree.isAtOrBelow(name, delivery.name());
            default -> false;
        };
    }
}
