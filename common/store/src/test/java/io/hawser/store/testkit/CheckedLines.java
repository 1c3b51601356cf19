package io.hawser.store.testkit;

import io.hawser.core.integrity.Crc32c;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Makes lines as a {@code LineFile} has them from any bytes, which no fuzzer would find. */
public final class CheckedLines {
    private CheckedLines() {}

    /** {@code data} with its checksum before each line break. */
    public static byte[] of(byte[] data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int begin = 0;
        for (int i = 0; i < data.length; i++) {
            if (data[i] == '\n') {
                String checksum = String.format(" %08x\n", Crc32c.of(ByteBuffer.wrap(data, begin, i - begin)));
                out.write(data, begin, i - begin);
                out.writeBytes(checksum.getBytes(StandardCharsets.US_ASCII));
                begin = i + 1;
            }
        }
        out.write(data, begin, data.length - begin);
        return out.toByteArray();
    }
}
