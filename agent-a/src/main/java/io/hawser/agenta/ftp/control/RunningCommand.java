package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.ReplyCode;
import java.util.Optional;

/**
 * An FTP command that has started and not sent its final reply; ABOR and STAT act on it.
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
