package io.hawser.broker.relay;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transfer as the relay's store has it.
 *
 * @param manifest what it is
 * @param durable fragments that are durable (all of them once committed; empty for a small transfer's absent payload)
 * @param commit the commit, or null while it is open
 * @param commitSequence the commit record's sequence number, or 0
 * @param deliverySet subscriptions that "delivered" counts
 * @param owed subscriptions that still need the bytes
 * @param permits of these, which are shared by several: the member that may deliver it, if one has been allowed to
 * @param steering what else was asked of it
 */
public record KeptTransfer(
        Manifest manifest,
        FragmentRanges durable,
        @Nullable Commit commit,
        long commitSequence,
        Set<String> deliverySet,
        Set<String> owed,
        Map<String, NodeId> permits,
        Steering steering) {}
