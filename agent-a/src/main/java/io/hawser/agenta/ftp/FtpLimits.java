package io.hawser.agenta.ftp;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The bounds of an FTP server.
 *
 * @param maxSessions control connections at one time
 * @param maxSessionsOfPeer of these, from one address
 * @param maxSessionsOfAccount of these, logged in to one account
 * @param maxKnocking from one address and not logged in yet
 * @param maxLineBytes the longest command line
 * @param maxQueuedCommands commands that may wait behind one that is running
 * @param maxFailedLogins wrong passwords before the connection is closed
 * @param maxFailuresOfAddress wrong passwords from one address before none of its logins is looked at
 * @param barTime for how long that is, counted from the last wrong password
 * @param failedLoginDelay how long the answer to the first wrong password takes; the second takes twice as long, and so on
 * @param loginTime how long a client may take to log in
 * @param idleTime how long a client that is logged in may say nothing, transfers not counted
 * @param dataConnectTime how long a transfer waits for its data connection, and a session that ends for its client to read its
 *     last replies
 * @param passiveUnusedTime how long a passive port waits for its transfer
 * @param dataStallTime how long a data connection may bring nothing while this end is waiting for it
 * @param evidenceWindow the least time that the control connection must outlive the data without other evidence (design,
 *     "End of upload needs evidence")
 * @param farLookTime how long a far edge that is there may take to say what stands at a name, and how long a patch waits for what is
 *     on its way to its file; for a page of a listing a far edge has three times as long
 * @param custodyTime how long a client waits at most for its custody level; below the 2 minutes that curl waits for a reply
 */
public record FtpLimits(
        int maxSessions,
        int maxSessionsOfPeer,
        int maxSessionsOfAccount,
        int maxKnocking,
        int maxLineBytes,
        int maxQueuedCommands,
        int maxFailedLogins,
        int maxFailuresOfAddress,
        Duration barTime,
        Duration failedLoginDelay,
        Duration loginTime,
        Duration idleTime,
        Duration dataConnectTime,
        Duration passiveUnusedTime,
        Duration dataStallTime,
        Duration evidenceWindow,
        Duration farLookTime,
        Duration custodyTime) {
    /** The defaults. */
    public static FtpLimits defaults() {
        return new FtpLimits(
                256,
                128,
                128,
                32,
                64 << 10,
                256,
                3,
                20,
                Duration.ofMinutes(5),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(15),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                Duration.ofSeconds(100));
    }

    /** The same with other values. */
    private FtpLimits with(Consumer<Changes> change) {
        Changes changes = new Changes(this);
        change.accept(changes);
        return changes.limits();
    }

    /** The same with another window. */
    public FtpLimits withEvidenceWindow(Duration time) {
        return with(to -> to.evidenceWindow = time);
    }

    /** The same, waiting that long for data connections and for data on them. */
    public FtpLimits withPatience(Duration time) {
        return with(to -> {
            to.dataConnectTime = time;
            to.passiveUnusedTime = time;
            to.dataStallTime = time;
        });
    }

    /** The same with another time and delay for logins. */
    public FtpLimits withLogin(Duration time, Duration delay) {
        return with(to -> {
            to.loginTime = time;
            to.failedLoginDelay = delay;
        });
    }

    /** The same with another number of wrong passwords from one address, and what follows them. */
    public FtpLimits withBar(int failures, Duration time) {
        return with(to -> {
            to.maxFailuresOfAddress = failures;
            to.barTime = time;
        });
    }

    /** The same with another time for clients that say nothing. */
    public FtpLimits withIdleTime(Duration time) {
        return with(to -> to.idleTime = time);
    }

    /** The same with another time for a far edge that is there. */
    public FtpLimits withFarLookTime(Duration time) {
        return with(to -> to.farLookTime = time);
    }

    /** The same with another time to wait for a custody level. */
    public FtpLimits withCustodyTime(Duration time) {
        return with(to -> to.custodyTime = time);
    }

    /** The same with other numbers of sessions: of all, from one address, of one account. */
    public FtpLimits withConnections(int all, int ofPeer, int ofAccount) {
        return with(to -> {
            to.maxSessions = all;
            to.maxSessionsOfPeer = ofPeer;
            to.maxSessionsOfAccount = ofAccount;
        });
    }

    /** The same with another number of wrong passwords before a connection is closed. */
    public FtpLimits withMaxFailedLogins(int number) {
        return with(to -> to.maxFailedLogins = number);
    }

    /** The same with another time for data connections over which nothing comes or goes. */
    public FtpLimits withStallTime(Duration time) {
        return with(to -> to.dataStallTime = time);
    }

    /** The components as variables. */
    private static final class Changes {
        private int maxSessions;
        private int maxSessionsOfPeer;
        private int maxSessionsOfAccount;
        private final int maxKnocking;
        private final int maxLineBytes;
        private final int maxQueuedCommands;
        private int maxFailedLogins;
        private int maxFailuresOfAddress;
        private Duration barTime;
        private Duration failedLoginDelay;
        private Duration loginTime;
        private Duration idleTime;
        private Duration dataConnectTime;
        private Duration passiveUnusedTime;
        private Duration dataStallTime;
        private Duration evidenceWindow;
        private Duration farLookTime;
        private Duration custodyTime;

        private Changes(FtpLimits from) {
            maxSessions = from.maxSessions;
            maxSessionsOfPeer = from.maxSessionsOfPeer;
            maxSessionsOfAccount = from.maxSessionsOfAccount;
            maxKnocking = from.maxKnocking;
            maxLineBytes = from.maxLineBytes;
            maxQueuedCommands = from.maxQueuedCommands;
            maxFailedLogins = from.maxFailedLogins;
            maxFailuresOfAddress = from.maxFailuresOfAddress;
            barTime = from.barTime;
            failedLoginDelay = from.failedLoginDelay;
            loginTime = from.loginTime;
            idleTime = from.idleTime;
            dataConnectTime = from.dataConnectTime;
            passiveUnusedTime = from.passiveUnusedTime;
            dataStallTime = from.dataStallTime;
            evidenceWindow = from.evidenceWindow;
            farLookTime = from.farLookTime;
            custodyTime = from.custodyTime;
        }

        private FtpLimits limits() {
            return new FtpLimits(
                    maxSessions,
                    maxSessionsOfPeer,
                    maxSessionsOfAccount,
                    maxKnocking,
                    maxLineBytes,
                    maxQueuedCommands,
                    maxFailedLogins,
                    maxFailuresOfAddress,
                    barTime,
                    failedLoginDelay,
                    loginTime,
                    idleTime,
                    dataConnectTime,
                    passiveUnusedTime,
                    dataStallTime,
                    evidenceWindow,
                    farLookTime,
                    custodyTime);
        }
    }
}
