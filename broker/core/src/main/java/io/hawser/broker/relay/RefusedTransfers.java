package io.hawser.broker.relay;

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

/**
 * Transfers that were refused recently and that their publishers will retry. Its publisher asks again within seconds, so one that
 * was not refused for {@value #MEMORY_MILLIS} ms is no longer held back. Bounded; of too many the oldest are kept, so
 * that they need not wait from the beginning again, and one tenant's do not hide the others'.
 *
 * <p>Times are those of a clock that is never set.
 *
 * <p>Thread: the relay's loop.
 */
public final class RefusedTransfers {
    private static final int MAX_TRANSFERS = 256;
    private static final long MEMORY_MILLIS = 10_000;

    /**
     * A transfer that its publisher has to keep for now.
     *
     * @param manifest what it is
     * @param reason why
     * @param heldBytes what was here of it when it was refused last
     * @param sinceMillis when it was refused first, since it was admitted last
     * @param lastMillis when it was refused last
     */
    public record Refused(
            Manifest manifest, AdmissionRefusal reason, long heldBytes, long sinceMillis, long lastMillis) {
        public Refusal refusal() {
            return reason.refusal();
        }

        TransferKey key() {
            return manifest.key();
        }
    }

    private final Map<TransferKey, Refused> byKey = new LinkedHashMap<>();
    private final LongSupplier steadyMillis;
    private final ArrivalOrder arrivals;

    RefusedTransfers(ArrivalOrder arrivals, LongSupplier steadyMillis) {
        this.arrivals = arrivals;
        this.steadyMillis = steadyMillis;
    }

    void refused(Manifest manifest, AdmissionRefusal reason, long heldBytes) {
        if (!reason.refusal().code().retriable()) {
            return;
        }
        arrivals.see(manifest.key());
        long nowMillis = steadyMillis.getAsLong();
        Refused before = byKey.remove(manifest.key()); // to the end of the row
        long since = before == null || isOld(before, nowMillis) ? nowMillis : before.sinceMillis();
        byKey.put(manifest.key(), new Refused(manifest, reason, heldBytes, since, nowMillis));
        if (byKey.size() > MAX_TRANSFERS) {
            youngestOfTheLargestGroup().ifPresent(byKey::remove);
        }
    }

    /** Of those that want the same room, so that one tenant with very many does not hide the others. */
    private Optional<TransferKey> youngestOfTheLargestGroup() {
        Map<String, List<TransferKey>> groups = new HashMap<>();
        byKey.forEach((key, each) -> groups.computeIfAbsent(each.reason().space(), space -> new ArrayList<>())
                .add(key));
        return groups.values().stream().max(Comparator.comparingInt(List::size)).flatMap(keys -> keys.stream()
                .max(arrivals.oldestFirst));
    }

    void admitted(TransferKey key) {
        byKey.remove(key);
    }

    /** Whether there is none, also of those that are no longer remembered. */
    boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** All, the latest last. */
    public List<Refused> lately() {
        long nowMillis = steadyMillis.getAsLong();
        byKey.values().removeIf(each -> isOld(each, nowMillis));
        return List.copyOf(byKey.values());
    }

    /** Why an open transfer does not move. */
    public Optional<Refusal> of(TransferKey key) {
        long nowMillis = steadyMillis.getAsLong();
        return Optional.ofNullable(byKey.get(key))
                .filter(each -> !isOld(each, nowMillis))
                .map(Refused::refusal);
    }

    public long waitedMillis(Refused refused) {
        return steadyMillis.getAsLong() - refused.sinceMillis();
    }

    /** How long the one has been refused that has been so for longest; 0 if there is none. */
    public long longestMillis() {
        return lately().stream().mapToLong(this::waitedMillis).max().orElse(0);
    }

    private static boolean isOld(Refused refused, long nowMillis) {
        return nowMillis - refused.lastMillis() > MEMORY_MILLIS;
    }
}
