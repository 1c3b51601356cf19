package io.hawser.store.landing;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.space.SpacePolicy;
import io.hawser.store.space.SpaceRole;
import io.hawser.store.space.WaitingTransfers.Waiting;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the {@link SpacePolicy} for the landing area's transfers and tells it of them. The older one is the one with the older id, so that
 * a restart changes no order.
 *
 * <p>Thread: the loop.
 */
final class LandingSpace implements SpacePolicy.Contents {
    private static final Comparator<TransferKey> BY_AGE =
            Comparator.<TransferKey>comparingLong(key -> key.id().epochMillis()).thenComparing(key -> key);
    /** How long one that lacked room for a fragment is taken to lack it still. */
    private static final long SHORT_OF_ROOM_MILLIS = 60_000;

    private final SpaceBudget budget;
    private final LongSupplier steadyMillis;
    private final SpacePolicy policy;
    private @Nullable LandingRegister register;
    private BiConsumer<LandingTransfer, Refusal> discard = (landing, why) -> {};
    /** As of the last tick. */
    private List<SpacePolicy.Open> open = List.of();

    /**
     * Creates it.
     *
     * @param patience how long the oldest waits before it costs another its place
     * @param steadyMillis a clock that is never set
     */
    LandingSpace(SpaceBudget budget, Duration patience, LongSupplier steadyMillis) {
        this.budget = budget;
        this.steadyMillis = steadyMillis;
        long millis = patience.toMillis();
        this.policy =
                new SpacePolicy(new SpacePolicy.Terms(SpaceRole.END, BY_AGE, millis, millis, true), this, steadyMillis);
    }

    /** These are the transfers; {@code giveUp} discards what is here of one, with the reason. */
    void manage(LandingRegister transfers, BiConsumer<LandingTransfer, Refusal> giveUp) {
        register = transfers;
        discard = giveUp;
    }

    /** Its sender sent something of it. */
    void heardOf(LandingTransfer landing) {
        landing.heardMillis = steadyMillis.getAsLong();
    }

    /** A fragment of it was not taken. */
    void fragmentRefused(LandingTransfer landing) {
        landing.refusedMillis = steadyMillis.getAsLong();
    }

    /** There was no room for what it needs at once, {@link Manifest#UNKNOWN_SIZE} for a fragment; it is asked for again. */
    void refused(LandingTransfer landing, long neededBytes, String why) {
        noted(landing, neededBytes, SpaceAnswer.waitForRoom(why));
    }

    private @Nullable Refusal noted(LandingTransfer landing, long neededBytes, SpaceAnswer answer) {
        SpaceAnswer noted = policy.noted(landing.manifest, landing.durableBytes(), neededBytes, answer);
        return !noted.isYes() && budget.isBelowHeadRoom()
                ? budget.belowHeadRoom().refusal()
                : noted.refusal();
    }

    /** It found room, or needs none any more. */
    void noLongerWaits(TransferKey key) {
        policy.waiting().remove(key);
    }

    /** Why nothing of {@code landing} is taken now although there may be room, or null. One that has its room reserved does not wait. */
    @Nullable
    Refusal mustWait(LandingTransfer landing) {
        if (landing.manifest.sizeKnown() && landing.state() == LandingState.OPEN) {
            return null;
        }
        SpaceAnswer answer = policy.mustWait(landing.manifest, landing.durableBytes());
        return answer.isYes() ? null : noted(landing, landing.manifest.sizeBytes(), answer);
    }

    /** Promises all that it needs at once; null, or why not. */
    @Nullable
    Refusal reserve(LandingTransfer landing, long neededBytes) {
        SpaceAnswer answer = neededBytes == 0 ? SpaceAnswer.yes() : policy.mustWait(landing.manifest, 0);
        return noted(landing, neededBytes, answer.and(() -> budget.reserve(landing.shortName(), neededBytes)));
    }

    /**
     * Whether it lacked room for a fragment lately. Then it is opened again only if there is some, so that no fragment has to come in vain
     * to show it. After a while one has to: it may be here by now, with a session's end between, and the commit needs no room.
     */
    boolean lackedRoomLately(LandingTransfer landing) {
        Long refusedMillis = landing.refusedMillis;
        return refusedMillis != null && steadyMillis.getAsLong() - refusedMillis < SHORT_OF_ROOM_MILLIS;
    }

    /** Why there is no room for a fragment of it still, or null. */
    @Nullable
    Refusal stillNone(LandingTransfer landing) {
        Refusal others = mustWait(landing);
        if (others != null || landing.manifest.sizeKnown()) {
            return others;
        }
        SpaceAnswer answer = budget.admit(landing.shortName(), landing.manifest.fragmentSizeBytes());
        return answer.isYes() ? null : noted(landing, Manifest.UNKNOWN_SIZE, answer);
    }

    /** Time passes. */
    void tick() {
        LandingRegister known = register;
        open = known == null
                ? List.of()
                : known.landings().stream()
                        .filter(LandingSpace::isIncomplete)
                        .map(this::open)
                        .toList();
        policy.tick();
    }

    private static boolean isIncomplete(LandingTransfer landing) {
        return landing.state() == LandingState.OPEN && landing.commit == null && !landing.creating;
    }

    private SpacePolicy.Open open(LandingTransfer landing) {
        long silentMillis = steadyMillis.getAsLong() - landing.heardMillis;
        return new SpacePolicy.Open(landing.manifest, landing.durableBytes(), silentMillis);
    }

    private @Nullable LandingTransfer find(TransferKey key) {
        LandingRegister known = register;
        return known == null ? null : known.landing(key);
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, long bytes) {
        return budget.admit(manifest.name(), bytes);
    }

    @Override
    public boolean canFit(Waiting each) {
        long room = budget.availableBytes();
        for (SpacePolicy.Open other : open) {
            if (!other.manifest().sizeKnown()) {
                room += BY_AGE.compare(each.key(), other.manifest().key()) < 0 ? other.heldBytes() : 0;
            } else if (each.manifest().comesBefore(other.manifest())) {
                room += other.manifest().sizeBytes();
            }
        }
        return each.neededBytes() <= room;
    }

    @Override
    public List<SpacePolicy.Open> open() {
        return open;
    }

    @Override
    public SpacePolicy.@Nullable Open open(TransferKey key) {
        LandingTransfer landing = find(key);
        return landing == null || landing.state() != LandingState.OPEN ? null : open(landing);
    }

    /** An upload that broke off and resumed may be committed after a later one, whatever its number. */
    @Override
    public boolean mayFollow(SpacePolicy.Open other, Manifest first) {
        return other.isSilent() && other.manifest().comesBefore(first);
    }

    @Override
    public void discard(TransferKey key, Refusal why) {
        LandingTransfer landing = find(key);
        if (landing != null) {
            discard.accept(landing, why);
        }
    }
}
