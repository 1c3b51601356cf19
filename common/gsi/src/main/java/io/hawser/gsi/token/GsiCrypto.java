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
 * The cryptography under TLS. What every byte goes through (ciphers, MACs, digests) is the JDK's, which uses the processor's own
 * instructions; the rest is Bouncy Castle's, whose names for algorithms its TLS uses. Bouncy Castle's provider is an object that nobody
 * else sees: it is not registered.
 */
final class GsiCrypto extends JcaTlsCryptoProvider {
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
