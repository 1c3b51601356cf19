package io.hawser.agenta.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** Name and password of an {@code Authorization} header (RFC 7617, in UTF-8). */
record BasicCredentials(String name, String password) {
    private static final String SCHEME = "basic ";

    /** Empty if it is another scheme, or malformed. */
    static Optional<BasicCredentials> parse(String header) {
        if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return Optional.empty();
        }
        byte[] decoded;
        try {
            decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String text = new String(decoded, StandardCharsets.UTF_8);
        int colon = text.indexOf(':');
        return colon < 0
                ? Optional.empty()
                : Optional.of(new BasicCredentials(text.substring(0, colon), text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return name; // a password belongs in no log
    }
}
