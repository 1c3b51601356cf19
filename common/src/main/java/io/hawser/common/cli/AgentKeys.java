package io.hawser.common.cli;

import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
import io.hawser.common.tls.NodeTls;
import io.hawser.common.tls.Role;
import io.hawser.ptcp.PtcpOptions;

/**
 * The keys of whatever dials a broker, and the session options that they make.
 *
 * <p>Thread: any.
 */
public final class AgentKeys {
    private static final int DEFAULT_STREAMS = 4;

    public static final ConfigKey<HostPort> BROKER =
            ConfigKey.hostPort("broker", "127.0.0.1:7400", "where the broker listens");
    public static final ConfigKey<Integer> STREAMS = ConfigKey.integer(
            "streams",
            DEFAULT_STREAMS,
            1,
            PtcpOptions.MAX_STREAMS,
            "TCP connections for data between agent and broker");

    private AgentKeys() {}

    /** How sessions are dialled: as many streams and as patiently as asked for, with the keys of {@code role} if {@code --tls} was given. */
    public static PtcpOptions dialling(Config config, Role role) {
        PtcpOptions options =
                PtcpOptions.DEFAULT.withStreams(config.get(STREAMS)).withSilence(config.get(NodeKeys.SESSION_SILENCE));
        return config.find(NodeKeys.TLS)
                .map(directory -> options.withSsl(NodeTls.load(directory, role).clientContext()))
                .orElse(options);
    }
}
