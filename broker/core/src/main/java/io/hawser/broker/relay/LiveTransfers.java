package io.hawser.broker.relay;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.SpacePolicy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that publishers are sending now.
 *
 * <p>Thread: the relay's loop.
 */
final class LiveTransfers {
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

    /** Those that are not being committed. */
    List<SpacePolicy.Open> open() {
        return byKey.values().stream()
                .filter(each -> !each.committing)
                .map(this::open)
                .toList();
    }

    SpacePolicy.@Nullable Open open(TransferKey key) {
        LiveTransfer transfer = find(key);
        return transfer == null ? null : open(transfer);
    }

    private SpacePolicy.Open open(LiveTransfer transfer) {
        long silentMillis = steadyMillis.getAsLong() - transfer.heardMillis;
        return new SpacePolicy.Open(transfer.manifest, transfer.heldBytes(), silentMillis);
    }
}
