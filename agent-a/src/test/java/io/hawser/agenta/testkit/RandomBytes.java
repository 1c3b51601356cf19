package io.hawser.agenta.testkit;

import java.util.Random;

/** Bytes that look random, and are the same for the same length. */
public final class RandomBytes {
    private RandomBytes() {}

    public static byte[] of(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
