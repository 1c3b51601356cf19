package io.hawser.agenta.ftp.login;

import java.util.Arrays;
import java.util.Locale;

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
    OFF;

    /** The value of {@code --tls-reuse}. */
    public static TlsReuse parse(String text) {
        return Arrays.stream(values())
                .filter(each -> each.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not require, prefer or off"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
