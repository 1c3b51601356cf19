package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;

/**
 * Decides, after order by path, whether a COMMIT may leave a {@link HopSender} now. Behind one that is not open small transfers
 * travel as large ones only if the sender's limit for small ones is below 0: an item of those is its own COMMIT, and passes no gate.
 *
 * <p>Thread: the sender's loop.
 */
@FunctionalInterface
public interface CommitGate {
    /** Lets all pass, also ahead of the last fragments. */
    CommitGate OPEN = (key, complete) -> true;

    /**
     * Whether the COMMIT may leave now. Asked again when all fragments have become durable at the receiver, and at {@link
     * HopSender#tryCommit}.
     *
     * @param complete whether all fragments are durable at the receiver
     */
    boolean mayCommit(TransferKey key, boolean complete);
}
