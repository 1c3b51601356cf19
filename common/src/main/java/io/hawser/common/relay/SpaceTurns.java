package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.relay.RefusedTransfers.Refused;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * <p>If one of unknown size fills the space alone while others wait that would find room in its place, what is here of it is forgotten
 * too, after a minute. From then on it counts as one of known size, which needs somewhat more than it had.
 *
 * <p>Only those wait for each other that want the same room: all for the node's own, those of one tenant for what their quota leaves.
 *
 * <p>What needs no room never waits. Of what is of known size nothing is ever forgotten: its room is reserved.
 *
 * <p>Thread: the relay's loop.
 */
final class SpaceTurns {
    /** How long the eldest waits before it costs the youngest its place. */
    static final long PATIENCE_MILLIS = 5_000;
    /** How long one of known size is passed by before others are held back for it; or others by one that fills the space alone. */
    static final long PASSED_BY_MILLIS = 60_000;

    static final long FIRST_HOLD_MILLIS = 20_000;
    private static final long LONGEST_HOLD_MILLIS = 640_000;
    /** A time in which nobody new is let in and the one after it, measured by the former. */
    private static final int HOLD_AND_PASS = 3;

    private static final int MAX_CANDIDATES = 512;
    private static final int MAX_GAVE_WAY = 256;
    /** While others want the room, one that filled the space comes back when there is an eighth more than it had. */
    private static final int MORE_SHIFT = 3;

    private static final Comparator<TransferKey> BY_AGE = RefusedTransfers.BY_AGE;

    private final RelayStore store;
    private final RefusedTransfers refused;
    private final LongSupplier steadyMillis;
    private final BiConsumer<TransferKey, Refusal> forget;
    /** What those had that filled the space alone and gave way; the latest last. */
    private final Map<TransferKey, Long> gaveWay = new LinkedHashMap<>();

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
     * @param heldBytes what is here of it
     */
    @Nullable
    Lack mustWait(Manifest manifest, long heldBytes) {
        if (manifest.sizeBytes() == 0) {
            return null;
        }
        Set<String> quotas = store.quotas(manifest);
        return waiting()
                .filter(each -> each.lack().space().equals(Lack.NODE)
                        || quotas.contains(each.lack().space()))
                .filter(each -> BY_AGE.compare(each.key(), manifest.key()) < 0 && goesFirst(each, heldBytes > 0))
                .min(Comparator.comparing(Refused::key, BY_AGE))
                .map(SpaceTurns::afterYou)
                .orElseGet(() -> heldBytes > 0 ? null : notEnough(manifest));
    }

    private boolean goesFirst(Refused elder, boolean youngerIsHere) {
        return !needsAllAtOnce(elder) || (!youngerIsHere && holdsBack(refused.waitedMillis(elder)));
    }

    private boolean needsAllAtOnce(Refused each) {
        return each.manifest().sizeKnown() || gaveWay.containsKey(each.key());
    }

    /** Why one that gave way does not begin again, or null. */
    private @Nullable Lack notEnough(Manifest manifest) {
        Long had = gaveWay.get(manifest.key());
        if (had == null) {
            return null;
        }
        boolean othersWant = waiting().anyMatch(each -> !each.key().equals(manifest.key()));
        Lack lack = store.admitFragment(manifest, 0, had + (othersWant ? had >> MORE_SHIFT : 0));
        if (lack != null) {
            return new Lack(lack.space(), alone(had));
        }
        gaveWay.remove(manifest.key());
        return null;
    }

    private static Refusal alone(long hadBytes) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                "it filled the space that there was with " + hadBytes
                        + " bytes and was not at its end, and others waited. It begins again by itself when there is more.");
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

    private static Lack afterYou(Refused eldest) {
        String quota = eldest.lack().space();
        return new Lack(
                quota,
                new Refusal(
                        ErrorCode.NO_SPACE,
                        eldest.manifest().name() + " came earlier and waits for room"
                                + (quota.equals(Lack.NODE) ? "" : " in the quota of " + quota)
                                + ". It goes on by itself when that one is through."));
    }

    private Stream<Refused> waiting() {
        return refused.lately().stream()
                .filter(each -> each.refusal().code() == ErrorCode.NO_SPACE
                        && each.manifest().sizeBytes() != 0);
    }

    /** Who has waited for room there for so long that a younger one gives its place up. */
    private Optional<Refused> eldestOutOfPatience(String space) {
        return waiting()
                .filter(each -> each.lack().space().equals(space))
                .min(Comparator.comparing(Refused::key, BY_AGE))
                .filter(each ->
                        refused.waitedMillis(each) >= (needsAllAtOnce(each) ? PASSED_BY_MILLIS : PATIENCE_MILLIS));
    }

    /** Time passes. */
    void tick() {
        long nowMillis = steadyMillis.getAsLong();
        if (nowMillis < nextLookMillis) {
            return;
        }
        nextLookMillis = nowMillis + PATIENCE_MILLIS / 5;
        Set<String> spaces = waiting().map(each -> each.lack().space()).collect(Collectors.toSet());
        spaces.forEach(space -> eldestOutOfPatience(space).ifPresent(eldest -> {
            nextLookMillis = nowMillis + PATIENCE_MILLIS;
            store.openWithUnknownSize(space, MAX_CANDIDATES, outcome -> {
                if (!outcome.isRefused()) {
                    makeRoom(eldest, outcome.get());
                }
            });
        }));
    }

    /** For one that needs all at once only what stands still itself is forgotten: there may be room for single fragments. */
    private void makeRoom(Refused eldest, List<TransferKey> open) {
        Set<TransferKey> standing = waiting().map(Refused::key).collect(Collectors.toSet());
        TransferKey youngest = open.stream()
                .filter(key -> BY_AGE.compare(eldest.key(), key) < 0)
                .filter(key -> !needsAllAtOnce(eldest) || standing.contains(key))
                .max(BY_AGE)
                .orElse(null);
        if (youngest != null) {
            forget.accept(youngest, afterYou(eldest).refusal());
        } else if (open.contains(eldest.key()) && othersWouldFit(eldest)) {
            giveWay(eldest);
        }
    }

    /** Whether somebody has waited for long who would find room in the place of one that fills the space alone. */
    private boolean othersWouldFit(Refused alone) {
        return refused.waitedMillis(alone) >= PASSED_BY_MILLIS
                && waiting()
                        .filter(each -> !each.key().equals(alone.key())
                                && each.lack().space().equals(alone.lack().space()))
                        .anyMatch(each -> neededBytes(each.manifest()) <= alone.heldBytes()
                                && refused.waitedMillis(each) >= PASSED_BY_MILLIS);
    }

    private static long neededBytes(Manifest manifest) {
        return manifest.sizeKnown() ? manifest.sizeBytes() : manifest.fragmentSizeBytes();
    }

    private void giveWay(Refused alone) {
        gaveWay.put(alone.key(), alone.heldBytes());
        if (gaveWay.size() > MAX_GAVE_WAY) {
            gaveWay.remove(gaveWay.keySet().iterator().next());
        }
        refused.admitted(alone.key()); // it has had its turn, and waits from now on
        forget.accept(alone.key(), alone(alone.heldBytes()));
    }
}
