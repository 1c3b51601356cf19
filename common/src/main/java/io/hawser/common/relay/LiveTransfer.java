package io.hawser.common.relay;

import io.hawser.common.model.FragmentRanges;
import io.hawser.common.model.Manifest;

/** A transfer that a publisher is sending at this moment. Once it is committed the store alone has it. Thread: the relay's loop. */
final class LiveTransfer {
    final Manifest manifest;
    /** Fragments that are durable here. */
    final FragmentRanges durable;
    /** Whether no earlier life of this relay can have forwarded any of it. */
    final boolean fresh;

    boolean committing;

    LiveTransfer(Manifest manifest, FragmentRanges durable, boolean fresh) {
        this.manifest = manifest;
        this.durable = durable;
        this.fresh = fresh;
    }
}
