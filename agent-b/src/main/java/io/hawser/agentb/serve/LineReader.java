package io.hawser.agentb.serve;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a listing: UTF-8, ended by LF or CR LF, of at most {@value #MAX_LINE_BYTES} bytes.
 *
 * <p>Thread: one at a time.
 */
final class LineReader {
    static final int MAX_LINE_BYTES = 16 << 10;
    private static final int BUFFER_BYTES = 32 << 10;

    private final InputStream in;

    LineReader(InputStream in) {
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
    }

    /** The next line without its end; null after the last. */
    @Nullable
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = in.read();
        if (b < 0) {
            return null;
        }
        for (; b >= 0 && b != '\n'; b = in.read()) {
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("a line of a listing has more than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
