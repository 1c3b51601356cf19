package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;

/**
 * Decides, after order by path, whether a COMMIT may leave a {@link HopSender} now. A small item contains its COMMIT and passes no gate: a
 * sender with a gate must have a limit for small transfers below 0.
 *
 * <p>Thread: the sender's loop.
 */
@FunctionalInterface
public interface CommitSendGate {
    /** Lets every COMMIT pass, also before the last fragments. */
    CommitSendGate OPEN = (key, complete) -> true;

    /**
     * Whether the COMMIT may leave now. Asked again when all fragments have become durable at the receiver, and at {@link
     * HopSender#tryAgain}.
     *
     * @param complete whether all fragments are durable at the receiver
     */
    boolean mayCommit(TransferKey key, boolean complete);
}
