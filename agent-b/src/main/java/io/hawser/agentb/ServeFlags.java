package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ListenOptions;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.ftp.PortRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags that say what clients of agent-a may list and read. An account that {@code --into} has described needs none of them. */
final class ServeFlags {
    private static final ConfigKey<String> SERVE = ConfigKey.text(
            "serve",
            "DIR|URL|off",
            null,
            "what clients of agent-a may list and read: a directory, or a server as in --into; by default what --into names");
    private static final ConfigKey<String> PORTS = ConfigKey.text(
            "serve-ports",
            "FIRST-LAST",
            null,
            "the ports to which a gridftp:// server that is read from dials (MODE E); any free one if not given");
    private static final ConfigKey<String> ADDRESS = ConfigKey.text(
            "serve-address", "IP", null, "the address that such a server is to dial, for an agent-b behind NAT");

    private ServeFlags() {}

    static List<ConfigKey<?>> keys() {
        List<ConfigKey<?>> keys = new ArrayList<>(List.of(SERVE, PORTS, ADDRESS));
        keys.addAll(FarAccountFlags.SERVE.keys());
        return keys;
    }

    /** What the flags describe; empty for nothing. Throws ConfigException with a sentence. */
    static Optional<ServedLocation> served(Config config, Destination into, Map<String, String> environment) {
        Optional<String> given = config.find(SERVE);
        if (given.isEmpty()) {
            return Optional.of(
                    into instanceof Destination.Far far
                            ? far(config, far.server(), into, environment)
                            : new ServedLocation.Directory(((Destination.Directory) into).path()));
        }
        String text = given.get();
        if (text.equals("off")) {
            return Optional.empty();
        }
        if (FarServer.isUrl(text)) {
            return Optional.of(far(config, FarAccountFlags.SERVE.server(text), into, environment));
        }
        return Optional.of(new ServedLocation.Directory(SERVE.parsed(text, Path::of)));
    }

    private static ServedLocation far(
            Config config, FarServer server, Destination into, Map<String, String> environment) {
        Optional<FarOptions> known =
                into instanceof Destination.Far far && far.server().hasSameAccountAs(server)
                        ? Optional.of(far.options())
                        : Optional.empty();
        return new ServedLocation.Far(
                server,
                FarAccountFlags.SERVE
                        .options(config, environment, server, known)
                        .withListening(listening(config)));
    }

    private static ListenOptions listening(Config config) {
        return new ListenOptions(
                config.find(PORTS)
                        .map(text -> PORTS.parsed(text, PortRange::parse))
                        .orElse(PortRange.ANY),
                config.find(ADDRESS).map(text -> ADDRESS.parsed(text, ListenOptions::parseAddress)));
    }
}
