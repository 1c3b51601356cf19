package io.hawser.agenta.sftp.session;

import io.hawser.core.ftp.FtpPath;

/**
 * What a handle stands for.
 *
 * <p>Thread: the loop.
 */
interface OpenFile {
    FtpPath path();

    /** The client is gone: nobody is answered any more. */
    void clientGone();
}
