package io.hawser.agentb.deliver.gsi;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.token.GsiExchange;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server's replies as they were before they were wrapped: each line of it is {@code 63x} and a token in base64 (RFC 2228 section
 * 5). What comes in clear text may be anybody's and ends the connection.
 *
 * <p>Thread: one at a time.
 */
final class WrappedReplies extends InputStream {
    /** A line of a reply, wrapped. Real ones have some hundred bytes. */
    private static final int MAX_LINE_BYTES = 256 << 10;

    private static final int MAX_SHOWN = 100;
    private static final Pattern LINE = Pattern.compile("63[123][- ]([A-Za-z0-9+/=]+)\\s*");

    private final InputStream in;
    private final GsiExchange exchange;
    private byte[] clear = {};
    private int position;

    WrappedReplies(InputStream in, GsiExchange exchange) {
        this.in = new BufferedInputStream(in);
        this.exchange = exchange;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (position == clear.length) {
            String line = line();
            if (line == null) {
                return -1;
            }
            clear = opened(line);
            position = 0;
        }
        int count = Math.min(length, clear.length - position);
        System.arraycopy(clear, position, into, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return clear.length - position;
    }

    private @org.jspecify.annotations.Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (line.size() > 0) {
                    throw new EOFException("the far server's reply was cut off");
                }
                return null;
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("the far server sends a reply without an end");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private byte[] opened(String line) throws IOException {
        Matcher wrapped = LINE.matcher(line);
        if (!wrapped.matches()) {
            String shown = line.strip().replaceAll("[^ -~]", "?");
            throw new IOException("the far server answers in clear text where it must not: \""
                    + shown.substring(0, Math.min(MAX_SHOWN, shown.length())) + "\"");
        }
        try {
            byte[] token = Base64.getDecoder().decode(wrapped.group(1));
            synchronized (exchange) { // commands are wrapped by another thread while replies are waited for
                return exchange.unwrap(token);
            }
        } catch (GsiException | IllegalArgumentException e) {
            throw new IOException("the far server's reply cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
