package io.hawser.agenta.ftp.control;

import java.time.Duration;

/** The bounds of an FTP server. */
public record FtpLimits(Sessions sessions, Commands commands, Login login, Times times) {
    /**
     * Control connections.
     *
     * @param max at one time
     * @param ofPeer of these, from one address
     * @param ofAccount of these, logged in to one account
     * @param notLoggedIn of these, from one network and not logged in yet
     */
    public record Sessions(int max, int ofPeer, int ofAccount, int notLoggedIn) {}

    /** Command lines and what a client may send ahead. A stranger gets little: there may be many. */
    public record Commands(Ahead beforeLogin, Ahead loggedIn) {
        public Ahead of(boolean isLoggedIn) {
            return isLoggedIn ? loggedIn : beforeLogin;
        }
    }

    /**
     * What one client may send ahead.
     *
     * @param maxLineBytes the longest command line
     * @param maxQueued commands that may wait for the end of one that runs
     * @param maxQueuedBytes memory that their arguments may take
     */
    public record Ahead(int maxLineBytes, int maxQueued, int maxQueuedBytes) {}

    /**
     * @param time how long a client may take to log in
     * @param failureDelay how long the answer to the first wrong password takes; the second takes twice as long, and so on
     * @param maxFailures wrong passwords before the connection is closed
     * @param maxFailuresOfAddress wrong passwords from one address before none of its logins is checked
     * @param barTime for how long that is, counted from the last wrong password
     */
    public record Login(
            Duration time, Duration failureDelay, int maxFailures, int maxFailuresOfAddress, Duration barTime) {}

    /**
     * @param idle how long a client that is logged in may say nothing, transfers not counted
     * @param dataConnect how long a transfer waits for its data connection, and a session that ends for its client to read its last
     *     replies
     * @param passiveUnused how long a passive port waits for its transfer
     * @param dataStall how long a data connection may bring nothing while this end is waiting for it
     * @param evidenceWindow the least time that the control connection must outlive the data without other evidence (agent-a/README.md,
     *     "An end of file needs evidence")
     * @param custody how long a client waits at most for its custody level; less than the 2 minutes that curl waits for a reply
     */
    public record Times(
            Duration idle,
            Duration dataConnect,
            Duration passiveUnused,
            Duration dataStall,
            Duration evidenceWindow,
            Duration custody) {}

    private static final FtpLimits DEFAULTS = new FtpLimits(
            new Sessions(256, 128, 128, 32),
            new Commands(new Ahead(4 << 10, 16, 32 << 10), new Ahead(64 << 10, 256, 128 << 10)),
            new Login(Duration.ofMinutes(1), Duration.ofSeconds(1), 3, 20, Duration.ofMinutes(5)),
            new Times(
                    Duration.ofMinutes(15),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(5),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(100)));

    public static FtpLimits defaults() {
        return DEFAULTS;
    }
}
