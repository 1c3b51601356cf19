package io.hawser.gsi.path;

import io.hawser.gsi.name.DistinguishedName;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A peer whose certificate chain has been validated.
 *
 * @param identity the name of the end entity, without what proxies add to it
 * @param chain the peer's chain, the leaf first
 * @param endEntity the index of the end entity's certificate in the chain
 * @param kind the kind of its proxies
 * @param limited whether one of them is limited
 * @param notAfter when the first of its certificates expires
 */
public record ValidatedPeer(
        DistinguishedName identity,
        List<X509Certificate> chain,
        int endEntity,
        ProxyKind kind,
        boolean limited,
        Instant notAfter) {
    public ValidatedPeer {
        chain = List.copyOf(chain);
    }

    public X509Certificate endEntityCertificate() {
        return chain.get(endEntity);
    }
}
