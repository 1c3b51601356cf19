package io.hawser.agenta.ftp.data;

import java.io.IOException;

/** The peer of a data connection is not the one that it must be. The message is for the client. */
public final class PeerRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public PeerRefusedException(String why, Throwable cause) {
        super("it could not be authenticated: " + why, cause);
    }
}
