package io.hawser.agenta.ftp.login;

/**
 * Whether a protected data connection must resume the TLS session of its control connection. Only the client that opened the
 * control connection can do that.
 */
public enum TlsReuse {
    /** A data connection that does not is refused. */
    REQUIRE,
    /** The first one of a session that does not is noted for the audit log. */
    PREFER,
    /** Nothing is looked at. */
    OFF
}
