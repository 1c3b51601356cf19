package io.hawser.store.space;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The transfers that wait for space. A sender asks again within seconds, so one that was not refused for {@value #MEMORY_MILLIS} ms waits
 * no longer. Bounded; of too many the oldest are kept, so that they need not wait from the beginning again, and those of one quota do not
 * hide the others.
 *
 * <p>Times are those of a clock that is never set.
 *
 * <p>Thread: the owner's loop.
 */
public final class WaitingTransfers {
    private static final int MAX_TRANSFERS = 256;
    private static final long MEMORY_MILLIS = 10_000;

    /**
     * A transfer that its sender has to keep for now.
     *
     * @param manifest what it is
     * @param answer what it waits for
     * @param heldBytes what was here of it when it was refused last
     * @param neededBytes all that it needs at once; {@link Manifest#UNKNOWN_SIZE} if any fragment helps
     * @param canFit whether it would fit if others made room for it
     * @param sinceMillis when it was refused first, since it was admitted last
     * @param lastMillis when it was refused last
     */
    public record Waiting(
            Manifest manifest,
            SpaceAnswer.Wait answer,
            long heldBytes,
            long neededBytes,
            boolean canFit,
            long sinceMillis,
            long lastMillis) {
        public TransferKey key() {
            return manifest.key();
        }

        String space() {
            return answer.space();
        }

        /** Whether space that returns helps it. */
        boolean isHelpedByRoom() {
            return canFit && answer.roomHelps();
        }

        private Waiting canFit(boolean fits) {
            return new Waiting(manifest, answer, heldBytes, neededBytes, fits, sinceMillis, lastMillis);
        }
    }

    private final Map<TransferKey, Waiting> byKey = new LinkedHashMap<>();
    private final Comparator<TransferKey> oldestFirst;
    private final LongSupplier steadyMillis;

    WaitingTransfers(Comparator<TransferKey> oldestFirst, LongSupplier steadyMillis) {
        this.oldestFirst = oldestFirst;
        this.steadyMillis = steadyMillis;
    }

    void add(Manifest manifest, SpaceAnswer.Wait answer, long heldBytes, long neededBytes, Predicate<Waiting> canFit) {
        long nowMillis = steadyMillis.getAsLong();
        Waiting before = byKey.remove(manifest.key()); // to the end of the row
        long since = before == null || isOld(before, nowMillis) ? nowMillis : before.sinceMillis();
        Waiting now = new Waiting(manifest, answer, heldBytes, neededBytes, true, since, nowMillis);
        byKey.put(manifest.key(), now.canFit(canFit.test(now)));
        if (byKey.size() > MAX_TRANSFERS) {
            youngestOfTheLargestGroup().ifPresent(byKey::remove);
        }
    }

    private Optional<TransferKey> youngestOfTheLargestGroup() {
        Map<String, List<TransferKey>> groups = new HashMap<>();
        byKey.forEach((key, each) ->
                groups.computeIfAbsent(each.space(), space -> new ArrayList<>()).add(key));
        return groups.values().stream().max(Comparator.comparingInt(List::size)).flatMap(keys -> keys.stream()
                .max(oldestFirst));
    }

    /** Finds out again which would fit if others made room. */
    void look(Predicate<Waiting> canFit) {
        byKey.replaceAll((key, each) -> each.canFit(canFit.test(each)));
    }

    /** It was admitted, or has ended. */
    public void remove(TransferKey key) {
        byKey.remove(key);
    }

    boolean contains(TransferKey key) {
        return byKey.containsKey(key);
    }

    /** Whether there is none, also of those that are no longer remembered. */
    boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** All, the latest last. */
    public List<Waiting> lately() {
        long nowMillis = steadyMillis.getAsLong();
        byKey.values().removeIf(each -> isOld(each, nowMillis));
        return List.copyOf(byKey.values());
    }

    /** Why a transfer does not move. */
    public Optional<Refusal> of(TransferKey key) {
        long nowMillis = steadyMillis.getAsLong();
        return Optional.ofNullable(byKey.get(key))
                .filter(each -> !isOld(each, nowMillis))
                .map(each -> each.answer().refusal());
    }

    public long waitedMillis(Waiting each) {
        return steadyMillis.getAsLong() - each.sinceMillis();
    }

    /** How long the one has waited that has waited longest; 0 if there is none. */
    public long longestMillis() {
        return lately().stream().mapToLong(this::waitedMillis).max().orElse(0);
    }

    private static boolean isOld(Waiting each, long nowMillis) {
        return nowMillis - each.lastMillis() > MEMORY_MILLIS;
    }
}
