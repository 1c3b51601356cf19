package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.ValidatedPeer;

/**
 * Base class of both ends of a GSI token exchange: TLS handshake, peer check, then wrapped tokens.
 *
 * <p>Thread: one at a time.
 */
abstract class TlsExchange implements GsiExchange {
    final TokenTls tls;
    private boolean authenticated;
    private boolean done;

    TlsExchange(GsiTls tls) {
        this.tls = new TokenTls(tls);
    }

    @Override
    public final byte[] step(byte[] token) throws GsiException {
        byte[] reply = tls.feed(token);
        if (done) {
            throw new GsiException("the peer sent a token after the end of the exchange");
        } else if (authenticated) {
            return delegate(reply);
        } else if (!tls.isComplete()) {
            return reply;
        }
        var unused = peer(); // throws unless the peer was validated
        authenticated = true;
        return authenticated(reply);
    }

    /** The handshake is complete, and TLS answers {@code reply}. Returns the token for the peer. */
    abstract byte[] authenticated(byte[] reply) throws GsiException;

    /** A later token came, on which TLS answers {@code reply}. Returns the token for the peer. */
    abstract byte[] delegate(byte[] reply) throws GsiException;

    final byte[] end(byte[] last) {
        done = true;
        return last;
    }

    @Override
    public final boolean isDone() {
        return done;
    }

    @Override
    public final ValidatedPeer peer() throws GsiException {
        return tls.tls().peer();
    }

    @Override
    public final byte[] wrap(byte[] clear) throws GsiException {
        return tls.wrap(clear);
    }

    @Override
    public final byte[] unwrap(byte[] token) throws GsiException {
        return tls.unwrap(token);
    }
}
