package io.hawser.agenta.sftp.ssh;

import java.time.Duration;

/**
 * The bounds of SSH connections.
 *
 * @param connections at one time
 * @param ofPeer of these, from one address
 * @param ofAccount of these, logged in to one account
 * @param notLoggedIn of these, from one network and not logged in yet
 * @param loginTime how long a client may take to log in
 * @param failureDelay how long the answer to the first wrong password takes; the second takes twice as long, and so on
 * @param maxFailures wrong passwords before the connection is closed
 */
public record SshLimits(
        int connections,
        int ofPeer,
        int ofAccount,
        int notLoggedIn,
        Duration loginTime,
        Duration failureDelay,
        int maxFailures) {}
