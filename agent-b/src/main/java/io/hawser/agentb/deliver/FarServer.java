package io.hawser.agentb.deliver;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A far server and a directory on it, named by a URL: {@code ftp://user@host:port/dir}, {@code ftps://…}, {@code
 * gridftp://…}, {@code gsiftp://…}.
 *
 * <p>The path of {@code ftp} and {@code ftps} is relative to the directory after the login (RFC 1738 §3.2.2); with two slashes ({@code
 * ftp://host//data}) or {@code %2F} it is absolute. The path of {@code gridftp} and {@code gsiftp} is absolute, as for other GridFTP clients.
 *
 * @param protocol which protocol it speaks
 * @param host name or address, an IPv6 address without its brackets
 * @param port 1 to 65535
 * @param user the account; {@value #ANONYMOUS}, or {@value #MAPPED} by GSI, where the URL names none
 * @param directory without a slash at the end; with one at the beginning if it is absolute; may be empty
 */
public record FarServer(Protocol protocol, String host, int port, String user, String directory) {
    public static final String ANONYMOUS = "anonymous";
    /** The account that a GSI server chooses by its grid-mapfile. */
    public static final String MAPPED = ":globus-mapping:";

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);

    public enum Protocol {
        /** RFC 959, stream mode. */
        FTP("ftp", 21),
        /** The same over TLS (RFC 4217): AUTH TLS, or TLS from the first byte on port 990. */
        FTPS("ftps", 21),
        /** GFD.20: extended block mode over several connections. */
        GRIDFTP("gridftp", 2811),
        /** The same with a login by GSI (RFC 2228). */
        GSIFTP("gsiftp", 2811);

        private final String scheme;
        private final int defaultPort;

        Protocol(String scheme, int defaultPort) {
            this.scheme = scheme;
            this.defaultPort = defaultPort;
        }

        /** Whether files go in extended block mode, and paths begin at the root. */
        public boolean isGrid() {
            return this == GRIDFTP || this == GSIFTP;
        }
    }

    /** The port of FTP over TLS from the first byte. */
    public static final int IMPLICIT_TLS_PORT = 990;

    /** Whether {@code text} is a URL and no path. */
    public static boolean isUrl(String text) {
        return SCHEME.matcher(text).matches();
    }

    /** Throws IllegalArgumentException with a sentence that says what is wrong, without the URL if it holds a password. */
    public static FarServer parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the URL cannot be read (" + e.getReason() + " at character " + (e.getIndex() + 1)
                            + "); write special characters as %XX",
                    e);
        }
        Protocol protocol = protocol(uri.getScheme());
        String user = uri.getUserInfo();
        if (user == null) {
            user = protocol == Protocol.GSIFTP ? MAPPED : ANONYMOUS;
        } else if (user.indexOf(':') >= 0 || user.isEmpty()) {
            throw new PasswordInUrlException(
                    "others could read a password in the URL: write " + protocol.scheme + "://USER@HOST/DIR");
        }
        String host = uri.getHost();
        if (host == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not " + protocol.scheme + "://[USER@]HOST[:PORT]/DIR");
        }
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = uri.getPort() > 0 ? uri.getPort() : protocol.defaultPort;
        String directory = directory(protocol, uri.getPath());
        if (hasControlCharacter(user) || hasControlCharacter(directory) || port > 65_535) {
            throw new IllegalArgumentException("the URL has a control character or a port above 65535");
        }
        return new FarServer(protocol, host, port, user, directory);
    }

    private static Protocol protocol(String scheme) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.scheme.equals(scheme.toLowerCase(Locale.ROOT))) {
                return protocol;
            }
        }
        throw new IllegalArgumentException(
                "'" + scheme + "://' is unknown; give a directory, ftp://, ftps://, gridftp:// or gsiftp://");
    }

    private static String directory(Protocol protocol, String path) {
        String inner = path.startsWith("/") && !protocol.isGrid() ? path.substring(1) : path;
        int end = inner.length();
        while (end > 1 && inner.charAt(end - 1) == '/') {
            end--;
        }
        return inner.substring(0, end);
    }

    static boolean hasControlCharacter(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /** Whether {@code other} is the same account over the same protocol, so that it may have this one's password. */
    public boolean hasSameAccountAs(FarServer other) {
        return protocol == other.protocol()
                && host.equals(other.host())
                && port == other.port()
                && user.equals(other.user());
    }

    /** A URL with a password in it; the message does not show it. */
    public static final class PasswordInUrlException extends IllegalArgumentException {
        PasswordInUrlException(String message) {
            super(message);
        }
    }

    /** Whether TLS begins with the first byte. */
    public boolean implicitTls() {
        return protocol == Protocol.FTPS && port == IMPLICIT_TLS_PORT;
    }

    /** Whether the account needs no password of its own. */
    public boolean isAnonymous() {
        return protocol == Protocol.GSIFTP || user.equals(ANONYMOUS) || user.equals("ftp");
    }

    /** The URL, which has no password. */
    @Override
    public String toString() {
        String at = user.equals(ANONYMOUS) || user.equals("ftp") || user.equals(MAPPED) ? "" : user + "@";
        String shownHost = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        String slash = protocol.isGrid() && directory.startsWith("/") ? "" : "/";
        return protocol.scheme + "://" + at + shownHost + ":" + port + slash + directory;
    }
}
