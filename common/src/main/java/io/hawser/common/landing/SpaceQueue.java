package io.hawser.common.landing;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for room, and whose turn it is: no transfers that are partly here can keep each other, or others, waiting for ever
 * (design: Accept what can finish).
 *
 * <p>Room that returns is the eldest's. If none returns, what is here of the youngest of unknown size is given up; its sender has all
 * of it, and it waits until the elder one is through. If the eldest fills the area alone, others wait, and nothing else can be given
 * up, its own part is; it is let in again when there is more room than it had. Of what has its room held nothing is ever given up.
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
    private static final long NOBODY_KNOWS = -1;
    /** One that filled the area comes back when there is an eighth more than it had. */
    private static final int MORE_SHIFT = 3;

    private final SpaceLedger ledger;
    private final long patienceMillis;
    private final Map<TransferKey, Waiting> waiting = new LinkedHashMap<>();
    private @Nullable Waiting turn;
    private long nextTurnMillis;

    /** @param neededBytes all that it needs, or {@link #NOBODY_KNOWS} */
    private record Waiting(Manifest manifest, long neededBytes, long sinceMillis, long lastMillis) {
        TransferKey key() {
            return manifest.key();
        }
    }

    /** @param patience how long the eldest waits before it costs another its place */
    SpaceQueue(SpaceLedger ledger, Duration patience) {
        this.ledger = ledger;
        this.patienceMillis = patience.toMillis();
    }

    /** There was no room for more of a transfer whose size is not known; its sender will ask again. */
    void refusedPart(Manifest manifest, long nowMillis) {
        refused(manifest, NOBODY_KNOWS, nowMillis);
    }

    /** There was no room for the {@code neededBytes} that are all that it needs; it is asked for again. */
    void refused(Manifest manifest, long neededBytes, long nowMillis) {
        Waiting before = waiting.remove(manifest.key()); // to the end of the row
        long since = before == null || isOld(before, nowMillis) ? nowMillis : before.sinceMillis();
        waiting.put(manifest.key(), new Waiting(manifest, neededBytes, since, nowMillis));
        if (waiting.size() > MAX_WAITING) {
            waiting.remove(waiting.keySet().iterator().next());
        }
    }

    /** It found room, or needs none any more. */
    void goesOn(TransferKey key) {
        if (!waiting.isEmpty()) {
            waiting.remove(key);
        }
    }

    /** Why nothing of {@code landing} is taken now although there may be room, or null. */
    @Nullable
    Refusal mustWait(Landing landing, long nowMillis) {
        if (landing.manifest.sizeKnown()) {
            return null;
        }
        Landing first = landing.behind;
        if (first != null && isComingIn(first, nowMillis)) {
            return after(first.manifest);
        }
        landing.behind = null;
        if (landing.hadBytes > 0) {
            if (!hasMoreThanItHad(landing)) {
                return alone(landing);
            }
            landing.hadBytes = 0;
        }
        Waiting next = turn;
        if (next == null || !waiting.containsKey(next.key()) || BY_AGE.compare(next.key(), landing.key()) >= 0) {
            return null;
        }
        refusedPart(landing.manifest, nowMillis);
        return after(next.manifest());
    }

    private static boolean isComingIn(Landing landing, long nowMillis) {
        return landing.state() == LandingState.OPEN && nowMillis - landing.touchedMillis < QUIET_MILLIS;
    }

    private boolean hasMoreThanItHad(Landing landing) {
        return ledger.freeBytes() > landing.hadBytes + (landing.hadBytes >> MORE_SHIFT);
    }

    private static Refusal after(Manifest first) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                "The destination has no room for both: " + TargetName.printable(first.name())
                        + " came earlier. It goes on by itself when that one is through.");
    }

    private static Refusal alone(Landing landing) {
        return new Refusal(
                ErrorCode.NO_SPACE,
                "The destination has no room for it: it filled " + landing.hadBytes
                        + " bytes and was not at its end, and others waited. It begins again by itself when there is more.");
    }

    /** The eldest that waits, without those that no giving up would help. */
    private Optional<Waiting> eldest(List<Landing> partial) {
        return waiting.values().stream()
                .filter(each -> canFit(each, partial))
                .min(Comparator.comparing(Waiting::key, BY_AGE));
    }

    /** One of which nobody knows how much it needs can. */
    private boolean canFit(Waiting each, List<Landing> partial) {
        long room = ledger.freeBytes();
        for (Landing landing : partial) {
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
     * @param giveUp forgets what is here of one; it is told why
     */
    void tick(Collection<Landing> landings, long nowMillis, BiConsumer<Landing, Refusal> giveUp) {
        waiting.values().removeIf(each -> isOld(each, nowMillis));
        turn = null;
        if (waiting.isEmpty()) {
            return;
        }
        List<Landing> partial = landings.stream().filter(SpaceQueue::isPartial).toList();
        turn = eldest(partial).orElse(null);
        if (turn != null && nowMillis >= nextTurnMillis && nowMillis - turn.sinceMillis() >= patienceMillis) {
            nextTurnMillis = nowMillis + patienceMillis;
            makeRoom(turn, partial, nowMillis, giveUp);
        }
    }

    private void makeRoom(Waiting eldest, List<Landing> partial, long nowMillis, BiConsumer<Landing, Refusal> giveUp) {
        Landing itself = partial.stream()
                .filter(landing -> landing.key().equals(eldest.key()))
                .findAny()
                .orElse(null);
        Landing other = partial.stream()
                .filter(landing -> landing != itself && mayGo(landing, eldest, nowMillis))
                .max(Comparator.comparing(Landing::key, BY_AGE))
                .orElse(null);
        if (other != null) {
            other.behind = itself;
            giveUp.accept(other, after(eldest.manifest()));
        } else if (itself != null && waiting.size() > 1) {
            itself.hadBytes = itself.durableBytes();
            waiting.remove(itself.key());
            giveUp.accept(itself, alone(itself));
        }
    }

    private static boolean mayGo(Landing landing, Waiting eldest, long nowMillis) {
        return BY_AGE.compare(eldest.key(), landing.key()) < 0 || nowMillis - landing.touchedMillis >= QUIET_MILLIS;
    }

    /** Whether something of it is here that would be room if it were given up. */
    private static boolean isPartial(Landing landing) {
        return landing.state() == LandingState.OPEN
                && !landing.manifest.sizeKnown()
                && landing.commit == null
                && !landing.creating
                && landing.durableBytes() > 0;
    }
}
