package io.hawser.store.spool;

import io.hawser.core.hop.Refusal;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.space.SpaceRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The spool's space: the bytes of each transfer in the budget, and the uploads of unknown size that wait. When space returns, the oldest
 * upload resumes first. When none has returned for the stall timeout, the youngest is ended, and what it held is for the others.
 *
 * <p>Thread: the loop.
 */
final class SpoolSpace {
    private static final String UPLOAD = "an upload";

    private final SpaceBudget budget;
    private final long stallMillis;
    private final LongSupplier steadyMillis;
    /** The oldest first. */
    private final List<UploadSpace> waiting = new ArrayList<>();

    private long stalledSinceMillis = Long.MAX_VALUE;
    private BooleanSupplier evictOne = () -> false;

    /** @param steadyMillis a clock that is never set */
    SpoolSpace(SpoolConfig.Space config, LongSupplier steadyMillis) {
        this.budget = new SpaceBudget(SpaceRole.ORIGIN, config.quotaBytes(), config.headRoomBytes());
        this.stallMillis = config.stallTimeout().toMillis();
        this.steadyMillis = steadyMillis;
    }

    SpaceBudget budget() {
        return budget;
    }

    /** When space is short, {@code evict} removes some content that need not be kept; it returns false if there is none. */
    void relieveBy(BooleanSupplier evict) {
        evictOne = evict;
    }

    /** Why {@code bytes} cannot be taken now, or null if they can. */
    @Nullable
    Refusal refusalFor(long bytes) {
        Refusal never = refusalForEver(bytes);
        if (never == null) {
            relieve(bytes);
        }
        return never == null ? budget.admit(UPLOAD, bytes).refusal() : never;
    }

    /** Why an object of {@code bytes} can never be taken, or null. */
    @Nullable
    Refusal refusalForEver(long bytes) {
        return budget.admitEver("The upload has", bytes).refusal();
    }

    private void relieve(long bytes) {
        while (bytes > budget.availableBytes() && evictOne.getAsBoolean()) {
            // until there is enough, or nothing left to evict
        }
    }

    /** Promises {@code bytes} more to {@code transfer}: null, or why not. */
    @Nullable
    Refusal reserve(SpoolTransfer transfer, long bytes) {
        relieve(bytes);
        Refusal refusal = budget.reserve(UPLOAD, bytes).refusal();
        if (refusal == null) {
            transfer.setSpace(transfer.reservedBytes() + bytes, transfer.heldBytes());
        }
        return refusal;
    }

    /** {@code transfer} has written {@code bytes}, out of what it was promised as far as that goes. */
    void written(SpoolTransfer transfer, long bytes) {
        long fromPromise = Math.min(bytes, transfer.reservedBytes());
        budget.release(fromPromise);
        budget.written(bytes);
        transfer.setSpace(transfer.reservedBytes() - fromPromise, transfer.heldBytes() + bytes);
    }

    /** {@code transfer} has written its last byte. */
    void unreserve(SpoolTransfer transfer) {
        budget.release(transfer.reservedBytes());
        transfer.setSpace(0, transfer.heldBytes());
    }

    /** The content of {@code transfer} is deleted. */
    void released(SpoolTransfer transfer) {
        unreserve(transfer);
        budget.dropped(transfer.heldBytes());
        transfer.setSpace(0, 0);
    }

    void add(UploadSpace waiter) {
        waiting.add(waiter);
        waiting.sort(Comparator.comparingLong(UploadSpace::number));
        stalledSinceMillis = Math.min(stalledSinceMillis, steadyMillis.getAsLong());
    }

    void remove(UploadSpace waiter) {
        waiting.remove(waiter);
    }

    int waiting() {
        return waiting.size();
    }

    /** Space may have returned. */
    void retry() {
        while (!waiting.isEmpty() && waiting.get(0).tryToResume()) {
            waiting.remove(0);
            stalledSinceMillis = steadyMillis.getAsLong();
        }
        if (waiting.isEmpty()) {
            stalledSinceMillis = Long.MAX_VALUE;
        }
    }

    /** Time passes; the disk has {@code freeBytes}. */
    void tick(long freeBytes) {
        budget.measured(freeBytes);
        retry();
        long nowMillis = steadyMillis.getAsLong();
        if (!waiting.isEmpty() && nowMillis - stalledSinceMillis >= stallMillis) {
            stalledSinceMillis = nowMillis;
            waiting.remove(waiting.size() - 1).endForSpace();
        }
    }
}
