package io.hawser.gsi.credential;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PeerValidator;
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
 * Receives a delegation: makes a key that never leaves this process, and has the peer sign its public half with the peer's credential.
 *
 * <p>Thread: one at a time.
 */
public final class DelegationRequest {
    private final KeyPair keys;
    private final byte[] encoded;

    public DelegationRequest(KeyPair keys) throws GsiException {
        this.keys = keys;
        try {
            // Peers use only the key and the signature.
            this.encoded = new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=delegation"), keys.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException | IOException e) {
            throw new GsiException("cannot make a delegation request", e);
        }
    }

    /** The request as PKCS#10 in DER. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /**
     * Makes the delegated credential.
     *
     * @param certificate the peer's answer: one certificate in DER
     * @param peer the peer, with its chain
     * @throws GsiException if the certificate is not for this key, or not a valid proxy of the peer
     */
    public Credential complete(byte[] certificate, ValidatedPeer peer, PeerValidator validator) throws GsiException {
        X509Certificate leaf = decode(certificate);
        if (!leaf.getPublicKey().equals(keys.getPublic())) {
            throw new GsiException("the delegated certificate is not for the requested key");
        }
        List<X509Certificate> chain = new ArrayList<>();
        chain.add(leaf);
        chain.addAll(peer.chain());
        ValidatedPeer delegated = validator.validate(chain, CertificatePurpose.DATA);
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
                throw new GsiException("the peer delegated more than one certificate");
            }
            return decoded;
        } catch (CertificateException e) {
            throw new GsiException("the peer delegated something that is not a certificate", e);
        }
    }
}
