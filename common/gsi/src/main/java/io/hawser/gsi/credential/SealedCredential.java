package io.hawser.gsi.credential;

import io.hawser.gsi.GsiException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts a credential for one recipient and one purpose.
 *
 * <pre>
 *   version 1 | length u16, AES-256 key by RSA-OAEP (SHA-256) | nonce 12 | by AES-GCM: credential
 *   credential: kind of key (text) | length u16, PKCS#8 | count u8, certificates (length u16, DER), the leaf first
 * </pre>
 *
 * <p>The purpose is authenticated data, not part of the bytes. The sealer is not named: the credential itself names its owner.
 */
public final class SealedCredential {
    private static final byte VERSION = 1;
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MAX_CERTIFICATES = 20;
    private static final SecureRandom RANDOM = new SecureRandom();

    private SealedCredential() {}

    /**
     * Encrypts a credential.
     *
     * @param recipient the certificate of the recipient's RSA key
     * @param purpose needed to open it
     */
    public static byte[] seal(Credential credential, X509Certificate recipient, byte[] purpose) throws GsiException {
        requireRsa(recipient);
        byte[] key = new byte[KEY_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(key);
        RANDOM.nextBytes(nonce);
        try {
            Cipher keyCipher = rsa();
            keyCipher.init(Cipher.ENCRYPT_MODE, recipient.getPublicKey(), oaep());
            byte[] wrapped = keyCipher.doFinal(key);
            Cipher contentCipher = aes(Cipher.ENCRYPT_MODE, key, nonce, purpose);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            out.writeShort(wrapped.length);
            out.write(wrapped);
            out.write(nonce);
            out.write(contentCipher.doFinal(encode(credential)));
            return bytes.toByteArray();
        } catch (GeneralSecurityException | IOException e) {
            throw new GsiException("cannot seal a credential", e);
        }
    }

    public static void requireRsa(X509Certificate recipient) throws GsiException {
        if (!(recipient.getPublicKey() instanceof RSAPublicKey)) {
            throw new GsiException(
                    "a credential can only be sealed for an RSA key, and this certificate has a key of the kind "
                            + recipient.getPublicKey().getAlgorithm());
        }
    }

    /** Decrypts a credential that was sealed for {@code key} and {@code purpose}. */
    public static Credential open(byte[] sealed, PrivateKey key, byte[] purpose) throws GsiException {
        try {
            ByteBuffer in = ByteBuffer.wrap(sealed);
            if (in.remaining() < 1 + Short.BYTES || in.get() != VERSION) {
                throw new GsiException("a sealed credential has an unknown form");
            }
            byte[] wrapped = new byte[in.getShort() & 0xFFFF];
            if (in.remaining() < wrapped.length + NONCE_BYTES) {
                throw new GsiException("a sealed credential is cut off");
            }
            in.get(wrapped);
            byte[] nonce = new byte[NONCE_BYTES];
            in.get(nonce);
            Cipher keyCipher = rsa();
            keyCipher.init(Cipher.DECRYPT_MODE, key, oaep());
            byte[] contentKey = keyCipher.doFinal(wrapped);
            if (contentKey.length != KEY_BYTES) {
                throw new GsiException("a sealed credential has a key of " + contentKey.length + " bytes");
            }
            Cipher contentCipher = aes(Cipher.DECRYPT_MODE, contentKey, nonce, purpose);
            return decode(contentCipher.doFinal(sealed, in.position(), in.remaining()));
        } catch (GeneralSecurityException e) {
            throw new GsiException("a sealed credential is not for this key, or not for this transfer", e);
        }
    }

    private static Cipher rsa() throws GeneralSecurityException {
        return Cipher.getInstance("RSA/ECB/OAEPPadding");
    }

    private static OAEPParameterSpec oaep() {
        return new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
    }

    private static Cipher aes(int mode, byte[] key, byte[] nonce, byte[] purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(purpose);
        return cipher;
    }

    static byte[] encode(Credential credential) throws GeneralSecurityException, IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(credential.key().getAlgorithm());
        put(out, credential.key().getEncoded());
        out.writeByte(credential.chain().size());
        for (X509Certificate certificate : credential.chain()) {
            put(out, certificate.getEncoded());
        }
        return bytes.toByteArray();
    }

    private static void put(DataOutputStream out, byte[] bytes) throws IOException {
        if (bytes.length > 0xFFFF) {
            throw new IOException("a certificate of " + bytes.length + " bytes");
        }
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    /** The content is not trusted: anybody can seal. */
    static Credential decode(byte[] encoded) throws GsiException {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
            KeyFactory keys = KeyFactory.getInstance(in.readUTF());
            PrivateKey key = keys.generatePrivate(new PKCS8EncodedKeySpec(take(in)));
            int count = in.readUnsignedByte();
            if (count > MAX_CERTIFICATES) {
                throw new GsiException("a sealed credential has " + count + " certificates");
            }
            CertificateFactory certificates = CertificateFactory.getInstance("X.509");
            List<X509Certificate> chain = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                chain.add((X509Certificate) certificates.generateCertificate(new ByteArrayInputStream(take(in))));
            }
            return new Credential(key, chain);
        } catch (GeneralSecurityException | IOException e) {
            throw new GsiException("a sealed credential does not hold a key and its certificates", e);
        }
    }

    private static byte[] take(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readUnsignedShort()];
        in.readFully(bytes);
        return bytes;
    }
}
