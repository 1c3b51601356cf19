package io.hawser.agenta.gsi;

import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.name.DistinguishedName;
import java.util.Optional;

/**
 * Who came in by GSI.
 *
 * @param identity the name of its end entity
 * @param delegated the credential that it has given this server; it lives in memory and as long as the session
 */
public record GsiLogin(DistinguishedName identity, Optional<Credential> delegated) {}
