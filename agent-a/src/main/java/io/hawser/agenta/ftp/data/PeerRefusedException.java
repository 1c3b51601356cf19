package io.hawser.agenta.ftp.data;

import java.io.IOException;

/** Who is at the other end of a data connection is not who must be there. The message says so to a client. */
public final class PeerRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public PeerRefusedException(String why, Throwable cause) {
        super("it could not be authenticated: " + why, cause);
    }
}
