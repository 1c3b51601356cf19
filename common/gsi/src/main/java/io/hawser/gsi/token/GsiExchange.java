package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.ValidatedPeer;

/**
 * One end of the exchange of tokens that authenticates two peers to each other. Each token that comes makes a {@link #step}, whose
 * result goes back. After it is done, tokens carry the application's bytes.
 *
 * <p>Thread: one at a time. A step may take 100 ms: signatures, validation, making keys.
 */
public interface GsiExchange {
    /**
     * Takes in the peer's next token.
     *
     * @param token complete TLS records; empty for an initiator's first step
     * @return what the peer is to get, perhaps empty
     * @throws GsiException with the reason if the peer is not accepted; the exchange is over
     */
    byte[] step(byte[] token) throws GsiException;

    /** Whether no further token is expected. What the last step returned is still to be sent. */
    boolean isDone();

    /** Who the peer is; only when it is done. */
    ValidatedPeer peer() throws GsiException;

    /** A token that holds {@code clear}; only when it is done. */
    byte[] wrap(byte[] clear) throws GsiException;

    /** What a token holds; only when it is done. */
    byte[] unwrap(byte[] token) throws GsiException;
}
