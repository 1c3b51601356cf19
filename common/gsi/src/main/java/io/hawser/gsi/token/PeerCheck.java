package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.name.HostNames;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.ValidatedPeer;

/** Decides, within the handshake, whether the peer is who it must be. */
@FunctionalInterface
public interface PeerCheck {
    /** Throws, with the reason, if {@code peer} is the wrong one. */
    void check(ValidatedPeer peer) throws GsiException;

    /** Anybody whose chain is valid. */
    PeerCheck ANYBODY = peer -> {};

    /** Who has that identity. */
    static PeerCheck identity(DistinguishedName expected) {
        return peer -> {
            if (!peer.identity().equals(expected)) {
                throw new GsiException(
                        "the peer authenticated as " + peer.identity() + " and not, as it must, as " + expected);
            }
        };
    }

    /** The server of that host: the name or address as the user wrote it. */
    static PeerCheck host(String name) {
        return peer -> {
            if (!HostNames.fits(peer.endEntityCertificate(), name)) {
                throw new GsiException("the certificate of " + peer.identity() + " is not for the host " + name);
            }
        };
    }

    /** What {@code validator} says of a chain and this of its owner. */
    default PeerValidator after(PeerValidator validator) {
        return (chain, purpose) -> {
            ValidatedPeer peer = validator.validate(chain, purpose);
            check(peer);
            return peer;
        };
    }
}
