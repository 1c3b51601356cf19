package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Parallelism;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarOptions.Tls;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.FarServer.PasswordInUrlException;
import io.hawser.agentb.deliver.Secret;
import io.hawser.agentb.serve.FarFiles;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.ftp.AddressRanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The flags of an account at a far server: {@code --into-…} of the one that gets files, {@code --serve-…} of the one that is read. */
final class FarAccountFlags {
    static final FarAccountFlags INTO = new FarAccountFlags(
            "into",
            ConfigKey.integer(
                    "into-connections",
                    Parallelism.DEFAULT.connections(),
                    1,
                    32,
                    "how many files are uploaded at once"),
            ConfigKey.integer(
                    "into-streams",
                    Parallelism.DEFAULT.streams(),
                    1,
                    64,
                    "data connections of each upload to gridftp:// and gsiftp://"),
            "60s");

    static final FarAccountFlags SERVE = new FarAccountFlags(
            "serve",
            ConfigKey.integer(
                    "serve-connections",
                    8,
                    FarFiles.MIN_CONNECTIONS,
                    64,
                    "logins at the server of --serve; each file, or part of one, that is being read takes one"),
            ConfigKey.integer(
                    "serve-streams",
                    Parallelism.DEFAULT.streams(),
                    0,
                    64,
                    "data connections that a gridftp:// server dials to agent-b for each file that is being read (MODE E); 0 for"
                            + " stream mode"),
            "30s");

    private final String flag;
    private final FarPassword password;
    private final ConfigKey<Path> authorities;
    private final ConfigKey<Boolean> insecure;
    private final ConfigKey<Boolean> implicitTls;
    private final ConfigKey<String> dataHosts;
    private final ConfigKey<Integer> connections;
    private final ConfigKey<Integer> streams;
    private final ConfigKey<Duration> silence;

    private FarAccountFlags(
            String prefix, ConfigKey<Integer> connections, ConfigKey<Integer> streams, String usualSilence) {
        this.flag = "--" + prefix;
        String server = "the server of " + flag;
        String variable = "HAWSER_" + prefix.toUpperCase(Locale.ROOT) + "_PASSWORD";
        this.password = new FarPassword(
                ConfigKey.path(
                        prefix + "-password-file",
                        "FILE",
                        null,
                        "a file with the password for " + server + " in its first line; or set " + variable),
                variable);
        this.authorities = ConfigKey.path(
                prefix + "-ca",
                "FILE",
                null,
                "CAs (PEM) that may sign the certificate of " + server + ", not the JVM's");
        this.insecure = ConfigKey.toggle(
                prefix + "-insecure",
                "do not check the certificate of " + server + ": anybody on the way can read the password");
        this.implicitTls = ConfigKey.toggle(
                prefix + "-implicit-tls",
                "begin TLS to " + server + " with the first byte, as on port 990, instead of AUTH TLS");
        this.dataHosts = ConfigKey.text(
                prefix + "-data-hosts",
                "CIDR,...",
                null,
                "hosts that " + server + ", gridftp:// or gsiftp://, may name for data besides its own");
        this.connections = connections;
        this.streams = streams;
        this.silence = ConfigKey.duration(
                prefix + "-silence",
                usualSilence,
                server + " counts as dead when it sends and takes nothing for so long");
    }

    List<ConfigKey<?>> keys() {
        return List.of(password.file(), authorities, insecure, implicitTls, dataHosts, connections, streams, silence);
    }

    /** The server that {@code url} names. Throws ConfigException with a sentence. */
    FarServer server(String url) {
        try {
            return FarServer.parse(url);
        } catch (PasswordInUrlException e) {
            throw new ConfigException(flag + ": " + e.getMessage() + " and give " + password.sources());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(flag + ": " + e.getMessage());
        }
    }

    /**
     * How to connect to {@code server}. Throws ConfigException with a sentence.
     *
     * @param known what another flag says about the same account; holds where this one's flags say nothing
     */
    FarOptions options(Config config, Map<String, String> environment, FarServer server, Optional<FarOptions> known) {
        Optional<Tls> knownTls = known.map(FarOptions::tls);
        Secret secret = password.find(config, environment)
                .or(() -> known.map(FarOptions::password))
                .orElseGet(() -> password.ofAnonymous(server));
        FarOptions options = FarOptions.with(secret)
                .withParallelism(new Parallelism(config.get(connections), 0, config.get(streams)))
                .withTimeouts(Timeouts.DEFAULT.withSilence(config.get(silence)))
                .withTls(new Tls(
                        config.get(implicitTls) || knownTls.map(Tls::implicit).orElse(false),
                        config.find(authorities).or(() -> knownTls.flatMap(Tls::authorities)),
                        config.get(insecure) || knownTls.map(Tls::insecure).orElse(false)))
                .withDataHosts(config.find(dataHosts)
                        .map(text -> dataHosts.parsed(text, AddressRanges::parse))
                        .orElse(known.map(FarOptions::dataHosts).orElse(AddressRanges.NONE)));
        return server.protocol() == FarServer.Protocol.GSIFTP ? options.withGrid(GridFlags.options(config)) : options;
    }

    /** Refuses flags that only a far server needs, given with a directory. */
    void refuseForDirectory(Config config) {
        for (ConfigKey<?> key : List.of(password.file(), authorities)) {
            if (config.find(key).isPresent()) {
                throw new ConfigException(key.flag() + " is for a far server, and " + flag + " is a directory");
            }
        }
    }
}
