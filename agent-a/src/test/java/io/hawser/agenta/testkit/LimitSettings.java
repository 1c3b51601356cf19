package io.hawser.agenta.testkit;

import io.hawser.agenta.ftp.control.FtpLimits;
import java.time.Duration;

/** The bounds of an FTP server, which a test changes one by one. */
public record LimitSettings(FtpLimits limits) {
    /** The same with other numbers of sessions: of all, from one address, of one account. */
    public LimitSettings withConnections(int all, int ofPeer, int ofAccount) {
        return new LimitSettings(new FtpLimits(
                new FtpLimits.Sessions(all, ofPeer, ofAccount, limits.sessions().notLoggedIn()),
                limits.commands(),
                limits.login(),
                limits.times()));
    }

    public LimitSettings withLogin(FtpLimits.Login other) {
        return new LimitSettings(new FtpLimits(limits.sessions(), limits.commands(), other, limits.times()));
    }

    /** The same with another time and delay for logins. */
    public LimitSettings withLogin(Duration time, Duration delay) {
        return withLogin(new FtpLimits.Login(
                time,
                delay,
                limits.login().maxFailures(),
                limits.login().maxFailuresOfAddress(),
                limits.login().barTime()));
    }

    /** The same with another number of wrong passwords from one address, and what follows them. */
    public LimitSettings withBar(int failures, Duration time) {
        return withLogin(new FtpLimits.Login(
                limits.login().time(),
                limits.login().failureDelay(),
                limits.login().maxFailures(),
                failures,
                time));
    }

    private LimitSettings withTimes(FtpLimits.Times other) {
        return new LimitSettings(new FtpLimits(limits.sessions(), limits.commands(), limits.login(), other));
    }

    public LimitSettings withIdleTime(Duration time) {
        return withTimes(new FtpLimits.Times(
                time,
                limits.times().dataConnect(),
                limits.times().passiveUnused(),
                limits.times().dataStall(),
                limits.times().evidenceWindow(),
                limits.times().custody()));
    }

    /** The same, waiting that long for data connections and for data on them. */
    public LimitSettings withDataTime(Duration time) {
        return withTimes(new FtpLimits.Times(
                limits.times().idle(),
                time,
                time,
                time,
                limits.times().evidenceWindow(),
                limits.times().custody()));
    }

    /** The same with another time for data connections over which nothing comes or goes. */
    public LimitSettings withStallTime(Duration time) {
        return withTimes(new FtpLimits.Times(
                limits.times().idle(),
                limits.times().dataConnect(),
                limits.times().passiveUnused(),
                time,
                limits.times().evidenceWindow(),
                limits.times().custody()));
    }

    public LimitSettings withEvidenceWindow(Duration time) {
        return withTimes(new FtpLimits.Times(
                limits.times().idle(),
                limits.times().dataConnect(),
                limits.times().passiveUnused(),
                limits.times().dataStall(),
                time,
                limits.times().custody()));
    }

    /** The same with another time to wait for a custody level. */
    public LimitSettings withCustodyTime(Duration time) {
        return withTimes(new FtpLimits.Times(
                limits.times().idle(),
                limits.times().dataConnect(),
                limits.times().passiveUnused(),
                limits.times().dataStall(),
                limits.times().evidenceWindow(),
                time));
    }
}
