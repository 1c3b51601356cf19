package io.hawser.broker.relay;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import org.jspecify.annotations.Nullable;

/** A transfer that a publisher is sending now. After its commit only the store has it. Thread: the relay's loop. */
final class LiveTransfer {
    final Manifest manifest;
    final FragmentRanges durable;
    /** Whether no earlier run of this relay can have forwarded any of it. */
    final boolean fresh;

    boolean committing;

    /** When something of it came last; by a clock that is never set. */
    long heardMillis;

    /** When a fragment of it was refused for want of room, or null if one was let in since. */
    @Nullable
    Long refusedMillis;

    LiveTransfer(Manifest manifest, FragmentRanges durable, boolean fresh, long nowMillis) {
        this.heardMillis = nowMillis;
        this.manifest = manifest;
        this.durable = durable;
        this.fresh = fresh;
    }

    /** What is durable of it, the last fragment counted as a full one. */
    long heldBytes() {
        return durable.count() * manifest.fragmentSizeBytes();
    }
}
