package io.hawser.agentb.deliver.gsi;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.ValidatedPeer;
import io.hawser.gsi.token.GsiExchange;

/** An exchange whose tokens are what they hold; one that begins with {@code !} cannot be opened. */
final class OpenExchange implements GsiExchange {
    @Override
    public byte[] step(byte[] token) {
        return token;
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public ValidatedPeer peer() {
        throw new AssertionError("nobody asks");
    }

    @Override
    public byte[] wrap(byte[] clear) {
        return clear;
    }

    @Override
    public byte[] unwrap(byte[] token) throws GsiException {
        if (token.length > 0 && token[0] == '!') {
            throw new GsiException("TLS failed");
        }
        return token;
    }
}
