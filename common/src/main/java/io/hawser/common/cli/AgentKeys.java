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
    private static final String AUTO = "auto";
    private static final int STREAMS_BY_MEASUREMENT = 0;

    public static final ConfigKey<HostPort> BROKER =
            ConfigKey.hostPort("broker", "127.0.0.1:7400", "where the broker listens");

    /** How many streams; 0 for as many as measurement finds. */
    public static final ConfigKey<Integer> STREAMS = new ConfigKey<>(
            "streams",
            "N|auto",
            AUTO,
            "1 to " + PtcpOptions.MAX_STREAMS,
            "TCP connections for data between agent and broker; 'auto' finds the number by measurement, for each direction",
            AgentKeys::streams);

    private AgentKeys() {}

    private static Integer streams(String text) {
        int count = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
        if (text.equals(AUTO)) {
            return STREAMS_BY_MEASUREMENT;
        } else if (count < 1 || count > PtcpOptions.MAX_STREAMS) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither " + AUTO + " nor a whole number from 1 to " + PtcpOptions.MAX_STREAMS);
        }
        return count;
    }

    /** How sessions are dialled: as many streams and as patiently as asked for, with the keys of {@code role} if {@code --tls} was given. */
    public static PtcpOptions dialling(Config config, Role role) {
        int streams = config.get(STREAMS);
        boolean auto = streams == STREAMS_BY_MEASUREMENT;
        PtcpOptions options = PtcpOptions.DEFAULT
                .withStreams(auto ? PtcpOptions.MAX_STREAMS : streams)
                .withTuning(TuningKeys.tuning(config, auto))
                .withSilence(config.get(NodeKeys.SESSION_SILENCE));
        return config.find(NodeKeys.TLS)
                .map(directory -> options.withSsl(NodeTls.load(directory, role).clientContext()))
                .orElse(options);
    }
}
