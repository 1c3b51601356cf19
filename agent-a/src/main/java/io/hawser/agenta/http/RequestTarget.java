package io.hawser.agenta.http;

import io.hawser.core.ftp.NameEncoding;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What a request target names (RFC 9112 section 3.2): a path in origin form, or the path of an absolute form.
 *
 * @param path percent-decoded, with a slash at its beginning; {@link NameEncoding} text
 * @param hasQuery whether a query follows it
 */
record RequestTarget(String path, boolean hasQuery) {
    /** The target is no path. The message is for the client. */
    static final class MalformedTargetException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedTargetException(String why) {
            super(why);
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }

    static RequestTarget parse(String target) throws MalformedTargetException {
        String origin = withoutAuthority(target);
        int query = origin.indexOf('?');
        String path = query < 0 ? origin : origin.substring(0, query);
        if (!path.startsWith("/")) {
            throw new MalformedTargetException("the request target is not a path");
        }
        byte[] decoded = decode(path);
        return new RequestTarget(NameEncoding.decode(decoded, 0, decoded.length), query >= 0);
    }

    private static String withoutAuthority(String target) {
        String lower = target.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("http://") && !lower.startsWith("https://")) {
            return target;
        }
        int slash = target.indexOf('/', target.indexOf("//") + 2);
        return slash < 0 ? "/" : target.substring(slash);
    }

    private static byte[] decode(String path) throws MalformedTargetException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(path.length());
        byte[] encoded = path.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] == '#') {
                throw new MalformedTargetException("a request target has no fragment; in a name # is written %23");
            } else if (encoded[i] != '%') {
                out.write(encoded[i]);
            } else {
                out.write(escaped(encoded, i));
                i += 2;
            }
        }
        return out.toByteArray();
    }

    private static int escaped(byte[] encoded, int at) throws MalformedTargetException {
        int high = at + 2 < encoded.length ? Character.digit(encoded[at + 1], 16) : -1;
        int low = at + 2 < encoded.length ? Character.digit(encoded[at + 2], 16) : -1;
        if (high < 0 || low < 0) {
            throw new MalformedTargetException("in a request target % is followed by two hexadecimal digits");
        }
        int value = high * 16 + low;
        if (value == '/' || value == 0) {
            throw new MalformedTargetException("a name has neither %2F nor %00");
        }
        return value;
    }

    /** {@code name}, which is {@link NameEncoding} text, as a segment of a URL's path. */
    static String encodeSegment(String name) {
        StringBuilder out = new StringBuilder(name.length() + 16);
        for (byte b : NameEncoding.encode(name)) {
            if (isUnreserved(b)) {
                out.append((char) b);
            } else {
                out.append('%')
                        .append(Character.toUpperCase(Character.forDigit((b >> 4) & 0xF, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 0xF, 16)));
            }
        }
        return out.toString();
    }

    /** RFC 3986 section 2.3. */
    private static boolean isUnreserved(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~';
    }
}
