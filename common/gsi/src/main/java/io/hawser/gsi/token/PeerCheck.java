package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.name.HostNames;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.ValidatedPeer;

/** Decides, within the handshake, whether the peer is the expected one. */
@FunctionalInterface
public interface PeerCheck {
    /** Throws, with the reason, if {@code peer} is not the expected one. */
    void check(ValidatedPeer peer) throws GsiException;

    static PeerCheck identity(DistinguishedName expected) {
        return peer -> {
            if (!peer.identity().equals(expected)) {
                throw new GsiException("the peer authenticated as " + peer.identity() + ", not as " + expected);
            }
        };
    }

    /** Accepts only a certificate for that host: the name or address as the user wrote it. */
    static PeerCheck host(String name) {
        return peer -> {
            if (!HostNames.matches(peer.endEntityCertificate(), name)) {
                throw new GsiException("the certificate of " + peer.identity() + " is not for the host " + name);
            }
        };
    }

    /** Validates a chain by {@code validator}, then checks its owner. */
    default PeerValidator after(PeerValidator validator) {
        return (chain, purpose) -> {
            ValidatedPeer peer = validator.validate(chain, purpose);
            check(peer);
            return peer;
        };
    }
}
