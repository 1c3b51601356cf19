package io.hawser.core.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Known values; the adler and CRC ones have leading zeros to keep. */
class RunningChecksumTest {
    private static String of(ChecksumAlgorithm algorithm, String... pieces) {
        RunningChecksum sum = RunningChecksum.of(algorithm);
        for (String piece : pieces) {
            sum.update(ByteBuffer.wrap(piece.getBytes(StandardCharsets.US_ASCII)));
        }
        return sum.hex();
    }

    @Test
    void knownValues() {
        assertThat(of(ChecksumAlgorithm.MD5, "a", "bc")).isEqualTo("900150983cd24fb0d6963f7d28e17f72");
        assertThat(of(ChecksumAlgorithm.SHA1, "abc")).isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
        assertThat(of(ChecksumAlgorithm.SHA256, "abc")).startsWith("ba7816bf8f01cfea");
        assertThat(of(ChecksumAlgorithm.SHA512, "abc")).startsWith("ddaf35a193617aba");
        assertThat(of(ChecksumAlgorithm.CRC32, "123", "456789")).isEqualTo("cbf43926");
        assertThat(of(ChecksumAlgorithm.ADLER32, "")).isEqualTo("00000001");
        assertThat(of(ChecksumAlgorithm.CRC32, "")).isEqualTo("00000000");
    }
}
