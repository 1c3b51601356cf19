package io.hawser.core.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Crc32cTest {
    @Test
    void checkValueOfThePolynomialIsRight() {
        // The check value that every catalogue of CRCs gives for CRC-32C.
        assertThat(Crc32c.of(ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo(0xE306_9283);
    }

    @Test
    void combinationEqualsTheCrcOfTheWhole() {
        Random random = new Random(20261121);
        byte[] whole = new byte[70_000];
        random.nextBytes(whole);
        for (int round = 0; round < 500; round++) {
            int length = random.nextInt(round < 250 ? 40 : whole.length);
            int cut = random.nextInt(length + 1);
            int first = Crc32c.of(ByteBuffer.wrap(whole, 0, cut));
            int second = Crc32c.of(ByteBuffer.wrap(whole, cut, length - cut));

            assertThat(Crc32c.combine(first, second, length - cut))
                    .as("length %d, cut at %d", length, cut)
                    .isEqualTo(Crc32c.of(ByteBuffer.wrap(whole, 0, length)));
        }
    }

    @Test
    void lengthsBeyondAnIntegerCombine() {
        int crc = 0x1234_5678;
        int halfTwice = Crc32c.combine(Crc32c.combine(crc, 0, 3L << 40), 0, 3L << 40);

        assertThat(Crc32c.combine(crc, 0, 3L << 41)).isEqualTo(halfTwice);
    }

    @Test
    void theBufferIsLeftAsItWas() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[10], 2, 5);

        Crc32c.of(bytes);

        assertThat(bytes.position()).isEqualTo(2);
        assertThat(bytes.remaining()).isEqualTo(5);
    }
}
