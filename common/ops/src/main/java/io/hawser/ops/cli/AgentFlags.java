package io.hawser.ops.cli;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.PrivateFiles;
import io.hawser.core.transport.Proxies;
import io.hawser.ptcp.PtcpOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys of whatever dials a broker, and the session options that they make.
 *
 * <p>Thread: any.
 */
public final class AgentFlags {
    private static final String AUTO = "auto";
    private static final int STREAMS_BY_MEASUREMENT = 0;

    public static final ConfigKey<List<HostPort>> BROKER = ConfigKey.hostPorts(
            "broker",
            "127.0.0.1:7400",
            "where the broker listens; of several brokers over one store all addresses: the one that serves is found");

    /** How many streams; 0 for as many as measurement finds. */
    public static final ConfigKey<Integer> STREAMS = new ConfigKey<>(
            "streams",
            "N|auto",
            AUTO,
            "1 to " + PtcpOptions.MAX_STREAMS,
            "TCP connections for data between agent and broker; 'auto' finds the number by measurement, for each direction",
            AgentFlags::streams);

    public static final ConfigKey<String> PROXY = ConfigKey.text(
            "proxy",
            "HOST:PORT",
            null,
            "HTTP proxy through which the broker is dialled (CONNECT); BROKER:PORT=HOST:PORT for one broker, several"
                    + " with commas");
    public static final ConfigKey<String> PROXY_USER =
            ConfigKey.text("proxy-user", "NAME", null, "the user name that the proxy asks for (Basic or Digest)");
    public static final ConfigKey<Path> PROXY_PASSWORD_FILE =
            ConfigKey.path("proxy-password-file", "FILE", null, "password for the proxy, in the first line of FILE");

    private AgentFlags() {}

    /** The flag by which another command finds the broker at the address {@code ptcp} of a READY line; empty if it is the default. */
    public static String brokerFlag(Map<String, String> addresses) {
        return flagUnlessDefault(BROKER, addresses.get("ptcp"));
    }

    static String flagUnlessDefault(ConfigKey<?> key, @Nullable String value) {
        return value == null || value.equals(key.defaultText()) ? "" : " " + key.flag() + " " + reachable(value);
    }

    /** An address at which a client may connect: with a name to fill in where the node listens on all addresses. */
    public static String reachable(String listening) {
        return listening.replaceFirst("^(0\\.0\\.0\\.0|\\[[0:]+\\]):", "HOST:");
    }

    /** All flags of an agent's session with the broker. */
    public static FlagGroup group() {
        return FlagGroup.of(
                        "Connection to the broker",
                        BROKER,
                        STREAMS,
                        PROXY,
                        PROXY_USER,
                        PROXY_PASSWORD_FILE,
                        CommonNodeFlags.SESSION_SILENCE)
                .and(TuningKeys.all());
    }

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

    private static PtcpOptions proxied(Config config, PtcpOptions direct) {
        config.requirePartner(PROXY, PROXY_USER, PROXY_PASSWORD_FILE);
        config.requirePartner(PROXY_USER, PROXY_PASSWORD_FILE);
        Optional<String> proxy = config.find(PROXY);
        if (proxy.isEmpty()) {
            return direct;
        }
        String user = config.find(PROXY_USER).orElse(null);
        String password = config.find(PROXY_PASSWORD_FILE)
                .map(file -> PrivateFiles.firstLine(PROXY_PASSWORD_FILE.flag(), file))
                .orElse("");
        return direct.withChannels(PROXY.parsed(proxy.get(), text -> Proxies.parse(text, user, password)));
    }

    /**
     * How sessions are dialled: as many streams and as patiently as asked for.
     *
     * @param tls the node's keys, or null for clear text
     */
    public static PtcpOptions dialling(Config config, @Nullable NodeTls tls) {
        int streams = config.get(STREAMS);
        boolean auto = streams == STREAMS_BY_MEASUREMENT;
        PtcpOptions direct = PtcpOptions.DEFAULT
                .withStreams(auto ? PtcpOptions.MAX_STREAMS : streams)
                .withTuning(TuningKeys.tuning(config, auto))
                .withSilence(config.get(CommonNodeFlags.SESSION_SILENCE));
        PtcpOptions options = proxied(config, direct);
        return tls == null ? options : options.withSsl(tls.clientContext());
    }
}
