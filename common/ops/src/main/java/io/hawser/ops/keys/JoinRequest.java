package io.hawser.ops.keys;

import io.hawser.ops.keys.Invitations.NotInvitedException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Makes and checks the PKCS#10 request (RFC 2986) of a node that joins: its public key, signed with the private one. The rest is ignored. */
final class JoinRequest {
    private static final int CURVE_BITS = 256;

    private JoinRequest() {}

    static byte[] of(KeyPair pair) {
        try {
            return new JcaPKCS10CertificationRequestBuilder(new X500Name("O=Hawser"), pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JVM cannot sign with EC keys", e);
        }
    }

    /** The public key, if the caller has its private key. */
    static PublicKey key(byte[] request) throws NotInvitedException {
        try {
            JcaPKCS10CertificationRequest parsed = new JcaPKCS10CertificationRequest(request);
            if (parsed.getPublicKey() instanceof ECPublicKey key
                    && key.getParams().getCurve().getField().getFieldSize() == CURVE_BITS
                    && parsed.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
                return key;
            }
        } catch (IOException
                | GeneralSecurityException
                | OperatorCreationException
                | PKCSException
                | RuntimeException e) { // the parser throws several of the latter for malformed input
            throw new NotInvitedException("the request is not PKCS#10");
        }
        throw new NotInvitedException("the request is not signed with its own EC key (P-256)");
    }
}
