package io.hawser.agenta.front;

import io.hawser.core.ftp.FtpPath;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * An upload or download of a client that is over, as its front saw it.
 *
 * @param upload whether it was an upload
 * @param path the path that the client named
 * @param account the account
 * @param isAnonymous whether that is the account for logins without one
 * @param from the client's address
 * @param key the transfer's key; empty for a download
 * @param bytes bytes that came or went
 * @param duration from its command to its final reply
 * @param isText whether line ends were converted
 * @param result {@link io.hawser.ops.audit.Audit#OK}, or the reply that says why not
 */
public record ClientTransfer(
        boolean upload,
        FtpPath path,
        String account,
        boolean isAnonymous,
        InetSocketAddress from,
        String key,
        long bytes,
        Duration duration,
        boolean isText,
        String result) {}
