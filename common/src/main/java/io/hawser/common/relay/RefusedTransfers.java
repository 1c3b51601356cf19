package io.hawser.common.relay;

import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was refused lately and is sure to be tried again: for people. Its publisher asks again within seconds, so one that was not
 * refused for {@value #MEMORY_MILLIS} ms is not held back any more. Bounded; of too many the latest are known.
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
     * @param refusal why
     * @param sinceMillis when it was refused first, since it was admitted last
     * @param epochMillis when it was refused last
     */
    public record Refused(Manifest manifest, Refusal refusal, long sinceMillis, long epochMillis) {}

    private final Map<TransferKey, Refused> byKey = new LinkedHashMap<>();

    void refused(Manifest manifest, Refusal refusal, long nowMillis) {
        if (!refusal.code().retriable()) {
            return;
        }
        Refused before = byKey.remove(manifest.key()); // to the end of the row
        long since = before == null || isOld(before, nowMillis) ? nowMillis : before.sinceMillis();
        byKey.put(manifest.key(), new Refused(manifest, refusal, since, nowMillis));
        if (byKey.size() > MAX_TRANSFERS) {
            byKey.remove(byKey.keySet().iterator().next());
        }
    }

    void admitted(TransferKey key) {
        byKey.remove(key);
    }

    /** All, the latest last. */
    public List<Refused> lately(long nowMillis) {
        byKey.values().removeIf(each -> isOld(each, nowMillis));
        return List.copyOf(byKey.values());
    }

    /** Why a transfer that is open does not go on. */
    public Optional<Refusal> of(TransferKey key, long nowMillis) {
        return Optional.ofNullable(byKey.get(key))
                .filter(each -> !isOld(each, nowMillis))
                .map(Refused::refusal);
    }

    private static boolean isOld(Refused refused, long nowMillis) {
        return Math.abs(nowMillis - refused.epochMillis()) > MEMORY_MILLIS; // also when the clock was set back
    }
}
