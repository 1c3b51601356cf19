package io.hawser.agentb;

import io.hawser.agentb.deliver.GridOptions;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.gsi.credential.Delegation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The keys that say how agent-b logs in at {@code gsiftp://} servers, whether it delivers to them or reads from them. */
final class GridKeys {
    private static final ConfigKey<Path> HOST_CERT = ConfigKey.path(
            "host-cert",
            "FILE",
            "/etc/grid-security/hostcert.pem",
            "gsiftp://: the certificate chain to log in with, PEM, or a proxy; read again when it has changed");
    private static final ConfigKey<Path> HOST_KEY = ConfigKey.path(
            "host-key",
            "FILE",
            "/etc/grid-security/hostkey.pem",
            "gsiftp://: the private key of --host-cert; of a proxy the same file");
    private static final ConfigKey<Path> TRUSTED_CAS = ConfigKey.path(
            "trusted-cas",
            "DIR",
            "/etc/grid-security/certificates",
            "gsiftp://: the CAs that are believed, with signing policies and revocation lists, named by their hashes");
    private static final ConfigKey<Boolean> LEGACY_PROXIES = ConfigKey.toggle(
            "legacy-proxies", "gsiftp://: believe proxies of GT2 (CN=proxy) besides those of RFC 3820");
    private static final ConfigKey<String> SERVER = ConfigKey.text(
            "grid-server",
            "DN",
            null,
            "gsiftp://: the name of the server's certificate, /O=…/CN=…, where it does not hold the URL's host");
    private static final ConfigKey<GridOptions.DataLevel> DATA = ConfigKey.choice(
            "grid-data",
            GridOptions.DataLevel.AUTHENTICATED,
            "gsiftp://: data connections are authenticated and then in clear, or private (encrypted), or clear from the beginning");
    private static final ConfigKey<Delegation> DELEGATION = ConfigKey.choice(
            "grid-delegation",
            Delegation.LIMITED,
            "gsiftp://: the proxy that the server gets, for data connections; none goes with --grid-data clear only");
    private static final ConfigKey<Duration> LIFETIME =
            ConfigKey.duration("grid-lifetime", "12h", "gsiftp://: how long that proxy holds");

    private static final ConfigKey<Boolean> AS_USER = ConfigKey.toggle(
            "into-as-user",
            "--into gsiftp://: log in as the user who uploaded, with what he delegated to agent-a (its --delegate-to), and never"
                    + " otherwise; --host-key opens it");

    private GridKeys() {}

    static List<ConfigKey<?>> keys() {
        return List.of(HOST_CERT, HOST_KEY, TRUSTED_CAS, LEGACY_PROXIES, SERVER, DATA, DELEGATION, LIFETIME, AS_USER);
    }

    /** What they describe. Throws ConfigException with a sentence. */
    static GridOptions options(Config config) {
        if (config.get(DELEGATION) == Delegation.NONE && config.get(DATA) != GridOptions.DataLevel.CLEAR) {
            throw new ConfigException("a server that is given no proxy cannot authenticate data connections: "
                    + DELEGATION.flag() + " none goes with " + DATA.flag() + " clear only");
        }
        return new GridOptions(
                new GridOptions.Files(config.get(HOST_CERT), config.get(HOST_KEY), config.get(TRUSTED_CAS)),
                config.get(LEGACY_PROXIES),
                config.find(SERVER),
                new GridOptions.Proxy(config.get(DELEGATION), config.get(LIFETIME)),
                config.get(DATA),
                config.get(AS_USER));
    }
}
