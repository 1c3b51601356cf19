package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.relay.RefusedTransfers.Refused;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is when space is short: no two transfers that are partly here can keep each other waiting for ever, and none is passed by
 * others for ever (design: Accept what can finish). Whoever is younger waits:
 *
 * <ul>
 *   <li>for one of unknown size always: it lacks room for a single fragment, so room that returns is the eldest's. If none returns, what
 *       is here of the youngest of unknown size is forgotten. Its publisher has all of it and sends it again later.
 *   <li>for one of known size, which needs all its room at once, only at times, and only if nothing of the younger is here: what it needs
 *       may be owed to somebody who is away for weeks. Once it has been passed by for a minute, nobody new is let in for
 *       {@value #FIRST_HOLD_MILLIS} ms, then everybody for twice as long, and so on with times that double up to
 *       {@value #LONGEST_HOLD_MILLIS} ms: so what is here comes to its end, and the others have two thirds of the time.
 * </ul>
 *
 * <p>What needs no room never waits. Of what is of known size nothing is ever forgotten: its room is reserved.
 *
 * <p>Thread: the relay's loop.
 */
final class SpaceTurns {
    /** How long the eldest waits before it costs the youngest its place. */
    static final long PATIENCE_MILLIS = 5_000;
    /** How long one of known size is passed by before others are held back for it. */
    static final long PASSED_BY_MILLIS = 60_000;

    static final long FIRST_HOLD_MILLIS = 20_000;
    private static final long LONGEST_HOLD_MILLIS = 640_000;
    /** A time in which nobody new is let in and the one after it, measured by the former. */
    private static final int HOLD_AND_PASS = 3;

    private static final int MAX_CANDIDATES = 512;
    private static final Comparator<TransferKey> BY_AGE = RefusedTransfers.BY_AGE;

    private final RelayStore store;
    private final RefusedTransfers refused;
    private final LongSupplier steadyMillis;
    private final BiConsumer<TransferKey, Refusal> forget;
    private long nextLookMillis;

    /**
     * Creates it.
     *
     * @param steadyMillis a clock that is never set
     * @param forget what is here of a transfer is to be forgotten, and its publisher to be told why
     */
    SpaceTurns(
            RelayStore store,
            RefusedTransfers refused,
            LongSupplier steadyMillis,
            BiConsumer<TransferKey, Refusal> forget) {
        this.store = store;
        this.refused = refused;
        this.steadyMillis = steadyMillis;
        this.forget = forget;
    }

    /**
     * Why this transfer has to wait for its turn, or null.
     *
     * @param isHere whether it was let in before and something of it may be here
     */
    @Nullable
    Refusal mustWait(Manifest manifest, boolean isHere) {
        if (manifest.sizeBytes() == 0) {
            return null;
        }
        return waiting()
                .filter(each -> BY_AGE.compare(each.key(), manifest.key()) < 0 && goesFirst(each, isHere))
                .min(Comparator.comparing(Refused::key, BY_AGE))
                .map(SpaceTurns::afterYou)
                .orElse(null);
    }

    private boolean goesFirst(Refused elder, boolean youngerIsHere) {
        return !elder.manifest().sizeKnown() || (!youngerIsHere && holdsBack(refused.waitedMillis(elder)));
    }

    /** Whether nobody new is let in for one of known size that has waited for so long. */
    static boolean holdsBack(long waitedMillis) {
        long left = waitedMillis - PASSED_BY_MILLIS;
        for (long hold = FIRST_HOLD_MILLIS; left >= 0; hold = Math.min(2 * hold, LONGEST_HOLD_MILLIS)) {
            if (left < hold) {
                return true;
            }
            left -= HOLD_AND_PASS * hold;
        }
        return false;
    }

    private static Refusal afterYou(Refused eldest) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                eldest.manifest().name()
                        + " came earlier and waits for room. It goes on by itself when that one is through.");
    }

    private Stream<Refused> waiting() {
        return refused.lately().stream().filter(each -> each.refusal().code() == ErrorCode.NO_SPACE);
    }

    /** Who has waited for so long that a younger one gives its place up. */
    private Optional<Refused> eldestOutOfPatience() {
        return waiting()
                .min(Comparator.comparing(Refused::key, BY_AGE))
                .filter(each -> refused.waitedMillis(each)
                        >= (each.manifest().sizeKnown() ? PASSED_BY_MILLIS : PATIENCE_MILLIS));
    }

    /** Time passes. */
    void tick() {
        long nowMillis = steadyMillis.getAsLong();
        if (nowMillis < nextLookMillis) {
            return;
        }
        nextLookMillis = nowMillis + PATIENCE_MILLIS / 5;
        eldestOutOfPatience().ifPresent(eldest -> {
            nextLookMillis = nowMillis + PATIENCE_MILLIS;
            store.openWithUnknownSize(MAX_CANDIDATES, outcome -> {
                if (!outcome.isRefused()) {
                    makeRoom(eldest, outcome.get());
                }
            });
        });
    }

    /** For one of known size only what stands still itself is forgotten: there may be room for single fragments. */
    private void makeRoom(Refused eldest, List<TransferKey> open) {
        Set<TransferKey> standing = waiting().map(Refused::key).collect(Collectors.toSet());
        open.stream()
                .filter(key -> !eldest.manifest().sizeKnown() || standing.contains(key))
                .max(BY_AGE)
                .filter(youngest -> BY_AGE.compare(eldest.key(), youngest) < 0)
                .ifPresent(youngest -> forget.accept(youngest, afterYou(eldest)));
    }
}
