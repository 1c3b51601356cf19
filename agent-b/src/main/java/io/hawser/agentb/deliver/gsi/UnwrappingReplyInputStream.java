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
import org.jspecify.annotations.Nullable;

/**
 * Unwraps the server's replies: each line is {@code 63x} and a token in base64 (RFC 2228 section 5). A line in clear text may come from an attacker
 * and ends the connection.
 *
 * <p>Thread: one at a time.
 */
final class UnwrappingReplyInputStream extends InputStream {
    /** The longest wrapped line. Usual ones have some hundred bytes. */
    private static final int MAX_LINE_BYTES = 256 << 10;

    private static final int MAX_SHOWN = 100;
    private static final Pattern LINE = Pattern.compile("63[123][- ]([A-Za-z0-9+/=]+)\\s*");

    private final InputStream in;
    private final GsiExchange exchange;
    private byte[] clear = {};
    private int position;

    UnwrappingReplyInputStream(InputStream in, GsiExchange exchange) {
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
            clear = unwrap(line);
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

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (line.size() > 0) {
                    throw new EOFException("the far server closed the connection within a reply");
                }
                return null;
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new IOException("the far server sent a reply line of more than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private byte[] unwrap(String line) throws IOException {
        Matcher wrapped = LINE.matcher(line);
        if (!wrapped.matches()) {
            String shown = line.strip().replaceAll("[^ -~]", "?");
            throw new IOException("the far server answered in clear text after the authentication: \""
                    + shown.substring(0, Math.min(MAX_SHOWN, shown.length())) + "\"");
        }
        try {
            byte[] token = Base64.getDecoder().decode(wrapped.group(1));
            synchronized (exchange) { // another thread wraps commands meanwhile
                return exchange.unwrap(token);
            }
        } catch (GsiException | IllegalArgumentException e) {
            throw new IOException("cannot unwrap the far server's reply: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
