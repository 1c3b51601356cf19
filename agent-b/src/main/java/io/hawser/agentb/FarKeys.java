package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.ftp.AddressRanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that say where agent-b delivers. A password comes from a file or from the environment, never from the command line,
 * which others can read.
 */
final class FarKeys {
    /** Where a password may stand; no key of the same name exists, or there would be a flag. */
    static final String PASSWORD_VARIABLE = "HAWSER_INTO_PASSWORD";

    static final ConfigKey<String> INTO = ConfigKey.text(
            "into",
            "DIR|URL",
            null,
            "where to deliver: a directory, made if it is not there, or a server: ftp://USER@HOST[:PORT]/DIR, ftps://…, gridftp://…, gsiftp://…");
    private static final ConfigKey<Path> PASSWORD_FILE = ConfigKey.path(
            "into-password-file",
            "FILE",
            null,
            "a file with the far account's password in its first line; or set " + PASSWORD_VARIABLE);
    private static final FarPassword PASSWORD = new FarPassword(PASSWORD_FILE, PASSWORD_VARIABLE);
    private static final ConfigKey<Path> CA = ConfigKey.path(
            "into-ca",
            "FILE",
            null,
            "the certificates (PEM) that a far server's certificate must lead to, not the JVM's");
    private static final ConfigKey<Boolean> INSECURE = ConfigKey.toggle(
            "into-insecure", "do not check the far server's certificate: anybody in between may read the password");
    private static final ConfigKey<Boolean> IMPLICIT_TLS =
            ConfigKey.toggle("into-implicit-tls", "begin TLS with the first byte, as on port 990, instead of AUTH TLS");
    static final ConfigKey<String> DATA_HOSTS = ConfigKey.text(
            "into-data-hosts",
            "CIDR,...",
            null,
            "hosts besides its own that a gridftp:// or gsiftp:// server of several hosts may name for data");
    private static final ConfigKey<Integer> CONNECTIONS = ConfigKey.integer(
            "into-connections", FarOptions.DEFAULT_CONNECTIONS, 1, 32, "how many files are uploaded at once");
    private static final ConfigKey<Integer> EARLY = ConfigKey.integer(
            "into-early",
            FarOptions.DEFAULT_EARLY_UPLOADS,
            0,
            32,
            "how many large files are uploaded while they still come in, besides; 0: none, as with --member");
    private static final ConfigKey<Integer> STREAMS = ConfigKey.integer(
            "into-streams",
            FarOptions.DEFAULT_STREAMS,
            1,
            64,
            "data connections of each file's upload by gridftp:// and gsiftp://");
    private static final ConfigKey<Duration> SILENCE = ConfigKey.duration(
            "into-silence", "60s", "a far server that takes nothing and says nothing for so long counts as dead");
    private static final ConfigKey<Duration> DEADLINE = ConfigKey.duration(
            "into-deadline",
            "1d",
            "a file that could not be delivered for so long is put on the dead-letter list, see 'hawser dead'");

    private FarKeys() {}

    static List<ConfigKey<?>> keys() {
        return List.of(
                INTO,
                PASSWORD_FILE,
                CA,
                INSECURE,
                IMPLICIT_TLS,
                DATA_HOSTS,
                CONNECTIONS,
                EARLY,
                STREAMS,
                SILENCE,
                DEADLINE);
    }

    /** The destination that the keys describe. Throws ConfigException with a sentence. */
    static Destination destination(Config config, Map<String, String> environment) {
        String text = config.get(INTO);
        if (!FarServer.isUrl(text)) {
            for (ConfigKey<?> key : List.of(PASSWORD_FILE, CA)) {
                if (config.find(key).isPresent()) {
                    throw new ConfigException(key.flag() + " is for a far server, and --into is a directory");
                }
            }
            return new Destination.Directory(
                    ConfigKey.path(INTO.name(), "DIR", null, "").parser().apply(text));
        }
        FarServer server = server(text);
        FarOptions options = new FarOptions(
                        PASSWORD.get(config, server, environment),
                        config.get(CONNECTIONS),
                        config.find(AgentBCommand.MEMBER).isPresent() ? 0 : config.get(EARLY),
                        config.get(STREAMS),
                        FarOptions.CONNECT_TIMEOUT,
                        config.get(SILENCE),
                        config.get(IMPLICIT_TLS),
                        config.find(CA),
                        config.get(INSECURE))
                .withGrid(grid(config, server))
                .withDataHosts(dataHosts(config, DATA_HOSTS));
        return new Destination.Far(server, options, config.get(DEADLINE));
    }

    /** How {@code server} is logged in to by GSI; empty if it is not. */
    static Optional<GridOptions> grid(Config config, FarServer server) {
        return server.protocol() == FarServer.Protocol.GSIFTP
                ? Optional.of(GridKeys.options(config))
                : Optional.empty();
    }

    static AddressRanges dataHosts(Config config, ConfigKey<String> key) {
        try {
            return config.find(key).map(AddressRanges::parse).orElse(AddressRanges.NONE);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key.flag() + ": " + e.getMessage());
        }
    }

    private static FarServer server(String text) {
        try {
            return FarServer.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(INTO.flag() + ": " + e.getMessage());
        }
    }
}
