package io.hawser.broker.admin;

import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.TransferSteering;

/**
 * A far end in the broker's process, which can be asked to retry its dead letters without a message between nodes.
 *
 * <p>Thread: any.
 *
 * @param subscription its name
 * @param steering retries
 */
public record RetryingEnd(String subscription, TransferSteering steering) {
    /** Whether a transfer is on its dead-letter list. */
    boolean has(TransferStatus status) {
        return status.state().equals("dead")
                && status.receipts().stream()
                        .anyMatch(each -> each.subscription().equals(subscription)
                                && each.status().equals("dead"));
    }
}
