package io.hawser.gsi.credential;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;

/** Makes the key pairs of delegated credentials: RSA, 2048 bits, since grid programs take no others. It takes some 100 ms. Thread: any. */
@FunctionalInterface
public interface KeySupply {
    /** A pair that nobody else gets. */
    KeyPair next();

    /** Makes each when it is asked for. */
    static KeySupply fresh() {
        return () -> {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(2048);
                return generator.generateKeyPair();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has RSA", e);
            }
        };
    }
}
