package io.hawser.gsi.token;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.NoSuchPaddingException;
import org.bouncycastle.jcajce.util.ProviderJcaJceHelper;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCrypto;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCryptoProvider;

/**
 * Gives Bouncy Castle's TLS the JDK's ciphers, MACs and digests, and Bouncy Castle's own for the rest. Bulk algorithms
 * (ciphers, MACs, digests) are the JDK's, which use the processor's instructions; the rest is Bouncy Castle's. Its provider is
 * private to this class and not registered.
 */
final class JdkFirstTlsCrypto extends JcaTlsCryptoProvider {
    private static final BouncyCastleProvider BOUNCY_CASTLE = new BouncyCastleProvider();

    @Override
    public JcaTlsCrypto create(SecureRandom keys, SecureRandom nonces) {
        return new Crypto(new JdkFirst(), keys, nonces);
    }

    private static final class Crypto extends JcaTlsCrypto {
        Crypto(JdkFirst algorithms, SecureRandom keys, SecureRandom nonces) {
            super(algorithms, algorithms, keys, nonces);
        }
    }

    private static final class JdkFirst extends ProviderJcaJceHelper {
        JdkFirst() {
            super(BOUNCY_CASTLE);
        }

        @Override
        public Cipher createCipher(String algorithm) throws NoSuchAlgorithmException, NoSuchPaddingException {
            try {
                return Cipher.getInstance(algorithm);
            } catch (GeneralSecurityException e) {
                return super.createCipher(algorithm);
            }
        }

        @Override
        public Mac createMac(String algorithm) throws NoSuchAlgorithmException {
            try {
                return Mac.getInstance(algorithm);
            } catch (GeneralSecurityException e) {
                return super.createMac(algorithm);
            }
        }

        @Override
        public MessageDigest createMessageDigest(String algorithm) throws NoSuchAlgorithmException {
            try {
                return MessageDigest.getInstance(algorithm);
            } catch (GeneralSecurityException e) {
                return super.createMessageDigest(algorithm);
            }
        }
    }
}
