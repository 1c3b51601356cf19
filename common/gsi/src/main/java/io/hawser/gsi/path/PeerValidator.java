package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Validates certificate chains of peers.
 *
 * <p>Thread: any. It does not touch the disk.
 */
@FunctionalInterface
public interface PeerValidator {
    /**
     * @param chain the leaf first
     * @throws GsiException with the reason if it is not valid
     */
    ValidatedPeer validate(List<X509Certificate> chain, CertificatePurpose purpose) throws GsiException;
}
