package io.hawser.broker.relay;

import io.hawser.broker.relay.RefusedTransfers.Refused;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Orders transfers when space is short: no two incomplete transfers can block each other for ever, and none is overtaken for ever
 * (invariant Accept what can finish). Younger ones wait:
 *
 * <ul>
 *   <li>for one of unknown size always: it lacks room for a single fragment, so space that returns goes to the oldest. If none returns, what
 *       is here of the youngest of unknown size is forgotten. Its publisher has all of it and sends it again later.
 *   <li>for one of known size, which needs all its room at once, only at times, and only if nothing of the younger is here: what it needs
 *       may be owed to a consumer that is away for weeks. Once it has been passed by for a minute, no new one is admitted for
 *       {@value #FIRST_HOLD_MILLIS} ms, then everybody for twice as long, and so on with times that double up to
 *       {@value #LONGEST_HOLD_MILLIS} ms: so what is here comes to its end, and the others have two thirds of the time.
 * </ul>
 *
 * <p>What was discarded for an older one does not begin again before that one has ended, or has been silent for long, or there is
 * room for somewhat more than what was here: so what is sent in vain is bounded by what is not.
 *
 * <p>If one of unknown size fills the space alone while others wait that would find room in its place, what is here of it is forgotten
 * too, after a minute. From then on it counts as one of known size, which needs somewhat more than it had.
 *
 * <p>A transfer that waits holds back those that have to be committed after it (Order by path), and what is here of these is forgotten
 * for it, of known size or not: they cannot end before it, and would keep the space that it needs. What they wait for may
 * be known to their publisher alone, if others are between: so what does not move after it, of the same publisher, is discarded as well.
 *
 * <p>Only those wait for each other that want the same room: all for the node's own, those of one tenant for what their quota leaves. What
 * would not fit if it were alone holds back no other.
 *
 * <p>What needs no room never waits. Else nothing of known size is ever forgotten: its room is reserved.
 *
 * <p>Thread: the relay's loop.
 */
final class SpaceArbiter {
    /** How long the oldest waits before the youngest is discarded for it. */
    static final long PATIENCE_MILLIS = 5_000;
    /** How long one of known size is passed by before others are held back for it; or others by one that fills the space alone. */
    static final long PASSED_BY_MILLIS = 60_000;

    static final long FIRST_HOLD_MILLIS = 20_000;
    private static final long LONGEST_HOLD_MILLIS = 640_000;
    /** The duration of a period without new admissions, and of the pause after it, in terms of the former. */
    private static final int HOLD_AND_PASS = 3;

    /** How often the store is asked for what its publisher does not offer now: that costs it some work. */
    private static final long QUIET_LOOK_MILLIS = 15_000;

    private static final int MAX_CANDIDATES = 512;
    private static final int MAX_GAVE_WAY = 256;
    /** While others want the room, one that gave way comes back when there is an eighth more than it had. */
    private static final int MORE_SHIFT = 3;

    private final RelayStore store;
    private final RefusedTransfers refused;
    private final Comparator<TransferKey> byAge;
    private final OpenTransfers open;
    private final LongSupplier steadyMillis;
    private final BiConsumer<TransferKey, Refusal> forget;
    /** What those had that filled the space alone and gave way; the latest last. */
    private final Map<TransferKey, Long> gaveWay = new EvictingMap<>(MAX_GAVE_WAY);
    /** Those that were forgotten for an elder one; the latest last. */
    private final Map<TransferKey, Discarded> discarded = new EvictingMap<>(MAX_GAVE_WAY);
    /**
     * Those that were refused last because of one certain other, or that would not fit if they were alone: space that returns would not help
     * them, so none waits for them or is discarded for them.
     */
    private final Set<TransferKey> outOfTurn = new HashSet<>();

    private long nextLookMillis;
    private long nextQuietLookMillis;

    interface OpenTransfers {
        /** Whether something of it came lately. */
        boolean comesIn(TransferKey key);

        /** What is here of it, in bytes; 0 if its publisher is away. */
        long heldBytes(TransferKey key);

        /** The last of those that have to be committed after that one. */
        Optional<Manifest> lastToFollow(Manifest earlier, Predicate<Manifest> isWanted);

        /** The last of its publisher's later ones of which nothing has come for long: they may wait for it by way of others. */
        Optional<Manifest> lastToStandBehind(Manifest earlier, Predicate<Manifest> isWanted);
    }

    /**
     * The transfer that another was discarded for.
     *
     * @param space where that one wanted room
     * @param hadBytes what was here of the one that was forgotten; 0 if it comes back only after the other
     */
    private record Discarded(Manifest first, String space, long hadBytes) {}

    /**
     * @param arrivals which transfer is older than another
     * @param open what is open here
     * @param steadyMillis a clock that is never set
     * @param forget what is here of a transfer is to be forgotten, and its publisher to be told why
     */
    SpaceArbiter(
            RelayStore store,
            RefusedTransfers refused,
            ArrivalOrder arrivals,
            OpenTransfers open,
            LongSupplier steadyMillis,
            BiConsumer<TransferKey, Refusal> forget) {
        this.store = store;
        this.refused = refused;
        this.byAge = arrivals.oldestFirst;
        this.open = open;
        this.steadyMillis = steadyMillis;
        this.forget = forget;
    }

    /**
     * Why this transfer has to wait for its turn, or null.
     *
     * @param heldBytes what is here of it
     */
    @Nullable
    AdmissionRefusal mustWait(Manifest manifest, long heldBytes) {
        if (manifest.sizeBytes() == 0) {
            return null;
        }
        if (refused.isEmpty() && discarded.isEmpty() && gaveWay.isEmpty()) {
            outOfTurn.clear();
            return null;
        }
        AdmissionRefusal other = waitsForOther(manifest);
        if (other != null) {
            outOfTurn.add(manifest.key());
            return other;
        }
        outOfTurn.remove(manifest.key());
        Set<String> quotas = store.quotas(manifest);
        return inTurn().filter(each -> each.reason().space().equals(AdmissionRefusal.NODE)
                        || quotas.contains(each.reason().space()))
                .filter(each -> byAge.compare(each.key(), manifest.key()) < 0 && goesFirst(each, heldBytes > 0))
                .filter(each -> !manifest.comesBefore(each.manifest())) // or that one could never end
                .min(Comparator.comparing(Refused::key, byAge))
                .map(each -> afterYou(each.manifest(), each.reason().space()))
                .orElseGet(() -> heldBytes > 0 ? null : notEnough(manifest));
    }

    /** The transfer asks for room, and would not fit even if it were alone: it waits, and nobody waits for it. */
    void cannotFit(Manifest manifest) {
        outOfTurn.add(manifest.key());
    }

    /** Why it waits for the end of one certain other, or null. */
    private @Nullable AdmissionRefusal waitsForOther(Manifest manifest) {
        Discarded other = discarded.get(manifest.key());
        if (other != null) {
            if (isUnderWay(other.first())
                    && !manifest.comesBefore(other.first())
                    && !isMoreThanItHad(manifest, other)) {
                return afterYou(other.first(), other.space());
            }
            discarded.remove(manifest.key());
        }
        return waiting()
                .filter(each -> each.manifest().comesBefore(manifest))
                .min(Comparator.comparingLong(each -> each.manifest().number()))
                .map(each -> afterYou(each.manifest(), each.reason().space()))
                .orElse(null);
    }

    private boolean isUnderWay(Manifest first) {
        return open.comesIn(first.key())
                || waiting().anyMatch(each -> each.key().equals(first.key()));
    }

    private boolean isMoreThanItHad(Manifest manifest, Discarded other) {
        return other.hadBytes() > 0 && store.admitFragment(manifest, 0, somewhatMore(other.hadBytes())) == null;
    }

    private static long somewhatMore(long hadBytes) {
        return hadBytes + (hadBytes >> MORE_SHIFT);
    }

    private boolean goesFirst(Refused elder, boolean youngerIsHere) {
        return !needsAllAtOnce(elder) || (!youngerIsHere && holdsBack(refused.waitedMillis(elder)));
    }

    private boolean needsAllAtOnce(Refused each) {
        return each.manifest().sizeKnown() || gaveWay.containsKey(each.key());
    }

    /** Why one that gave way does not begin again, or null. */
    private @Nullable AdmissionRefusal notEnough(Manifest manifest) {
        Long had = gaveWay.get(manifest.key());
        if (had == null) {
            return null;
        }
        boolean othersWant = waiting().anyMatch(each -> !each.key().equals(manifest.key()));
        AdmissionRefusal refusal = store.admitFragment(manifest, 0, othersWant ? somewhatMore(had) : had);
        if (refusal != null) {
            return new AdmissionRefusal(refusal.space(), alone(had, refusal.refusal()));
        }
        gaveWay.remove(manifest.key());
        return null;
    }

    private static Refusal alone(long hadBytes, Refusal refusal) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                "it filled the space that there was with " + hadBytes
                        + " bytes and was not at its end, and others waited. It begins again by itself when there is more: "
                        + refusal.detail());
    }

    /** Whether admissions are closed for one of known size that has waited for so long. */
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

    private static AdmissionRefusal afterYou(Manifest first, String space) {
        return new AdmissionRefusal(
                space,
                new Refusal(
                        ErrorCode.NO_SPACE,
                        first.name() + " came earlier and there is no room for both"
                                + (space.equals(AdmissionRefusal.NODE) ? "" : " in the quota of " + space)
                                + ". It resumes by itself when that one has ended."));
    }

    private Stream<Refused> waiting() {
        return refused.lately().stream()
                .filter(each -> each.refusal().code() == ErrorCode.NO_SPACE
                        && each.manifest().sizeBytes() != 0);
    }

    private Stream<Refused> inTurn() {
        return waiting().filter(each -> !outOfTurn.contains(each.key()));
    }

    /** The transfer that has waited for space there for so long that a younger one is discarded. */
    private Optional<Refused> eldestOutOfPatience(String space) {
        return inTurn().filter(each -> each.reason().space().equals(space))
                .min(Comparator.comparing(Refused::key, byAge))
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
        outOfTurn.retainAll(waiting().map(Refused::key).collect(Collectors.toSet()));
        waiting()
                .filter(each -> refused.waitedMillis(each) >= PATIENCE_MILLIS)
                .filter(each -> store.fitsAlone(each.manifest()))
                .forEach(this::makeFollowerGiveWay);
        Set<String> spaces = waiting().map(each -> each.reason().space()).collect(Collectors.toSet());
        spaces.forEach(space -> eldestOutOfPatience(space).ifPresent(eldest -> {
            nextLookMillis = nowMillis + PATIENCE_MILLIS;
            store.openWithUnknownSize(space, MAX_CANDIDATES, outcome -> {
                if (!outcome.isRefused()) {
                    makeRoom(eldest, outcome.get());
                }
            });
        }));
    }

    /** What has to be committed after one that waits cannot come to its end, and may have the room that this one needs. */
    private void makeFollowerGiveWay(Refused first) {
        String space = first.reason().space();
        Predicate<Manifest> wantsThatRoom = each -> each.sizeBytes() != 0
                && (space.equals(AdmissionRefusal.NODE) || store.quotas(each).contains(space));
        open.lastToFollow(first.manifest(), wantsThatRoom)
                .or(() -> open.lastToStandBehind(first.manifest(), wantsThatRoom))
                .ifPresentOrElse(
                        each -> makeGiveWay(each.key(), first, 0),
                        () -> makeQuietFollowerGiveWay(first, wantsThatRoom));
    }

    /** The store alone may know of what is committed after it: after a new session its publisher offers some again only in their turn. */
    private void makeQuietFollowerGiveWay(Refused first, Predicate<Manifest> wantsThatRoom) {
        long nowMillis = steadyMillis.getAsLong();
        if (nowMillis < nextQuietLookMillis || refused.waitedMillis(first) < PASSED_BY_MILLIS) {
            return;
        }
        nextQuietLookMillis = nowMillis + QUIET_LOOK_MILLIS;
        store.openSince(Long.MAX_VALUE, MAX_CANDIDATES, outcome -> {
            if (!outcome.isRefused()) {
                makeOneGiveWay(
                        outcome.get().stream()
                                .filter(key ->
                                        key.publisher().equals(first.key().publisher()) && !open.comesIn(key))
                                .sorted(byAge.reversed())
                                .iterator(),
                        first,
                        each -> each.topic().equals(first.manifest().topic())
                                && each.number() > first.manifest().number()
                                && wantsThatRoom.test(each));
            }
        });
    }

    private void makeOneGiveWay(Iterator<TransferKey> youngestFirst, Refused first, Predicate<Manifest> isWanted) {
        if (youngestFirst.hasNext()) {
            store.lookup(youngestFirst.next(), outcome -> {
                KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
                if (kept != null && kept.commit() == null && isWanted.test(kept.manifest())) {
                    makeGiveWay(kept.manifest().key(), first, 0);
                } else {
                    makeOneGiveWay(youngestFirst, first, isWanted);
                }
            });
        }
    }

    private void makeGiveWay(TransferKey younger, Refused first, long hadBytes) {
        String space = first.reason().space();
        discarded.put(younger, new Discarded(first.manifest(), space, hadBytes));
        forget.accept(younger, afterYou(first.manifest(), space).refusal());
    }

    /** For one that needs all at once only transfers that do not move are discarded: there may be space for single fragments. */
    private void makeRoom(Refused eldest, List<TransferKey> candidates) {
        Set<TransferKey> standing = waiting().map(Refused::key).collect(Collectors.toSet());
        TransferKey youngest = candidates.stream()
                .filter(key -> byAge.compare(eldest.key(), key) < 0)
                .filter(key -> !needsAllAtOnce(eldest) || standing.contains(key))
                .max(byAge)
                .orElse(null);
        if (youngest != null) {
            makeGiveWay(youngest, eldest, open.heldBytes(youngest));
        } else if (candidates.contains(eldest.key()) && othersWouldFit(eldest)) {
            giveWay(eldest);
        }
    }

    /** Whether one has waited for long that would fit in the place of another that fills the space alone. */
    private boolean othersWouldFit(Refused alone) {
        return refused.waitedMillis(alone) >= PASSED_BY_MILLIS
                && waiting()
                        .filter(each -> !each.key().equals(alone.key())
                                && each.reason().space().equals(alone.reason().space()))
                        .anyMatch(each -> neededBytes(each.manifest()) <= alone.heldBytes()
                                && refused.waitedMillis(each) >= PASSED_BY_MILLIS);
    }

    private static long neededBytes(Manifest manifest) {
        return manifest.sizeKnown() ? manifest.sizeBytes() : manifest.fragmentSizeBytes();
    }

    private void giveWay(Refused alone) {
        gaveWay.put(alone.key(), alone.heldBytes());
        refused.admitted(alone.key()); // it has had its turn, and waits from now on
        forget.accept(alone.key(), alone(alone.heldBytes(), alone.refusal()));
    }
}
