package io.hawser.broker.relay;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a publisher's transfer or fragment may come in: first whether older transfers go before it ({@link
 * SpaceArbiter}), then whether it fits ({@link RelayStore#admit}). It remembers the refused ones ({@link RefusedTransfers}),
 * because they decide the order.
 *
 * <p>Thread: the relay's loop.
 */
final class AdmissionControl {
    /** How long one that lacked room for a fragment is taken to lack it still. */
    private static final long SHORT_OF_ROOM_MILLIS = 60_000;

    private final RelayStore store;
    private final LiveTransfers live;
    private final LongSupplier steadyMillis;
    private final ArrivalOrder arrivals = new ArrivalOrder();
    final RefusedTransfers refusedLately;
    final SpaceArbiter scheduler;

    /**
     * @param steadyMillis a clock that is never set
     * @param forget what is here of a transfer is to be forgotten, and its publisher to be told why
     */
    AdmissionControl(
            RelayStore store, LiveTransfers live, LongSupplier steadyMillis, BiConsumer<TransferKey, Refusal> forget) {
        this.store = store;
        this.live = live;
        this.steadyMillis = steadyMillis;
        this.refusedLately = new RefusedTransfers(arrivals, steadyMillis);
        this.scheduler = new SpaceArbiter(store, refusedLately, arrivals, live, steadyMillis, forget);
    }

    /** The transfer begins, or goes on after its session or an earlier run. One of known size has all its room and will not wait again. */
    void begins(Manifest manifest) {
        if (!manifest.sizeKnown()) {
            arrivals.see(manifest.key());
        }
    }

    /** Why there is none for a transfer that would begin, or null; what its size is known to be is reserved then. */
    @Nullable
    Refusal whyNot(Manifest manifest) {
        AdmissionRefusal turn = null;
        if (store.fitsAlone(manifest)) {
            turn = scheduler.mustWait(manifest, 0);
        } else {
            scheduler.cannotFit(manifest); // the store says why
        }
        return noted(manifest, 0, turn == null ? store.admit(manifest, () -> live.anyFollows(manifest)) : turn);
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
        AdmissionRefusal turn = scheduler.mustWait(manifest, heldBytes);
        return noted(manifest, heldBytes, turn == null ? store.admitFragment(manifest, heldBytes, length) : turn);
    }

    private @Nullable Refusal noted(Manifest manifest, long heldBytes, @Nullable AdmissionRefusal refusal) {
        if (refusal == null) {
            refusedLately.admitted(manifest.key());
            return null;
        }
        refusedLately.refused(manifest, refusal, heldBytes);
        return refusal.refusal();
    }
}
