package io.hawser.gsi.credential;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;

/** Supplies key pairs for delegated credentials: RSA, 2048 bits, since grid programs accept no others. Making one takes about 100 ms. Thread: any. */
@FunctionalInterface
public interface KeySupply {
    /** A pair that no other call returns. */
    KeyPair next();

    /** Makes each pair on demand. */
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
