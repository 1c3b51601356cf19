package io.hawser.broker.store;

import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferDigest;
import io.hawser.common.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * A copy that a far end has said it has verified and published, and of which nothing that was delivered there later has made
 * something else.
 *
 * @param topic by which it went
 * @param subscription the far end
 * @param key the transfer whose bytes it has
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
