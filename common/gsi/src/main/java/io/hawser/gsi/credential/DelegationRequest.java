package io.hawser.gsi.credential;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.Purpose;
import io.hawser.gsi.path.ValidatedPeer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * Delegation, received: a new key is made here and never leaves; the peer signs its public half with its own credential.
 *
 * <p>Thread: one at a time.
 */
public final class DelegationRequest {
    private final KeyPair keys;
    private final byte[] encoded;

    /** A request for those keys. */
    public DelegationRequest(KeyPair keys) throws GsiException {
        this.keys = keys;
        try {
            // Only the key and the signature count to a peer.
            this.encoded = new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=delegation"), keys.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException | IOException e) {
            throw new GsiException("a delegation request cannot be made", e);
        }
    }

    /** The request as PKCS#10 in DER. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /**
     * The credential that the peer has delegated.
     *
     * @param certificate its answer: one certificate in DER
     * @param peer who it is, with the chain that it showed
     * @throws GsiException if the certificate is not for this key, or is none that the peer may give
     */
    public Credential complete(byte[] certificate, ValidatedPeer peer, PeerValidator validator) throws GsiException {
        X509Certificate leaf = decode(certificate);
        if (!leaf.getPublicKey().equals(keys.getPublic())) {
            throw new GsiException("the delegated certificate is not for the key that was asked for");
        }
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(leaf);
        chain.addAll(peer.chain());
        ValidatedPeer delegated = validator.validate(chain, Purpose.DATA);
        if (!delegated.identity().equals(peer.identity()) || delegated.endEntity() == 0) {
            throw new GsiException("the delegated certificate is not a proxy of " + peer.identity());
        }
        return new Credential(keys.getPrivate(), chain);
    }

    private static X509Certificate decode(byte[] certificate) throws GsiException {
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(certificate);
            X509Certificate decoded =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (in.available() > 0) {
                throw new GsiException("more than one certificate was delegated");
            }
            return decoded;
        } catch (CertificateException e) {
            throw new GsiException("what was delegated is no certificate", e);
        }
    }
}
