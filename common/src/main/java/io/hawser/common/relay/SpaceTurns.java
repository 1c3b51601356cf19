package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.relay.RefusedTransfers.Refused;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets transfers of unknown size finish one after the other when space is short: no two that are partly here can keep each other
 * waiting for ever (design: Accept what can finish). Space that returns is the eldest's; and if none returns, what is here of
 * the youngest is forgotten. Its publisher has all of it and sends it again later.
 *
 * <p>Transfers of known size have their space reserved and take no part.
 *
 * <p>Thread: the relay's loop.
 */
final class SpaceTurns {
    /** How long the eldest waits before it costs the youngest its place. */
    static final long PATIENCE_MILLIS = 5_000;

    private static final int MAX_CANDIDATES = 512;
    private static final Comparator<TransferKey> BY_AGE =
            Comparator.<TransferKey>comparingLong(key -> key.id().epochMillis()).thenComparing(key -> key);

    private final RelayStore store;
    private final RefusedTransfers refused;
    private final BiConsumer<TransferKey, Refusal> forget;
    private long nextLookMillis;

    /**
     * Creates it.
     *
     * @param forget what is here of a transfer is to be forgotten, and its publisher to be told why
     */
    SpaceTurns(RelayStore store, RefusedTransfers refused, BiConsumer<TransferKey, Refusal> forget) {
        this.store = store;
        this.refused = refused;
        this.forget = forget;
    }

    /** Why this transfer has to wait for its turn, or null. */
    @Nullable
    Refusal mustWait(Manifest manifest, long nowMillis) {
        if (manifest.sizeKnown()) {
            return null;
        }
        return eldestWaiting(nowMillis)
                .filter(eldest -> BY_AGE.compare(eldest.manifest().key(), manifest.key()) < 0)
                .map(SpaceTurns::afterYou)
                .orElse(null);
    }

    private static Refusal afterYou(Refused eldest) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                eldest.manifest().name()
                        + " came earlier and waits for room. It goes on by itself when that one is through.");
    }

    private Optional<Refused> eldestWaiting(long nowMillis) {
        return refused.lately(nowMillis).stream()
                .filter(each -> each.refusal().code() == ErrorCode.NO_SPACE
                        && !each.manifest().sizeKnown())
                .min(Comparator.comparing(each -> each.manifest().key(), BY_AGE));
    }

    /** Time passes. */
    void tick(long nowMillis) {
        boolean clockWentBack = nextLookMillis - nowMillis > PATIENCE_MILLIS;
        if (nowMillis < nextLookMillis && !clockWentBack) {
            return;
        }
        nextLookMillis = nowMillis + PATIENCE_MILLIS / 5;
        Refused eldest = eldestWaiting(nowMillis).orElse(null);
        if (eldest != null && nowMillis - eldest.sinceMillis() >= PATIENCE_MILLIS) {
            nextLookMillis = nowMillis + PATIENCE_MILLIS;
            store.openWithUnknownSize(MAX_CANDIDATES, outcome -> {
                if (!outcome.isRefused()) {
                    makeRoom(eldest, outcome.get());
                }
            });
        }
    }

    private void makeRoom(Refused eldest, List<TransferKey> open) {
        open.stream()
                .max(BY_AGE)
                .filter(youngest -> BY_AGE.compare(eldest.manifest().key(), youngest) < 0)
                .ifPresent(youngest -> forget.accept(youngest, afterYou(eldest)));
    }
}
