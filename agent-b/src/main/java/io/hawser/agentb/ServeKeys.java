package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ListenOptions;
import io.hawser.agentb.deliver.Secret;
import io.hawser.agentb.serve.FarFiles;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.ftp.AddressRanges;
import io.hawser.core.ftp.PortRange;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The keys that say what the near edge may list and read. Of the account that files are delivered to, all is known already. */
final class ServeKeys {
    private static final int CONNECTIONS_BY_DEFAULT = 8;
    private static final ConfigKey<String> SERVE = ConfigKey.text(
            "serve",
            "DIR|URL|off",
            null,
            "what clients of the near edge may list and read: a directory, or a server as in --into; by default what --into names");
    private static final ConfigKey<Path> PASSWORD_FILE = ConfigKey.path(
            "serve-password-file",
            "FILE",
            null,
            "a file with the password of --serve's account in its first line; or set HAWSER_SERVE_PASSWORD."
                    + " Not needed for the account of --into");
    private static final FarPassword PASSWORD = new FarPassword(PASSWORD_FILE, "HAWSER_SERVE_PASSWORD");
    private static final ConfigKey<Path> CA =
            ConfigKey.path("serve-ca", "FILE", null, "as --into-ca, for the server of --serve");
    private static final ConfigKey<Boolean> INSECURE =
            ConfigKey.toggle("serve-insecure", "as --into-insecure, for the server of --serve");
    private static final ConfigKey<Boolean> IMPLICIT_TLS =
            ConfigKey.toggle("serve-implicit-tls", "as --into-implicit-tls, for the server of --serve");
    private static final ConfigKey<String> DATA_HOSTS =
            ConfigKey.text("serve-data-hosts", "CIDR,...", null, "as --into-data-hosts, for the server of --serve");
    private static final ConfigKey<Integer> CONNECTIONS = ConfigKey.integer(
            "serve-connections",
            CONNECTIONS_BY_DEFAULT,
            FarFiles.MIN_CONNECTIONS,
            64,
            "connections to a far server that is read from; every file that is being read takes one, and so do its parallel parts");
    private static final ConfigKey<Integer> STREAMS = ConfigKey.integer(
            "serve-streams",
            FarOptions.DEFAULT_STREAMS,
            0,
            64,
            "data connections that a gridftp:// server dials to us for each file that is being read (MODE E); 0 for stream mode");
    private static final ConfigKey<String> PORTS = ConfigKey.text(
            "serve-ports",
            "FIRST-LAST",
            null,
            "the ports to which a gridftp:// server that is read from dials (MODE E); any free one if not given");
    private static final ConfigKey<String> ADDRESS = ConfigKey.text(
            "serve-address", "IP", null, "the address that it is told to dial, for an agent-b behind NAT");
    private static final ConfigKey<Duration> SILENCE = ConfigKey.duration(
            "serve-silence", "30s", "a far server that was asked and says nothing for so long counts as dead");

    private ServeKeys() {}

    static List<ConfigKey<?>> keys() {
        return List.of(
                SERVE,
                PASSWORD_FILE,
                CA,
                INSECURE,
                IMPLICIT_TLS,
                DATA_HOSTS,
                CONNECTIONS,
                STREAMS,
                PORTS,
                ADDRESS,
                SILENCE);
    }

    /** What the keys describe; empty for nothing. Throws ConfigException with a sentence. */
    static Optional<Served> served(Config config, Destination into, Map<String, String> environment) {
        Optional<String> told = config.find(SERVE);
        if (told.isEmpty()) {
            return Optional.of(
                    into instanceof Destination.Far far
                            ? far(config, far.server(), into, environment)
                            : new Served.Directory(((Destination.Directory) into).path()));
        }
        if (told.get().equals("off")) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    FarServer.isUrl(told.get())
                            ? far(config, FarServer.parse(told.get()), into, environment)
                            : new Served.Directory(Path.of(told.get())));
        } catch (InvalidPathException e) {
            throw new ConfigException(SERVE.flag() + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(SERVE.flag() + ": "
                    + String.valueOf(e.getMessage())
                            .replace("into-password-file", "serve-password-file")
                            .replace(FarKeys.PASSWORD_VARIABLE, PASSWORD.variable()));
        }
    }

    private static Served far(Config config, FarServer server, Destination into, Map<String, String> environment) {
        Optional<FarOptions> known = into instanceof Destination.Far far && isSameAccount(far.server(), server)
                ? Optional.of(far.options())
                : Optional.empty();
        Optional<Secret> told = PASSWORD.find(config, environment);
        Secret password = told.or(() -> known.map(FarOptions::password))
                .orElseGet(() -> PASSWORD.get(config, server, environment));
        return new Served.Far(
                server,
                new FarOptions(
                                password,
                                config.get(CONNECTIONS),
                                0, // nothing is uploaded
                                config.get(STREAMS),
                                FarOptions.CONNECT_TIMEOUT,
                                config.get(SILENCE),
                                config.get(IMPLICIT_TLS)
                                        || known.map(FarOptions::implicitTls).orElse(false),
                                config.find(CA).or(() -> known.flatMap(FarOptions::authorities)),
                                config.get(INSECURE)
                                        || known.map(FarOptions::insecure).orElse(false))
                        .withListening(listening(config))
                        .withGrid(FarKeys.grid(config, server))
                        .withDataHosts(
                                config.find(DATA_HOSTS).isPresent()
                                        ? FarKeys.dataHosts(config, DATA_HOSTS)
                                        : known.map(FarOptions::dataHosts).orElse(AddressRanges.NONE)));
    }

    private static ListenOptions listening(Config config) {
        return new ListenOptions(
                config.find(PORTS)
                        .map(text -> parsed(PORTS, text, PortRange::parse))
                        .orElse(PortRange.ANY),
                config.find(ADDRESS).map(text -> parsed(ADDRESS, text, ListenOptions::parseAddress)));
    }

    private static <T> T parsed(ConfigKey<String> key, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key.flag() + ": " + e.getMessage());
        }
    }

    /** A password is told to no other server than its own, and not in clear text where it was meant for TLS. */
    private static boolean isSameAccount(FarServer one, FarServer other) {
        return one.protocol() == other.protocol()
                && one.host().equals(other.host())
                && one.port() == other.port()
                && one.user().equals(other.user());
    }
}
