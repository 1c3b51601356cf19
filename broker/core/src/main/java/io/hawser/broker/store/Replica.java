package io.hawser.broker.store;

import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * A verified and published copy at a far end that no later delivery there has replaced.
 *
 * @param topic by which it went
 * @param subscription the far end
 * @param key the transfer that its bytes come from
 * @param name under which it was sent; renames may have come since
 * @param sizeBytes its size; -1 if not known, since it was patched
 * @param digest of its bytes; null if not known, since it was patched
 * @param deliveredEpochMillis when it was published, by the far end's clock
 */
public record Replica(
        Topic topic,
        String subscription,
        TransferKey key,
        String name,
        long sizeBytes,
        @Nullable TransferDigest digest,
        long deliveredEpochMillis) {}
