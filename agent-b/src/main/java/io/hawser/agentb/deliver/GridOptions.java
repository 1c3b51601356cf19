package io.hawser.agentb.deliver;

import io.hawser.gsi.credential.Delegation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How agent-b logs in at a {@code gsiftp://} server.
 *
 * @param certificate its certificate chain, or a proxy
 * @param key the private key of that; may be the same file
 * @param trusted the directory of the CAs that are believed
 * @param legacyProxies whether proxies of GT2 are believed
 * @param server the name that the server's certificate must have, in the slash form; empty for one that names the URL's host
 * @param delegation what the server is given, for its data connections
 * @param lifetime how long that holds
 * @param data what is done to data connections
 * @param asUser whether what is delivered is delivered as the user who uploaded it, with the credential that came along
 */
public record GridOptions(
        Path certificate,
        Path key,
        Path trusted,
        boolean legacyProxies,
        Optional<String> server,
        Delegation delegation,
        Duration lifetime,
        DataLevel data,
        boolean asUser) {
    public static final Duration DEFAULT_LIFETIME = Duration.ofHours(12);

    /** What is done to data connections. */
    public enum DataLevel {
        /** Both ends are authenticated, and then the data go in clear: DCAU A, PROT C. */
        AUTHENTICATED,
        /** The same, and the data are encrypted: DCAU A, PROT P. */
        PRIVATE,
        /** Nothing: DCAU N. */
        CLEAR
    }

    /** The usual ones: a limited proxy, authenticated data connections. */
    public static GridOptions with(Path certificate, Path key, Path trusted) {
        return new GridOptions(
                certificate,
                key,
                trusted,
                false,
                Optional.empty(),
                Delegation.LIMITED,
                DEFAULT_LIFETIME,
                DataLevel.AUTHENTICATED,
                false);
    }

    /** The same with other data connections. */
    public GridOptions withData(DataLevel level, Delegation given) {
        return new GridOptions(certificate, key, trusted, legacyProxies, server, given, lifetime, level, asUser);
    }

    /** The same at a server whose certificate has that name. */
    public GridOptions withServer(Optional<String> name) {
        return new GridOptions(certificate, key, trusted, legacyProxies, name, delegation, lifetime, data, asUser);
    }

    /** The same, delivering as the users who upload. */
    public GridOptions asUsers() {
        return new GridOptions(certificate, key, trusted, legacyProxies, server, delegation, lifetime, data, true);
    }
}
