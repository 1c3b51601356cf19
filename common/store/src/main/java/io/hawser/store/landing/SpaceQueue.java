package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of transfers that wait for space: no transfers that are partly here can keep each other, or others, waiting for ever
 * (invariant Accept what can finish).
 *
 * <p>Space that returns goes to the oldest. If none returns, the youngest of unknown size is discarded; its sender has all
 * of it, and it waits until the older one has ended or there is space for somewhat more than it had. If the oldest fills the area alone,
 * others wait, and nothing else can be given up, its own part is; it is let in again when there is more room than it had.
 *
 * <p>Of what has its room held nothing is given up, but for one that has to be published before it (Order by path), and without which
 * it would keep its room for ever.
 *
 * <p>Times are those of a clock that is never set.
 *
 * <p>Thread: the loop.
 */
final class SpaceQueue {
    private static final Comparator<TransferKey> BY_AGE =
            Comparator.<TransferKey>comparingLong(key -> key.id().epochMillis()).thenComparing(key -> key);
    /** A sender asks again within two seconds; one that has not for so long does not wait any more. */
    private static final long MEMORY_MILLIS = 10_000;
    /** Of which nothing came for so long: it may be given up for a younger one. */
    private static final long QUIET_MILLIS = 60_000;

    private static final int MAX_WAITING = 1024;
    /** The number of transfers that one search for what they block looks at. */
    private static final int MAX_LOOKED_AT = 16;

    private static final long NOBODY_KNOWS = -1;
    /** While others want the room, one that filled the area comes back when there is an eighth more than it had. */
    private static final int MORE_SHIFT = 3;

    private final SpaceLedger ledger;
    private final long patienceMillis;
    private final LongSupplier clock;
    /** The oldest first. */
    private final TreeMap<TransferKey, Waiting> waiting = new TreeMap<>(BY_AGE);

    private @Nullable Waiting turn;
    private long nextTurnMillis;
    /** Whether something that could be given up was here when time passed last. */
    private boolean partlyHere;

    /** @param neededBytes all that it needs, or {@link #NOBODY_KNOWS} */
    private record Waiting(Manifest manifest, long neededBytes, long sinceMillis, long lastMillis) {
        TransferKey key() {
            return manifest.key();
        }
    }

    /**
     * Creates it.
     *
     * @param patience how long the eldest waits before it costs another its place
     * @param clock milliseconds since some moment not later than now, never set back
     */
    SpaceQueue(SpaceLedger ledger, Duration patience, LongSupplier clock) {
        this.clock = clock;
        this.ledger = ledger;
        this.patienceMillis = patience.toMillis();
    }

    /** There was no room for a fragment of a transfer whose size is not known; its sender will ask again. */
    void refusedPart(Manifest manifest) {
        refused(manifest, NOBODY_KNOWS);
    }

    /** A fragment of it was not taken. */
    void fragmentRefused(LandingTransfer landing) {
        landing.refusedMillis = clock.getAsLong();
    }

    /** There was no room for the {@code neededBytes} that are all that it needs; it is asked for again. */
    void refused(Manifest manifest, long neededBytes) {
        long nowMillis = clock.getAsLong();
        Waiting before = waiting.get(manifest.key());
        long since = before == null || isOld(before, nowMillis) ? nowMillis : before.sinceMillis();
        waiting.put(manifest.key(), new Waiting(manifest, neededBytes, since, nowMillis));
        if (waiting.size() > MAX_WAITING) {
            waiting.pollLastEntry(); // the last in order; the oldest must not wait from the beginning again
        }
    }

    /** Its sender sent something of it. */
    void heardOf(LandingTransfer landing) {
        landing.heardMillis = clock.getAsLong();
    }

    /** It found room, or needs none any more. */
    void goesOn(TransferKey key) {
        if (!waiting.isEmpty()) {
            waiting.remove(key);
        }
    }

    /** Why nothing of {@code landing} is taken now although there may be room, or null. */
    @Nullable
    Refusal mustWait(LandingTransfer landing) {
        LandingTransfer first = landing.behind;
        if (first != null && isComingIn(first) && !hasMoreThanItHad(landing)) {
            return after(first.manifest);
        } else if (first == null && landing.hadBytes > 0 && !hasMoreThanItHad(landing)) {
            return alone(landing);
        }
        landing.behind = null;
        landing.hadBytes = 0;
        Optional<Waiting> before = toBePublishedBefore(landing.manifest);
        if (before.isPresent()) {
            return after(before.get().manifest());
        } else if (landing.manifest.sizeKnown()) {
            return null;
        }
        Waiting next = turn;
        if (next == null || !waiting.containsKey(next.key()) || BY_AGE.compare(next.key(), landing.key()) >= 0) {
            return null;
        }
        refusedPart(landing.manifest);
        return after(next.manifest());
    }

    /**
     * Why what needs {@code neededBytes} is not let in although there may be room for it, or null: an elder one that needs all its room
     * at once, and can have it, would otherwise be passed by for ever by younger ones that need less.
     */
    @Nullable
    Refusal mustLetPass(Manifest manifest, long neededBytes) {
        Optional<Waiting> before = neededBytes == 0 ? Optional.empty() : toBePublishedBefore(manifest);
        if (before.isPresent()) {
            return after(before.get().manifest());
        }
        Waiting next = turn;
        if (neededBytes == 0 || next == null || next.neededBytes() == NOBODY_KNOWS) {
            return null;
        }
        boolean elder = BY_AGE.compare(next.key(), manifest.key()) < 0;
        return elder && waiting.containsKey(next.key()) ? after(next.manifest()) : null;
    }

    /**
     * Whether it lacked room for a fragment lately. Then it is opened again only if there is some, so that no fragment has to come in vain
     * to show it. After a while one has to: it may be here by now, with a session's end between, and the commit needs no room.
     */
    boolean lackedRoomLately(LandingTransfer landing) {
        Long refusedMillis = landing.refusedMillis;
        return refusedMillis != null && clock.getAsLong() - refusedMillis < QUIET_MILLIS;
    }

    /** Why there is no room for a fragment of it still, or null; {@code usable} is how much an ordinary user could write now. */
    @Nullable
    Refusal stillNone(LandingTransfer landing, long usable) {
        Refusal turn = mustWait(landing);
        if (turn != null || landing.manifest.sizeKnown()) {
            return turn;
        }
        Refusal refusal = ledger.admit(landing.manifest.fragmentSizeBytes(), usable);
        if (refusal != null) {
            refusedPart(landing.manifest);
        }
        return refusal;
    }

    /** Whether a waiting transfer comes before that one in Order by path. */
    private Optional<Waiting> toBePublishedBefore(Manifest manifest) {
        return waiting.values().stream()
                .filter(each -> each.manifest().comesBefore(manifest))
                .findFirst();
    }

    private boolean isComingIn(LandingTransfer landing) {
        return landing.state() == LandingState.OPEN && !isQuiet(landing);
    }

    private boolean isQuiet(LandingTransfer landing) {
        return clock.getAsLong() - landing.heardMillis >= QUIET_MILLIS;
    }

    private boolean hasMoreThanItHad(LandingTransfer landing) {
        boolean othersWantIt = partlyHere || !waiting.isEmpty();
        return landing.hadBytes > 0
                && ledger.freeBytes() > landing.hadBytes + (othersWantIt ? landing.hadBytes >> MORE_SHIFT : 0);
    }

    private Refusal after(Manifest first) {
        return ledger.isBelowHeadroom() ? ledger.belowHeadroom() : behind(first);
    }

    private static Refusal behind(Manifest first) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                "The destination has no room for both: " + Printable.shortly(first.name())
                        + " came earlier. It resumes by itself when that one has ended.");
    }

    private static Refusal alone(LandingTransfer landing) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                "The destination has no room for it: it filled " + landing.hadBytes
                        + " bytes and was not at its end, and others waited. It begins again by itself when there is more.");
    }

    /** The oldest that waits, without those that no discarding would help. */
    private Optional<Waiting> eldest(List<LandingTransfer> partial) {
        return waiting.values().stream().filter(each -> canFit(each, partial)).findFirst();
    }

    /** One of unknown need can. */
    private boolean canFit(Waiting each, List<LandingTransfer> partial) {
        long room = ledger.freeBytes();
        for (LandingTransfer landing : partial) {
            boolean mayGo = BY_AGE.compare(each.key(), landing.key()) < 0;
            room += mayGo ? landing.durableBytes() : 0;
        }
        return each.neededBytes() <= room;
    }

    private static boolean isOld(Waiting each, long nowMillis) {
        return nowMillis - each.lastMillis() > MEMORY_MILLIS;
    }

    /**
     * Time passes.
     *
     * @param landings all that are known
     * @param giveUp discards what is here of a transfer, with the reason
     */
    void tick(Collection<LandingTransfer> landings, BiConsumer<LandingTransfer, Refusal> giveUp) {
        long nowMillis = clock.getAsLong();
        waiting.values().removeIf(each -> isOld(each, nowMillis));
        List<LandingTransfer> partial =
                landings.stream().filter(SpaceQueue::isPartial).toList();
        partlyHere = !partial.isEmpty();
        turn = eldest(partial).orElse(null);
        if (turn != null && nowMillis >= nextTurnMillis && nowMillis - turn.sinceMillis() >= patienceMillis) {
            nextTurnMillis = nowMillis + patienceMillis;
            makeRoom(turn, partial, landings, giveUp);
        }
        List<Waiting> outOfPatience = waiting.values().stream()
                .limit(MAX_LOOKED_AT)
                .filter(each -> nowMillis - each.sinceMillis() >= patienceMillis)
                .toList();
        outOfPatience.forEach(each -> makeFollowerGiveWay(each, landings, giveUp));
    }

    /**
     * What has its room held and is published after one that waits cannot come to its end, and may have the room that this one needs. The
     * order may have become another than that of the numbers, where an upload broke off and went on: so one that is quiet gives way too.
     */
    private void makeFollowerGiveWay(
            Waiting first, Collection<LandingTransfer> landings, BiConsumer<LandingTransfer, Refusal> giveUp) {
        landings.stream()
                .filter(SpaceQueue::holdsRoom)
                .filter(each -> first.manifest().comesBefore(each.manifest)
                        || (isQuiet(each) && each.manifest.comesBefore(first.manifest())))
                .max(Comparator.comparingLong(each -> each.manifest.number()))
                .ifPresent(each -> {
                    each.behind = landings.stream()
                            .filter(landing -> landing.key().equals(first.key()))
                            .findAny()
                            .orElse(null);
                    giveUp.accept(each, after(first.manifest()));
                });
    }

    /** Whether it is not whole, or not to be published yet, and room is held for what is to come of it. */
    private static boolean holdsRoom(LandingTransfer landing) {
        return landing.state() == LandingState.OPEN
                && landing.manifest.sizeBytes() > 0
                && landing.commit == null
                && !landing.creating;
    }

    private void makeRoom(
            Waiting eldest,
            List<LandingTransfer> partial,
            Collection<LandingTransfer> landings,
            BiConsumer<LandingTransfer, Refusal> giveUp) {
        LandingTransfer itself = partial.stream()
                .filter(landing -> landing.key().equals(eldest.key()))
                .findAny()
                .orElse(null);
        LandingTransfer other = partial.stream()
                .filter(landing -> landing != itself && mayGo(landing, eldest))
                .max(Comparator.comparing(LandingTransfer::key, BY_AGE))
                .orElse(null);
        if (other != null) {
            other.behind = itself;
            other.hadBytes = itself == null ? 0 : other.durableBytes();
            giveUp.accept(other, after(eldest.manifest()));
        } else if (itself != null) {
            List<LandingTransfer> behind =
                    landings.stream().filter(each -> isBehind(each, itself)).toList();
            if (waiting.size() > 1 || !behind.isEmpty()) {
                giveWay(itself, behind, giveUp);
            }
        }
    }

    /** It was given up for {@code first}, which is not through. Its sender asks, and it does not wait for room until then. */
    private static boolean isBehind(LandingTransfer landing, LandingTransfer first) {
        return landing.behind == first
                && landing.state() == LandingState.ABANDONED
                && !first.manifest.comesBefore(landing.manifest);
    }

    private void giveWay(
            LandingTransfer first, List<LandingTransfer> behind, BiConsumer<LandingTransfer, Refusal> giveUp) {
        first.hadBytes = first.durableBytes();
        waiting.remove(first.key());
        for (LandingTransfer each : behind) {
            each.behind = null; // once: if its sender is gone, no other is discarded for it
            each.hadBytes = 0;
            refusedPart(each.manifest);
        }
        giveUp.accept(first, alone(first));
    }

    private boolean mayGo(LandingTransfer landing, Waiting eldest) {
        return BY_AGE.compare(eldest.key(), landing.key()) < 0 || isQuiet(landing);
    }

    /** Whether something of it is here that would be room if it were given up. */
    private static boolean isPartial(LandingTransfer landing) {
        return landing.state() == LandingState.OPEN
                && !landing.manifest.sizeKnown()
                && landing.commit == null
                && !landing.creating
                && landing.durableBytes() > 0;
    }
}
