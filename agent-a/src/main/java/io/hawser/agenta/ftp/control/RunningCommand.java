package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.ReplyCode;
import java.util.Optional;

/**
 * A command that is under way and whose final reply is still to come: a transfer, or a question to the far end.
 *
 * <p>Thread: the loop.
 */
public interface RunningCommand {
    /** A command arrived on the control connection while the transfer's own reply is outstanding. */
    default void commandArrived() {}

    /** The control connection is gone; nothing can be replied any more. Without its client a transfer ends. */
    default void controlClosed() {
        abort(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The control connection ended."));
    }

    /** What STAT tells about it. */
    default Optional<String> progress() {
        return Optional.empty();
    }

    /** Ends it if that is still possible, with {@code reply} as the answer to its command. */
    void abort(FtpReply reply);
}
