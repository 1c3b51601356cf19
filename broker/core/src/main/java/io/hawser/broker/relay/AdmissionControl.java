package io.hawser.broker.relay;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.space.SpacePolicy;
import io.hawser.store.space.SpaceRole;
import io.hawser.store.space.WaitingTransfers;
import io.hawser.store.space.WaitingTransfers.Waiting;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a publisher's transfer or fragment may come in: first whether older transfers go before it ({@link SpacePolicy}), then
 * whether it fits ({@link RelayStore#admit}). The policy remembers the refused ones, because they decide the order.
 *
 * <p>Thread: the relay's loop.
 */
final class AdmissionControl implements SpacePolicy.Contents {
    /** How long the oldest waits before the youngest is discarded for it. */
    private static final long PATIENCE_MILLIS = 5_000;
    /** How long one that needs all its room at once is passed by before others are held back for it. */
    static final long PASSED_BY_MILLIS = 60_000;
    /** How long one that lacked room for a fragment is taken to lack it still. */
    private static final long SHORT_OF_ROOM_MILLIS = 60_000;
    /** How often the store is asked for what its publisher does not offer now: that costs it some work. */
    private static final long QUIET_LOOK_MILLIS = 15_000;

    /** Of which nothing came for so long: it is all here, or its source has stopped. */
    private static final long IDLE_MILLIS = 30_000;

    private static final int MAX_CANDIDATES = 512;

    private final RelayStore store;
    private final LiveTransfers live;
    private final LongSupplier steadyMillis;
    private final BiConsumer<TransferKey, Refusal> forget;
    private final ArrivalOrder arrivals = new ArrivalOrder();
    private final SpacePolicy policy;
    private long nextQuietLookMillis;

    /**
     * @param steadyMillis a clock that is never set
     * @param forget what is here of a transfer is to be forgotten, and its publisher to be told why
     */
    AdmissionControl(
            RelayStore store, LiveTransfers live, LongSupplier steadyMillis, BiConsumer<TransferKey, Refusal> forget) {
        this.store = store;
        this.live = live;
        this.steadyMillis = steadyMillis;
        this.forget = forget;
        SpacePolicy.Terms terms =
                new SpacePolicy.Terms(SpaceRole.RELAY, arrivals.oldestFirst, PATIENCE_MILLIS, PASSED_BY_MILLIS, false);
        this.policy = new SpacePolicy(terms, this, steadyMillis);
    }

    /** What publishers have to keep for now. */
    WaitingTransfers waiting() {
        return policy.waiting();
    }

    /** Time passes. */
    void tick() {
        policy.tick();
    }

    /** The transfer begins, or resumes after its session or an earlier run. One of known size has all its room and will not wait again. */
    void begins(Manifest manifest) {
        if (!manifest.sizeKnown()) {
            arrivals.see(manifest.key());
        }
    }

    /** Why there is none for a transfer that would begin, or null; what its size is known to be is reserved then. */
    @Nullable
    Refusal whyNot(Manifest manifest) {
        SpaceAnswer others =
                store.fitsAlone(manifest) ? policy.mustWait(manifest, 0) : SpaceAnswer.yes(); // else the store says why
        return noted(manifest, 0, others.and(() -> store.admit(manifest, () -> live.anyFollows(manifest))));
    }

    /** Why there is none for a fragment that has come, or null. */
    @Nullable
    Refusal whyNoMore(LiveTransfer transfer, int length) {
        transfer.heardMillis = steadyMillis.getAsLong();
        Refusal refusal = transfer.manifest.sizeKnown() ? null : whyNotSoMuch(transfer, length);
        transfer.refusedMillis = refusal == null ? null : transfer.heardMillis;
        return refusal;
    }

    /**
     * What lacked room for a fragment lately is refused until there is some, so that no fragment has to come in vain to show it. After a
     * while one has to: the fragment may be here by now, with a session's end between, and the commit needs no room.
     */
    @Nullable
    Refusal whyStillNoMore(LiveTransfer transfer) {
        Long refusedMillis = transfer.refusedMillis;
        return refusedMillis == null || steadyMillis.getAsLong() - refusedMillis >= SHORT_OF_ROOM_MILLIS
                ? null
                : whyNotSoMuch(transfer, transfer.manifest.fragmentSizeBytes());
    }

    private @Nullable Refusal whyNotSoMuch(LiveTransfer transfer, int length) {
        Manifest manifest = transfer.manifest;
        long heldBytes = transfer.heldBytes();
        SpaceAnswer others = policy.mustWait(manifest, heldBytes);
        return noted(manifest, heldBytes, others.and(() -> store.admitFragment(manifest, heldBytes, length)));
    }

    private @Nullable Refusal noted(Manifest manifest, long heldBytes, SpaceAnswer answer) {
        if (!answer.isYes()) {
            arrivals.see(manifest.key());
        }
        return policy.noted(manifest, heldBytes, manifest.sizeBytes(), answer).refusal();
    }

    @Override
    public Set<String> quotas(Manifest manifest) {
        return store.quotas(manifest);
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, long bytes) {
        return store.admitFragment(manifest, 0, bytes);
    }

    @Override
    public boolean canFit(Waiting each) {
        return store.fitsAlone(each.manifest());
    }

    @Override
    public List<SpacePolicy.Open> open() {
        return live.open();
    }

    @Override
    public SpacePolicy.@Nullable Open open(TransferKey key) {
        return live.open(key);
    }

    /** What it waits for may be known to its publisher alone, if others are between. */
    @Override
    public boolean mayFollow(SpacePolicy.Open other, Manifest first) {
        return other.silentMillis() >= IDLE_MILLIS && isLater(other.manifest(), first);
    }

    private static boolean isLater(Manifest other, Manifest first) {
        return other.key().publisher().equals(first.key().publisher())
                && other.topic().equals(first.topic())
                && other.number() > first.number();
    }

    @Override
    public void growing(String space, Consumer<Collection<TransferKey>> then) {
        store.openWithUnknownSize(space, MAX_CANDIDATES, outcome -> {
            if (!outcome.isRefused()) {
                then.accept(outcome.get());
            }
        });
    }

    /** After a new session its publisher offers some again only when earlier ones have ended. */
    @Override
    public void absentFollower(Waiting first, Predicate<Manifest> wantsThatRoom, Consumer<Manifest> then) {
        long nowMillis = steadyMillis.getAsLong();
        if (nowMillis < nextQuietLookMillis || waiting().waitedMillis(first) < PASSED_BY_MILLIS) {
            return;
        }
        nextQuietLookMillis = nowMillis + QUIET_LOOK_MILLIS;
        store.openSince(Long.MAX_VALUE, MAX_CANDIDATES, outcome -> {
            if (!outcome.isRefused()) {
                firstOf(
                        outcome.get().stream()
                                .filter(key ->
                                        key.publisher().equals(first.key().publisher()) && live.open(key) == null)
                                .sorted(arrivals.oldestFirst.reversed())
                                .iterator(),
                        wantsThatRoom.and(each -> isLater(each, first.manifest())),
                        then);
            }
        });
    }

    private void firstOf(Iterator<TransferKey> keys, Predicate<Manifest> isWanted, Consumer<Manifest> then) {
        if (keys.hasNext()) {
            store.lookup(keys.next(), outcome -> {
                KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
                if (kept != null && kept.commit() == null && isWanted.test(kept.manifest())) {
                    then.accept(kept.manifest());
                } else {
                    firstOf(keys, isWanted, then);
                }
            });
        }
    }

    @Override
    public void discard(TransferKey key, Refusal why) {
        forget.accept(key, why);
    }
}
