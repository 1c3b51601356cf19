package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Says whose a certificate chain is.
 *
 * <p>Thread: any. It touches no disk.
 */
@FunctionalInterface
public interface PeerValidator {
    /**
     * Validates a chain.
     *
     * @param chain the leaf first
     * @throws GsiException with the reason if it is not to be believed
     */
    ValidatedPeer validate(List<X509Certificate> chain, Purpose purpose) throws GsiException;
}
