package io.hawser.ptcp.netty;

import java.io.IOException;

/** A peer sent clear text to a TLS port. */
public final class TlsRequiredException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsRequiredException() {
        super("the peer spoke clear text to a TLS port");
    }
}
