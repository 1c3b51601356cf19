package io.hawser.broker.relay;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that publishers are sending now.
 *
 * <p>Thread: the relay's loop.
 */
final class LiveTransfers implements SpaceArbiter.OpenTransfers {
    /** A transfer that was silent for so long: no other gives its space to it. */
    private static final long QUIET_MILLIS = 60_000;
    /** Of which nothing came for so long: it is all here, or its source has stopped. */
    private static final long STANDING_MILLIS = 30_000;

    private final Map<TransferKey, LiveTransfer> byKey = new HashMap<>();
    private final LongSupplier steadyMillis;

    LiveTransfers(LongSupplier steadyMillis) {
        this.steadyMillis = steadyMillis;
    }

    /** A publisher begins or resumes a transfer. */
    LiveTransfer begin(Manifest manifest, FragmentRanges durable, boolean fresh) {
        LiveTransfer transfer = new LiveTransfer(manifest, durable, fresh, steadyMillis.getAsLong());
        byKey.put(manifest.key(), transfer);
        return transfer;
    }

    /** Nothing more of it comes for now. */
    void end(TransferKey key) {
        byKey.remove(key);
    }

    /** The same of this one, and not of one that has begun under its key since. */
    void end(LiveTransfer transfer) {
        byKey.remove(transfer.manifest.key(), transfer);
    }

    /** The same for all transfers of a publisher; a commit that is under way completes by itself. */
    void endOf(NodeId publisher) {
        byKey.values()
                .removeIf(each ->
                        !each.committing && each.manifest.key().publisher().equals(publisher));
    }

    @Nullable
    LiveTransfer find(TransferKey key) {
        return byKey.get(key);
    }

    /** Those of a topic that are not being committed. */
    Collection<LiveTransfer> of(Topic topic) {
        return byKey.values().stream()
                .filter(transfer -> transfer.manifest.topic().equals(topic) && !transfer.committing)
                .toList();
    }

    /** Whether one of them must not be committed before that. */
    boolean anyFollows(Manifest manifest) {
        return byKey.values().stream().anyMatch(each -> manifest.comesBefore(each.manifest));
    }

    @Override
    public boolean comesIn(TransferKey key) {
        LiveTransfer transfer = find(key);
        return transfer != null && steadyMillis.getAsLong() - transfer.heardMillis < QUIET_MILLIS;
    }

    @Override
    public long heldBytes(TransferKey key) {
        LiveTransfer transfer = find(key);
        return transfer == null ? 0 : transfer.heldBytes();
    }

    @Override
    public Optional<Manifest> lastToFollow(Manifest earlier, Predicate<Manifest> isWanted) {
        return last(each -> earlier.comesBefore(each.manifest) && isWanted.test(each.manifest));
    }

    @Override
    public Optional<Manifest> lastToStandBehind(Manifest earlier, Predicate<Manifest> isWanted) {
        long standingSince = steadyMillis.getAsLong() - STANDING_MILLIS;
        return last(each -> each.heardMillis <= standingSince
                && each.manifest.key().publisher().equals(earlier.key().publisher())
                && each.manifest.topic().equals(earlier.topic())
                && each.manifest.number() > earlier.number()
                && isWanted.test(each.manifest));
    }

    private Optional<Manifest> last(Predicate<LiveTransfer> condition) {
        return byKey.values().stream()
                .filter(condition)
                .map(transfer -> transfer.manifest)
                .max(Comparator.comparingLong(Manifest::number));
    }
}
