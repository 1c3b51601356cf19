package io.hawser.agentb.deliver.gsi;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.token.GsiExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Wraps each flushed command in an {@code ENC} (RFC 2228 section 3).
 *
 * <p>Thread: one at a time.
 */
final class WrappedCommands extends OutputStream {
    private final OutputStream out;
    private final GsiExchange exchange;
    private final ByteArrayOutputStream command = new ByteArrayOutputStream();

    WrappedCommands(OutputStream out, GsiExchange exchange) {
        this.out = out;
        this.exchange = exchange;
    }

    @Override
    public void write(int one) {
        command.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        command.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        if (command.size() == 0) {
            return;
        }
        byte[] clear = command.toByteArray();
        command.reset();
        try {
            synchronized (exchange) {
                String token = Base64.getEncoder().encodeToString(exchange.wrap(clear));
                out.write(("ENC " + token + "\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (GsiException e) {
            throw new IOException("cannot wrap a command: " + e.why(), e);
        }
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
