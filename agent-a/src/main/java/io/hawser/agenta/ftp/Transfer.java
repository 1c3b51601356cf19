package io.hawser.agenta.ftp;

import java.util.Optional;

/**
 * A transfer that is under way and whose final reply is still to come.
 *
 * <p>Thread: the loop.
 */
interface Transfer {
    /** A command arrived on the control connection while the transfer's own reply is outstanding. */
    void commandArrived();

    /** The control connection is gone; nothing can be replied any more. */
    void controlClosed();

    /** What can be told of it to somebody who asks (STAT). */
    default Optional<String> progress() {
        return Optional.empty();
    }

    /** Ends it if that is still possible, with {@code reply} as the answer to its command. */
    void abort(FtpReply reply);
}
