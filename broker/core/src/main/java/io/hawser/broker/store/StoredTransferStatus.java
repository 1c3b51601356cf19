package io.hawser.broker.store;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.core.model.Receipt;
import java.util.Map;
import java.util.Set;

/**
 * The status of a transfer at the broker.
 *
 * @param transfer what is kept of it
 * @param durableBytes payload bytes that are durable here and still kept
 * @param openedEpochMillis when its first record was written
 * @param changedEpochMillis when a record of it was last written that carries a time
 * @param receipts the last receipt of each subscription that its publisher has not acknowledged; and those that tell of a failure
 *     as long as they are remembered
 * @param acknowledged subscriptions whose final receipt has reached the publisher
 */
public record StoredTransferStatus(
        KeptTransfer transfer,
        long durableBytes,
        long openedEpochMillis,
        long changedEpochMillis,
        Map<String, Receipt> receipts,
        Set<String> acknowledged) {}
