package io.hawser.gsi.credential;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.path.PathValidator;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A private key with its certificate chain, the leaf first. No text contains the key.
 *
 * <p>Thread: immutable.
 */
public final class Credential {
    private final PrivateKey key;
    private final List<X509Certificate> chain;
    private final DistinguishedName identity;

    /** Throws {@link GsiException} if the key is not the leaf's. */
    public Credential(PrivateKey key, List<X509Certificate> chain) throws GsiException {
        this.key = key;
        this.chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new GsiException("a credential without a certificate");
        }
        this.identity = DistinguishedName.of(
                chain.get(PathValidator.endEntity(this.chain)).getSubjectX500Principal());
        if (!isPair()) {
            throw new GsiException("the private key does not belong to the certificate of " + identity);
        }
    }

    private boolean isPair() throws GsiException {
        byte[] text = "a text to be signed".getBytes(StandardCharsets.UTF_8);
        try {
            Signature signer = Signature.getInstance(signatureAlgorithm());
            signer.initSign(key);
            signer.update(text);
            Signature verifier = Signature.getInstance(signatureAlgorithm());
            verifier.initVerify(leaf().getPublicKey());
            verifier.update(text);
            return verifier.verify(signer.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The algorithm to sign with: SHA-256 with the key's own. */
    String signatureAlgorithm() throws GsiException {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default ->
                throw new GsiException("keys of the kind " + key.getAlgorithm() + " are not supported; use RSA or EC");
        };
    }

    public PrivateKey key() {
        return key;
    }

    /** The certificates, the leaf first. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** The first certificate, whose key this is. */
    public X509Certificate leaf() {
        return chain.get(0);
    }

    /** The name of the end entity. */
    public DistinguishedName identity() {
        return identity;
    }

    /** When the first of its certificates expires. */
    public Instant notAfter() {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    @Override
    public String toString() {
        return "credential of " + identity + " until " + notAfter();
    }
}
