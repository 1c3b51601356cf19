package io.hawser.store.space;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.WaitingTransfers.Waiting;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Orders transfers when space is short, at the relay and at the end: no two incomplete transfers can block each other for ever, and none is
 * overtaken for ever (invariant Accept what can finish). While there is not plenty of room for all of them, younger ones wait:
 *
 * <ul>
 *   <li>for one of unknown size always: it lacks room for a single fragment, so space that returns goes to the oldest. If none returns, what
 *       is here of the youngest of unknown size is discarded. Its sender has all of it and sends it again later.
 *   <li>for one that needs all its room at once: always, if it is known that discarding makes that room ({@link Terms#freesAtOnce}).
 *       Otherwise only at times, and only if nothing of the younger is here, because what it needs may be owed to a consumer that is away
 *       for weeks. Once it has been passed by for long, no new one is admitted for {@value #FIRST_HOLD_MILLIS} ms, then all are for twice
 *       as long, and so on with times that double up to {@value #LONGEST_HOLD_MILLIS} ms: so the others have two thirds of the time.
 * </ul>
 *
 * <p>What was discarded for an older one does not begin again before that one has ended, or has been silent for long, or there is
 * room for somewhat more than what was here: so what is sent in vain is bounded by what is not.
 *
 * <p>If one of unknown size fills the space alone while others wait that would find room in its place, what is here of it is discarded too.
 * From then on it needs somewhat more than it had, at once.
 *
 * <p>A transfer that waits holds back those that have to be committed after it (Order by path), and what is here of these is discarded
 * for it, of known size or not: they cannot end before it, and would keep the space that it needs. So is what the role knows to be in the
 * same position ({@link Contents#mayFollow}). Else nothing of known size is ever discarded: its room is reserved.
 *
 * <p>Only those wait for each other that want the same room: all for the node's own, those of one principal for what their quota leaves.
 * What would not fit if others made room holds back no other. What needs no room never waits.
 *
 * <p>Times are those of a clock that is never set.
 *
 * <p>Thread: the owner's loop.
 */
public final class SpacePolicy {
    static final long FIRST_HOLD_MILLIS = 20_000;
    private static final long LONGEST_HOLD_MILLIS = 640_000;
    /** The duration of a period without new admissions, and of the pause after it, in terms of the former. */
    private static final int HOLD_AND_PASS = 3;

    private static final long SILENT_MILLIS = 60_000;

    private static final int LOOKS_PER_PATIENCE = 5;
    private static final int MAX_REMEMBERED = 256;
    private static final int MORE_SHIFT = 3;

    private final Terms terms;
    private final Contents contents;
    private final LongSupplier steadyMillis;
    private final WaitingTransfers waiting;
    private final Comparator<Waiting> byAge;
    /** The latest last. */
    private final Map<TransferKey, Discarded> discarded = new EvictingMap<>(MAX_REMEMBERED);

    private long nextLookMillis;
    private long nextDiscardMillis;

    /**
     * What differs by role.
     *
     * @param oldestFirst which transfer is older
     * @param patienceMillis how long the oldest waits before another is discarded for it
     * @param passedByMillis the same for one that needs all its room at once; also how long one that fills the space alone, and the others,
     *     wait before it gives way
     * @param freesAtOnce whether discarded bytes are free space at once, so that {@link Contents#canFit} tells what discarding is good for
     */
    public record Terms(
            SpaceRole role,
            Comparator<TransferKey> oldestFirst,
            long patienceMillis,
            long passedByMillis,
            boolean freesAtOnce) {}

    /**
     * An incomplete transfer that is not being committed.
     *
     * @param heldBytes what is here of it
     * @param silentMillis how long nothing of it has come
     */
    public record Open(Manifest manifest, long heldBytes, long silentMillis) {
        TransferKey key() {
            return manifest.key();
        }

        /** Whether nothing of it has come for so long that no other waits for its end. */
        public boolean isSilent() {
            return silentMillis >= SILENT_MILLIS;
        }

        private boolean isGrowing() {
            return !manifest.sizeKnown() && heldBytes > 0;
        }
    }

    /** What the role knows of its transfers and of its space. */
    public interface Contents {
        /** The quotas that the transfer is charged to, by name, besides the node's own room. */
        default Set<String> quotas(Manifest manifest) {
            return Set.of();
        }

        /** Whether so many bytes of a transfer of which nothing is here would fit now. */
        SpaceAnswer admit(Manifest manifest, long bytes);

        /** Whether it would fit if all that may make room for it did. */
        boolean canFit(Waiting each);

        /** The transfers whose senders are here, as of now or of the last tick. */
        Collection<Open> open();

        /** One of them, as of now. */
        @Nullable
        Open open(TransferKey key);

        /** Whether {@code other} does not move and may be unable to end before {@code first}, though their numbers do not say so. */
        boolean mayFollow(Open other, Manifest first);

        /** Answers, at once or later, with incomplete transfers of unknown size that have bytes in that space. */
        default void growing(String space, Consumer<Collection<TransferKey>> then) {
            then.accept(open().stream().filter(Open::isGrowing).map(Open::key).toList());
        }

        /** Answers, at once or later, with one whose sender is away, that keeps room and cannot end before {@code first}. */
        default void absentFollower(Waiting first, Predicate<Manifest> wantsThatRoom, Consumer<Manifest> then) {}

        /** What is here of a transfer is to be discarded, and its sender to be told why. */
        void discard(TransferKey key, Refusal why);
    }

    /**
     * Why a transfer was discarded.
     *
     * @param first the transfer that it made room for; null if it filled the space alone and gave way to any others
     * @param space where room was wanted
     * @param hadBytes what was here of it; 0 if it comes back only after the other
     */
    private record Discarded(@Nullable Manifest first, String space, long hadBytes) {}

    /** @param steadyMillis a clock that is never set */
    public SpacePolicy(Terms terms, Contents contents, LongSupplier steadyMillis) {
        this.terms = terms;
        this.contents = contents;
        this.steadyMillis = steadyMillis;
        this.waiting = new WaitingTransfers(terms.oldestFirst(), steadyMillis);
        this.byAge = Comparator.comparing(Waiting::key, terms.oldestFirst());
    }

    public WaitingTransfers waiting() {
        return waiting;
    }

    /**
     * Whether this transfer may ask for room now, or others go first.
     *
     * @param heldBytes what is here of it
     */
    public SpaceAnswer mustWait(Manifest manifest, long heldBytes) {
        if (manifest.sizeBytes() == 0 || (waiting.isEmpty() && discarded.isEmpty())) {
            return SpaceAnswer.yes();
        }
        return waitsAsDiscarded(manifest)
                .and(() -> waitsForEarlier(manifest))
                .and(() -> waitsForOlder(manifest, heldBytes > 0));
    }

    /**
     * Notes the answer that the transfer got: if it has to wait, it does so from now on, and else no longer.
     *
     * @param heldBytes what is here of it
     * @param neededBytes what it needs at once; {@link Manifest#UNKNOWN_SIZE} if any fragment helps
     * @return {@code answer}
     */
    public SpaceAnswer noted(Manifest manifest, long heldBytes, long neededBytes, SpaceAnswer answer) {
        if (answer instanceof SpaceAnswer.Wait wait) {
            waiting.add(manifest, wait, heldBytes, neededBytes, contents::canFit);
        } else {
            waiting.remove(manifest.key());
        }
        return answer;
    }

    private SpaceAnswer waitsAsDiscarded(Manifest manifest) {
        Discarded before = discarded.get(manifest.key());
        if (before == null) {
            return SpaceAnswer.yes();
        }
        Manifest first = before.first();
        boolean mustWait = first == null || (isUnderWay(first.key()) && !manifest.comesBefore(first));
        if (mustWait && !hasMoreThanItHad(manifest, before)) {
            return first == null ? alone(before.hadBytes(), before.space()) : after(first, before.space(), false);
        }
        discarded.remove(manifest.key());
        return SpaceAnswer.yes();
    }

    /** While others want the room, it comes back when there is an eighth more. */
    private boolean hasMoreThanItHad(Manifest manifest, Discarded before) {
        long had = before.hadBytes();
        boolean othersWant = before.first() != null
                || contents.open().stream().anyMatch(Open::isGrowing)
                || wantingRoom().anyMatch(each -> !each.key().equals(manifest.key()));
        return had > 0
                && contents.admit(manifest, had + 1 + (othersWant ? had >> MORE_SHIFT : 0))
                        .isYes();
    }

    private SpaceAnswer waitsForEarlier(Manifest manifest) {
        return earliest(
                wantingRoom()
                        .filter(each -> each.manifest().comesBefore(manifest))
                        .min(Comparator.comparingLong(each -> each.manifest().number())),
                false);
    }

    private boolean isUnderWay(TransferKey key) {
        return comesIn(key) || waiting.contains(key);
    }

    private boolean comesIn(TransferKey key) {
        Open open = contents.open(key);
        return open != null && !open.isSilent();
    }

    private SpaceAnswer waitsForOlder(Manifest manifest, boolean isHere) {
        Set<String> quotas = contents.quotas(manifest);
        List<Waiting> older = wantingRoom()
                .filter(Waiting::isHelpedByRoom)
                .filter(each -> each.space().equals(SpaceAnswer.NODE) || quotas.contains(each.space()))
                .filter(each -> isOlder(each.key(), manifest.key()) && goesFirst(each, isHere))
                .filter(each -> !manifest.comesBefore(each.manifest())) // or that one could never end
                .toList();
        return older.isEmpty() || allFit(older, manifest)
                ? SpaceAnswer.yes()
                : earliest(older.stream().min(byAge), true);
    }

    /**
     * Whether there is twice the room by now for all of them, which will find it when they ask again, and for this one, too. Else a crowd
     * that waited would be admitted one after another, however much room there is: each asks again only seconds later.
     */
    private boolean allFit(List<Waiting> older, Manifest manifest) {
        long bytes = twice(neededBytes(manifest, manifest.sizeBytes()));
        for (Waiting each : older) {
            bytes = sum(bytes, twice(neededBytes(each.manifest(), each.neededBytes())));
        }
        return contents.admit(manifest, bytes).isYes();
    }

    private static long twice(long bytes) {
        return sum(bytes, bytes);
    }

    /** A publisher may say any size: what is more than there can be stays that. */
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    private boolean isOlder(TransferKey one, TransferKey other) {
        return terms.oldestFirst().compare(one, other) < 0;
    }

    private boolean goesFirst(Waiting older, boolean youngerIsHere) {
        return !needsAllAtOnce(older)
                || terms.freesAtOnce()
                || (!youngerIsHere && holdsBack(waiting.waitedMillis(older) - terms.passedByMillis()));
    }

    private boolean needsAllAtOnce(Waiting each) {
        Discarded before = discarded.get(each.key());
        return each.neededBytes() != Manifest.UNKNOWN_SIZE || (before != null && before.first() == null);
    }

    /** Whether admissions are closed for one that has been passed by for too long since so many milliseconds. */
    private static boolean holdsBack(long millis) {
        long left = millis;
        for (long hold = FIRST_HOLD_MILLIS; left >= 0; hold = Math.min(2 * hold, LONGEST_HOLD_MILLIS)) {
            if (left < hold) {
                return true;
            }
            left -= HOLD_AND_PASS * hold;
        }
        return false;
    }

    /** Where discarded bytes are free at once, nothing is discarded for it again: it would fill that too. */
    private SpaceAnswer.Wait alone(long hadBytes, String space) {
        String why = String.format(
                Locale.ROOT,
                "It filled the space at %s with %,d bytes and was not at its end, and others waited. It begins again by itself"
                        + " when there is more.",
                terms.role().owner,
                hadBytes);
        return new SpaceAnswer.Wait(space, !terms.freesAtOnce(), why);
    }

    private SpaceAnswer earliest(Optional<Waiting> first, boolean roomHelps) {
        return first.<SpaceAnswer>map(each -> after(each.manifest(), each.space(), roomHelps))
                .orElse(SpaceAnswer.yes());
    }

    private SpaceAnswer.Wait after(Manifest first, String space, boolean roomHelps) {
        String where = space.equals(SpaceAnswer.NODE) ? "" : " in the quota of " + space;
        String why = Printable.shortly(first.name()) + " came earlier, and " + terms.role().owner
                + " has no room for both" + where + ". It resumes by itself when that one has ended.";
        return new SpaceAnswer.Wait(space, roomHelps, why);
    }

    /** What needs no room waits for a reason that no other transfer changes. */
    private Stream<Waiting> wantingRoom() {
        return waiting.lately().stream().filter(each -> each.neededBytes() != 0);
    }

    /** Time passes. */
    public void tick() {
        long nowMillis = steadyMillis.getAsLong();
        if (nowMillis < nextLookMillis) {
            return;
        }
        nextLookMillis = nowMillis + terms.patienceMillis() / LOOKS_PER_PATIENCE;
        waiting.look(contents::canFit);
        List<Waiting> all = wantingRoom().toList();
        all.stream()
                .filter(each -> each.canFit() && waiting.waitedMillis(each) >= terms.patienceMillis())
                .forEach(this::makeFollowerGiveWay);
        if (nowMillis >= nextDiscardMillis) {
            all.stream().map(Waiting::space).collect(Collectors.toSet()).forEach(space -> makeRoomIn(space, nowMillis));
        }
    }

    /** What has to be committed after one that waits cannot come to its end, and may have the room that this one needs. */
    private void makeFollowerGiveWay(Waiting first) {
        Predicate<Manifest> wantsThatRoom = each -> each.sizeBytes() != 0
                && (first.space().equals(SpaceAnswer.NODE)
                        || contents.quotas(each).contains(first.space()));
        Consumer<Manifest> giveWay = each -> discardFor(first, each.key(), 0);
        last(wantsThatRoom, each -> first.manifest().comesBefore(each.manifest()))
                .or(() -> last(wantsThatRoom, each -> contents.mayFollow(each, first.manifest())))
                .ifPresentOrElse(giveWay, () -> contents.absentFollower(first, wantsThatRoom, giveWay));
    }

    private Optional<Manifest> last(Predicate<Manifest> wantsThatRoom, Predicate<Open> condition) {
        return contents.open().stream()
                .filter(condition)
                .map(Open::manifest)
                .filter(wantsThatRoom)
                .max(Comparator.comparingLong(Manifest::number));
    }

    /** If one has waited for space there for so long that a younger one is discarded, does that. */
    private void makeRoomIn(String space, long nowMillis) {
        wantingRoom()
                .filter(Waiting::isHelpedByRoom)
                .filter(each -> each.space().equals(space))
                .min(byAge)
                .filter(each -> waiting.waitedMillis(each)
                        >= (needsAllAtOnce(each) ? terms.passedByMillis() : terms.patienceMillis()))
                .ifPresent(oldest -> {
                    nextDiscardMillis = nowMillis + terms.patienceMillis();
                    contents.growing(space, candidates -> makeRoom(oldest, candidates));
                });
    }

    private void makeRoom(Waiting oldest, Collection<TransferKey> candidates) {
        candidates.stream()
                .filter(key -> !key.equals(oldest.key()) && mayGo(key, oldest))
                .max(terms.oldestFirst())
                .ifPresentOrElse(
                        youngest -> {
                            Open open = contents.open(youngest);
                            discardFor(oldest, youngest, open == null ? 0 : open.heldBytes());
                        },
                        () -> {
                            if (candidates.contains(oldest.key()) && othersWouldFit(oldest)) {
                                giveWay(oldest);
                            }
                        });
    }

    /** Where it is not known what discarding is good for, one that moves is not discarded for one that needs all its room at once. */
    private boolean mayGo(TransferKey key, Waiting oldest) {
        return terms.freesAtOnce()
                ? isOlder(oldest.key(), key) || !comesIn(key)
                : isOlder(oldest.key(), key) && (!needsAllAtOnce(oldest) || waiting.contains(key));
    }

    private void discardFor(Waiting first, TransferKey younger, long hadBytes) {
        discarded.put(younger, new Discarded(first.manifest(), first.space(), hadBytes));
        contents.discard(younger, after(first.manifest(), first.space(), false).refusal());
    }

    /** Whether one has waited for long that would fit in the place of another that fills the space alone. */
    private boolean othersWouldFit(Waiting alone) {
        return hasBeenPassedBy(alone)
                && wantingRoom()
                        .anyMatch(each -> !each.key().equals(alone.key())
                                && each.space().equals(alone.space())
                                && neededBytes(each.manifest(), each.neededBytes()) <= alone.heldBytes()
                                && hasBeenPassedBy(each));
    }

    private boolean hasBeenPassedBy(Waiting each) {
        return waiting.waitedMillis(each) >= terms.passedByMillis();
    }

    private static long neededBytes(Manifest manifest, long bytes) {
        return bytes == Manifest.UNKNOWN_SIZE ? manifest.fragmentSizeBytes() : bytes;
    }

    private void giveWay(Waiting alone) {
        waiting.remove(alone.key()); // its time to wait begins anew
        discarded.values().removeIf(each -> alone.manifest().equals(each.first()));
        discarded.put(alone.key(), new Discarded(null, alone.space(), alone.heldBytes()));
        contents.discard(alone.key(), alone(alone.heldBytes(), alone.space()).refusal());
    }
}
