package io.hawser.send;

import io.hawser.client.ClientOptions;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ops.cli.CommonNodeFlags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The flags of commands that use the Java API, and the client's options that they make.
 *
 * <p>Thread: main only.
 */
public final class ClientFlags {
    public static final ConfigKey<Path> STATE = ConfigKey.path(
            "state",
            "DIR",
            null,
            "where the journal is kept (default: $XDG_STATE_HOME/hawser or ~/.local/state/hawser); several commands can use it at once");
    public static final ConfigKey<Duration> CONNECT_TIMEOUT = ConfigKey.duration(
            "connect-timeout",
            "30s",
            "how long to wait for the broker at first; a session that is lost later is waited for without end");

    private ClientFlags() {}

    /** The flags, after those of the command's own. */
    public static List<ConfigKey<?>> keys(ConfigKey<?>... own) {
        List<ConfigKey<?>> keys = new ArrayList<>(List.of(own));
        keys.addAll(List.of(
                AgentFlags.BROKER,
                AgentFlags.STREAMS,
                STATE,
                CONNECT_TIMEOUT,
                CommonNodeFlags.SESSION_SILENCE,
                CommonNodeFlags.TLS));
        return keys;
    }

    /** Where the journal is. */
    public static Path state(Config config) {
        return config.find(STATE).orElseGet(ClientOptions::defaultState);
    }

    static List<String> brokers(Config config) {
        return config.get(AgentFlags.BROKER).stream().map(HostPort::toString).toList();
    }

    /** The options of a client. */
    public static ClientOptions options(Config config) {
        List<String> brokers = brokers(config);
        return ClientOptions.of(brokers.get(0))
                .withBrokers(brokers)
                .withState(state(config))
                .withStreams(config.get(AgentFlags.STREAMS))
                .withSessionSilence(config.get(CommonNodeFlags.SESSION_SILENCE))
                .withTls(config.find(CommonNodeFlags.TLS).orElse(null));
    }
}
