package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.ValidatedPeer;

/**
 * One end of the exchange of tokens by which two peers authenticate each other. Each received token needs a {@link #step}, whose result is sent back.
 * Afterwards tokens carry the application's bytes.
 *
 * <p>Thread: one at a time. A step may take 100 ms, for signatures, validation and keys.
 */
public interface GsiExchange {
    /**
     * Processes the peer's next token.
     *
     * @param token complete TLS records; empty for an initiator's first step
     * @return the token for the peer; may be empty
     * @throws GsiException with the reason if the peer is not accepted; the exchange has failed
     */
    byte[] step(byte[] token) throws GsiException;

    /** Whether no further token is expected. The result of the last step must still be sent. */
    boolean isDone();

    /** The peer; only after the end. */
    ValidatedPeer peer() throws GsiException;

    /** A token with {@code clear}; only after the end. */
    byte[] wrap(byte[] clear) throws GsiException;

    /** The content of a token; only after the end. */
    byte[] unwrap(byte[] token) throws GsiException;
}
