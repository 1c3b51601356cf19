package io.hawser.agentb;

import io.hawser.agentb.deliver.GridOptions;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.gsi.credential.Delegation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The flags of logins at {@code gsiftp://} servers, for delivering and for reading. */
final class GridFlags {
    private static final ConfigKey<Path> HOST_CERT = ConfigKey.path(
            "host-cert",
            "FILE",
            "/etc/grid-security/hostcert.pem",
            "gsiftp://: the certificate chain to log in with (PEM), or a proxy; read again after a change");
    private static final ConfigKey<Path> HOST_KEY = ConfigKey.path(
            "host-key",
            "FILE",
            "/etc/grid-security/hostkey.pem",
            "gsiftp://: the private key of --host-cert; of a proxy the same file");
    private static final ConfigKey<Path> TRUSTED_CAS = ConfigKey.path(
            "trusted-cas",
            "DIR",
            "/etc/grid-security/certificates",
            "gsiftp://: the trusted CAs, with signing policies and revocation lists, named by their hashes");
    private static final ConfigKey<Boolean> LEGACY_PROXIES =
            ConfigKey.toggle("legacy-proxies", "gsiftp://: accept GT2 proxies (CN=proxy) besides those of RFC 3820");
    private static final ConfigKey<String> SERVER = ConfigKey.text(
            "grid-server",
            "DN",
            null,
            "gsiftp://: the name of the server's certificate, /O=…/CN=…, if that does not hold the URL's host");
    private static final ConfigKey<GridOptions.DataLevel> DATA = ConfigKey.choice(
            "grid-data",
            GridOptions.DataLevel.AUTHENTICATED,
            "gsiftp://: data connections are authenticated and then in clear text, private (encrypted), or clear from the beginning");
    private static final ConfigKey<Delegation> DELEGATION = ConfigKey.choice(
            "grid-delegation",
            Delegation.LIMITED,
            "gsiftp://: the proxy that the server gets for data connections; none is for --grid-data clear only");
    private static final ConfigKey<Duration> LIFETIME =
            ConfigKey.duration("grid-lifetime", "12h", "gsiftp://: how long that proxy is valid");

    private static final ConfigKey<Boolean> AS_USER = ConfigKey.toggle(
            "into-as-user",
            "--into gsiftp://: log in as the user who uploaded, with the credential delegated to agent-a (its --delegate-to), and never"
                    + " otherwise; --host-key decrypts it");

    private GridFlags() {}

    static List<ConfigKey<?>> keys() {
        return List.of(HOST_CERT, HOST_KEY, TRUSTED_CAS, LEGACY_PROXIES, SERVER, DATA, DELEGATION, LIFETIME, AS_USER);
    }

    /** Refuses the files of the login where no server takes one. Throws ConfigException. */
    static void refuse(Config config) {
        config.refuseWithout("--into or --serve gsiftp://…", HOST_CERT, HOST_KEY, TRUSTED_CAS);
    }

    /** The login that the flags describe. Throws ConfigException with a sentence. */
    static GridOptions options(Config config) {
        if (config.get(DELEGATION) == Delegation.NONE && config.get(DATA) != GridOptions.DataLevel.CLEAR) {
            throw new ConfigException("a server without a proxy cannot authenticate data connections: "
                    + DELEGATION.flag() + " none needs " + DATA.flag() + " clear");
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
