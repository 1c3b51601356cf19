package io.hawser.agenta;

import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.http.HttpFrontConfig;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import java.time.Duration;
import java.util.List;

/** The keys that bound what FTP clients may take: connections, guesses, time. Thread: any. */
final class FtpLimitKeys {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int MOST_FAILURES = 100_000;

    private static final ConfigKey<Integer> CONNECTIONS = ConfigKey.integer(
            "max-connections", 256, 1, MOST_CONNECTIONS, "control connections of FTP, and as many of HTTP");
    private static final ConfigKey<Integer> PER_PEER =
            ConfigKey.integer("max-connections-per-peer", 128, 1, MOST_CONNECTIONS, "of these, from one address");
    private static final ConfigKey<Integer> PER_ACCOUNT = ConfigKey.integer(
            "max-connections-per-account",
            128,
            1,
            MOST_CONNECTIONS,
            "of these, logged in to one account; anonymous counts as one");
    private static final ConfigKey<Duration> LOGIN_TIME =
            ConfigKey.duration("login-time", "1m", "1s", "1h", "how long a client may take to log in");
    private static final ConfigKey<Duration> LOGIN_DELAY = ConfigKey.duration(
            "login-delay",
            "1s",
            "0s",
            "1m",
            "how late the answer to a wrong password is; the second in a connection takes twice as long, and so on");
    private static final ConfigKey<Integer> LOGIN_FAILURES =
            ConfigKey.integer("max-login-failures", 3, 1, 100, "wrong passwords before a connection is closed");
    private static final ConfigKey<Integer> LOGIN_FAILURES_PER_PEER = ConfigKey.integer(
            "max-login-failures-per-peer",
            20,
            1,
            MOST_FAILURES,
            "wrong passwords from one address before none of its logins is looked at");
    private static final ConfigKey<Duration> LOGIN_BAR = ConfigKey.duration(
            "login-bar", "5m", "1s", "7d", "for how long that is, counted from the last wrong password");
    private static final ConfigKey<Duration> IDLE = ConfigKey.duration(
            "idle", "15m", "1s", "7d", "how long a client that is logged in may say nothing; transfers do not count");
    private static final ConfigKey<Duration> STALL = ConfigKey.duration(
            "stall",
            "5m",
            "1s",
            "7d",
            "how long an upload may bring nothing, or a download be taken by nobody or wait for the far end");

    private FtpLimitKeys() {}

    static List<ConfigKey<?>> all() {
        return List.of(
                CONNECTIONS,
                PER_PEER,
                PER_ACCOUNT,
                LOGIN_TIME,
                LOGIN_DELAY,
                LOGIN_FAILURES,
                LOGIN_FAILURES_PER_PEER,
                LOGIN_BAR,
                IDLE,
                STALL);
    }

    /** {@code custodyWait}: how long a client waits at most for its custody level. */
    static FtpLimits limits(Config config, Duration custodyWait) {
        FtpLimits usual = FtpLimits.defaults();
        return new FtpLimits(
                new FtpLimits.Sessions(
                        config.get(CONNECTIONS),
                        config.get(PER_PEER),
                        config.get(PER_ACCOUNT),
                        usual.sessions().notLoggedIn()),
                usual.commands(),
                new FtpLimits.Login(
                        config.get(LOGIN_TIME),
                        config.get(LOGIN_DELAY),
                        config.get(LOGIN_FAILURES),
                        config.get(LOGIN_FAILURES_PER_PEER),
                        config.get(LOGIN_BAR)),
                new FtpLimits.Times(
                        config.get(IDLE),
                        usual.times().dataConnect(),
                        usual.times().passiveUnused(),
                        config.get(STALL),
                        usual.times().evidenceWindow(),
                        custodyWait));
    }

    /** Those that hold for HTTP too, each front counting its own clients. */
    static HttpFrontConfig.Limits http(FtpLimits limits) {
        return new HttpFrontConfig.Limits(
                limits.sessions().max(),
                limits.sessions().ofPeer(),
                limits.sessions().ofAccount(),
                limits.login().time(),
                limits.login().failureDelay(),
                limits.times().dataStall(),
                limits.times().custody());
    }
}
