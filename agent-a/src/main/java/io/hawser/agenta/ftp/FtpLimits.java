package io.hawser.agenta.ftp;

import java.time.Duration;

/**
 * The bounds of an FTP server.
 *
 * @param maxSessions control connections at one time
 * @param maxKnocking of these, from one address and not logged in yet
 * @param maxLineBytes the longest command line
 * @param maxQueuedCommands commands that may wait behind one that is running
 * @param maxFailedLogins wrong passwords before the connection is closed
 * @param failedLoginDelay how long the answer to the first wrong password takes; the second takes twice as long, and so on
 * @param loginTime how long a client may take to log in
 * @param idleTime how long a client that is logged in may say nothing, transfers not counted
 * @param dataConnectTime how long a transfer waits for its data connection
 * @param passiveUnusedTime how long a passive port waits for its transfer
 * @param dataStallTime how long a data connection may bring nothing while this end is waiting for it
 * @param evidenceWindow the least time that the control connection must outlive the data without other evidence (design,
 *     "End of upload needs evidence")
 */
public record FtpLimits(
        int maxSessions,
        int maxKnocking,
        int maxLineBytes,
        int maxQueuedCommands,
        int maxFailedLogins,
        Duration failedLoginDelay,
        Duration loginTime,
        Duration idleTime,
        Duration dataConnectTime,
        Duration passiveUnusedTime,
        Duration dataStallTime,
        Duration evidenceWindow) {
    /** The defaults. */
    public static FtpLimits defaults() {
        return new FtpLimits(
                256,
                32,
                8192,
                256,
                3,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(15),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMillis(100));
    }

    /** The same with another window. */
    public FtpLimits withEvidenceWindow(Duration time) {
        return new FtpLimits(
                maxSessions,
                maxKnocking,
                maxLineBytes,
                maxQueuedCommands,
                maxFailedLogins,
                failedLoginDelay,
                loginTime,
                idleTime,
                dataConnectTime,
                passiveUnusedTime,
                dataStallTime,
                time);
    }

    /** The same, waiting that long for data connections and for data on them. */
    public FtpLimits withPatience(Duration time) {
        return new FtpLimits(
                maxSessions,
                maxKnocking,
                maxLineBytes,
                maxQueuedCommands,
                maxFailedLogins,
                failedLoginDelay,
                loginTime,
                idleTime,
                time,
                time,
                time,
                evidenceWindow);
    }

    /** The same with another time and delay for logins. */
    public FtpLimits withLogin(Duration time, Duration delay) {
        return new FtpLimits(
                maxSessions,
                maxKnocking,
                maxLineBytes,
                maxQueuedCommands,
                maxFailedLogins,
                delay,
                time,
                idleTime,
                dataConnectTime,
                passiveUnusedTime,
                dataStallTime,
                evidenceWindow);
    }

    /** The same with another time for clients that say nothing. */
    public FtpLimits withIdleTime(Duration time) {
        return new FtpLimits(
                maxSessions,
                maxKnocking,
                maxLineBytes,
                maxQueuedCommands,
                maxFailedLogins,
                failedLoginDelay,
                loginTime,
                time,
                dataConnectTime,
                passiveUnusedTime,
                dataStallTime,
                evidenceWindow);
    }

    /** The same with another number of sessions. */
    public FtpLimits withMaxSessions(int number) {
        return new FtpLimits(
                number,
                maxKnocking,
                maxLineBytes,
                maxQueuedCommands,
                maxFailedLogins,
                failedLoginDelay,
                loginTime,
                idleTime,
                dataConnectTime,
                passiveUnusedTime,
                dataStallTime,
                evidenceWindow);
    }
}
