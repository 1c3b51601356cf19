package io.hawser.core.integrity;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes CRC32C (Castagnoli, RFC 3720 appendix B.4), and the CRC of a concatenation from the CRCs of its parts.
 */
public final class Crc32c {
    /** The polynomial, bit-reflected: bit 31 is x^0. */
    private static final int POLYNOMIAL = 0x82F6_3B78;
    /** x^0 in the reflected form. */
    private static final int ONE = 0x8000_0000;
    /** Entry n is x^(2^n) modulo the polynomial. */
    private static final int[] POWER_OF_X = powersOfX();

    private Crc32c() {}

    /** The CRC of the bytes from position to limit; the buffer's position does not change. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    public static int of(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /**
     * The CRC of {@code first} followed by {@code second}.
     *
     * @param firstCrc the CRC of the first part
     * @param secondCrc the CRC of the second part
     * @param secondLengthBytes the second part's length, 0 or more
     */
    public static int combine(int firstCrc, int secondCrc, long secondLengthBytes) {
        return multiply(xToThe(secondLengthBytes), firstCrc) ^ secondCrc;
    }

    /** x^(8 * bytes): what appending that many bytes does to a CRC. */
    private static int xToThe(long bytes) {
        int power = ONE;
        int exponent = 3; // 2^3 bits in a byte
        for (long rest = bytes; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                power = multiply(POWER_OF_X[exponent], power);
            }
            exponent++;
        }
        return power;
    }

    /** The product of two polynomials modulo the CRC's, all reflected. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int mask = ONE; mask != 0; mask >>>= 1) {
            if ((a & mask) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ POLYNOMIAL : shifted >>> 1;
        }
        return product;
    }

    private static int[] powersOfX() {
        int[] powers = new int[Long.SIZE + 3];
        powers[0] = ONE >>> 1;
        for (int n = 1; n < powers.length; n++) {
            powers[n] = multiply(powers[n - 1], powers[n - 1]);
        }
        return powers;
    }
}
