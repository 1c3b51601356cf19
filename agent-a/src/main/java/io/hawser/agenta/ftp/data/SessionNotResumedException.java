package io.hawser.agenta.ftp.data;

import java.io.IOException;

/** TLS failed on a data connection that had to resume the control connection's session. The message says so to a client. */
public final class SessionNotResumedException extends IOException {
    private static final long serialVersionUID = 1;

    SessionNotResumedException(String why, Throwable cause) {
        super(
                why + "; each data connection must resume the TLS session of the control connection here (--tls-reuse"
                        + " require)",
                cause);
    }
}
