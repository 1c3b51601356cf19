package io.hawser.ptcp.netty;

import java.io.IOException;

/** A peer spoke clear text where only TLS is spoken. */
public final class TlsRequiredException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsRequiredException() {
        super("the peer spoke clear text to a TLS port");
    }
}
