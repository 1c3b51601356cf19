package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * Runs TLS over tokens instead of a socket. A token is any number of complete records.
 *
 * <p>Thread: one at a time.
 */
final class TokenTls {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int RECORD_BYTES = 17 << 10;
    /** A bound that no valid token reaches. */
    private static final int MAX_ROUNDS = 10_000;

    private final GsiTls tls;
    private final SSLEngine engine;
    private final ByteArrayOutputStream clear = new ByteArrayOutputStream();
    private final ByteArrayOutputStream outgoing = new ByteArrayOutputStream();
    private ByteBuffer scratch = ByteBuffer.allocate(RECORD_BYTES);
    private boolean begun;
    private boolean complete;

    TokenTls(GsiTls tls) {
        this.tls = tls;
        this.engine = tls.engine();
    }

    GsiTls tls() {
        return tls;
    }

    boolean isComplete() {
        return complete;
    }

    /** Processes a token, which is empty at the client's beginning. Returns what TLS itself sends; often nothing. */
    byte[] feed(byte[] token) throws GsiException {
        process(token);
        return drain(outgoing);
    }

    /** The content of a token. What TLS itself answers is sent before the next {@link #wrap}. */
    byte[] unwrap(byte[] token) throws GsiException {
        process(token);
        return takeClear();
    }

    private void process(byte[] token) throws GsiException {
        try {
            if (!begun) {
                begun = true;
                engine.beginHandshake();
            }
            pump(ByteBuffer.wrap(token));
        } catch (SSLException e) {
            throw failure(e);
        }
    }

    private void pump(ByteBuffer in) throws GsiException, SSLException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> wrapOnce(NOTHING);
                default -> {
                    if (!in.hasRemaining()) {
                        return;
                    }
                    unwrapOnce(in);
                }
            }
        }
        throw new GsiException("TLS does not finish with a token of the peer");
    }

    private void unwrapOnce(ByteBuffer in) throws GsiException, SSLException {
        SSLEngineResult result = engine.unwrap(in, scratch.clear());
        note(result);
        switch (result.getStatus()) {
            case OK -> clear.write(scratch.array(), 0, scratch.position());
            case BUFFER_OVERFLOW -> grow();
            case BUFFER_UNDERFLOW -> throw new GsiException("a token of the peer ends within a TLS record");
            case CLOSED -> throw new GsiException("the peer has ended TLS");
        }
    }

    private void wrapOnce(ByteBuffer from) throws GsiException, SSLException {
        SSLEngineResult result = engine.wrap(from, scratch.clear());
        note(result);
        switch (result.getStatus()) {
            case OK -> outgoing.write(scratch.array(), 0, scratch.position());
            case BUFFER_OVERFLOW -> grow();
            default -> throw new GsiException("TLS has ended");
        }
    }

    private void note(SSLEngineResult result) {
        complete |= result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.FINISHED;
    }

    private void grow() {
        scratch = ByteBuffer.allocate(scratch.capacity() * 2);
    }

    /** The application's bytes since the last call. */
    byte[] takeClear() {
        return drain(clear);
    }

    byte[] wrap(byte[] bytes) throws GsiException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        try {
            for (int round = 0; from.hasRemaining() && round < MAX_ROUNDS; round++) {
                wrapOnce(from);
            }
            return drain(outgoing);
        } catch (SSLException e) {
            throw failure(e);
        }
    }

    private GsiException failure(SSLException cause) {
        return new GsiException(tls.refusal().orElseGet(() -> "TLS failed: " + reason(cause)), cause);
    }

    /** Its message without leading class names. */
    private static String reason(SSLException cause) {
        String message = String.valueOf(cause.getMessage());
        return message.substring(message.lastIndexOf(": ") < 0 ? 0 : message.indexOf(": ") + 2);
    }

    private static byte[] drain(ByteArrayOutputStream from) {
        byte[] bytes = from.toByteArray();
        from.reset();
        return bytes;
    }
}
