package io.hawser.ptcp;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy with its credentials and last challenge: Basic (RFC 7617) or Digest (RFC 7616: MD5 and SHA-256, with and without {@code auth}). Sends the password in the clear only to a proxy that offers nothing better. Answers a known challenge in the first request of later connections.
 *
 * <p>Thread: any.
 */
public final class HttpProxy {
    /** Possessive, since the matcher would call itself for each character of a text otherwise. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?<![A-Za-z-])([A-Za-z-]++)\\s*+=\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]++))");

    private static final Pattern ALGORITHM = Pattern.compile("(MD5|SHA-256)(-sess)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern STALE = Pattern.compile("stale\\s*+=\\s*+\"?true", Pattern.CASE_INSENSITIVE);
    /** None of those can be given back on one line. */
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f]");

    private static final SecureRandom RANDOM = new SecureRandom();

    /** What a proxy asks for: {@code algorithm} is a name of MessageDigest, or null for Basic. */
    private record Challenge(
            @Nullable String algorithm,
            String algorithmText,
            boolean session,
            String realm,
            String nonce,
            @Nullable String opaque,
            boolean auth) {}

    private final InetSocketAddress address;
    private final @Nullable String user;
    private final String password;
    private @Nullable Challenge challenge;
    private int uses;

    /**
     * Names a proxy.
     *
     * @param address resolved or not
     * @param user null for a proxy without authentication
     */
    public HttpProxy(InetSocketAddress address, @Nullable String user, String password) {
        this.address = address;
        this.user = user == null ? null : octets(user);
        this.password = octets(password);
    }

    /** A character for each byte of UTF-8, as {@link ProxyAnswer#BYTES} has what the proxy says: its realm is given back as it came. */
    private static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), ProxyAnswer.BYTES);
    }

    InetSocketAddress address() {
        return address;
    }

    /** The value of {@code Proxy-Authorization} for a CONNECT to {@code target}; null if none is known to be of use. */
    synchronized @Nullable String authorization(String target) {
        Challenge asked = challenge;
        if (asked == null || user == null) {
            return null;
        }
        if (asked.algorithm == null) {
            byte[] both = (user + ":" + password).getBytes(ProxyAnswer.BYTES);
            return "Basic " + Base64.getEncoder().encodeToString(both);
        }
        return digest(asked, asked.algorithm, user, target);
    }

    private String digest(Challenge asked, String algorithm, String name, String target) {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return digest(asked, algorithm, name, target, HexFormat.of().formatHex(random), ++uses);
    }

    private String digest(Challenge asked, String algorithm, String name, String target, String cnonce, int count) {
        String nc = String.format(Locale.ROOT, "%08x", count);
        String secret = hash(algorithm, name + ":" + asked.realm + ":" + password);
        if (asked.session) {
            secret = hash(algorithm, secret + ":" + asked.nonce + ":" + cnonce);
        }
        String request = hash(algorithm, "CONNECT:" + target);
        String middle = asked.auth ? asked.nonce + ":" + nc + ":" + cnonce + ":auth" : asked.nonce;
        String response = hash(algorithm, secret + ":" + middle + ":" + request);
        return "Digest username=" + quoted(name) + ", realm=" + quoted(asked.realm) + ", nonce=" + quoted(asked.nonce)
                + ", uri=" + quoted(target) + ", response=\"" + response + "\", algorithm=" + asked.algorithmText
                + (asked.opaque == null ? "" : ", opaque=" + quoted(asked.opaque))
                + (asked.auth ? ", qop=auth, nc=" + nc + ", cnonce=\"" + cnonce + "\"" : "");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String hash(String algorithm, String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(ProxyAnswer.BYTES)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no " + algorithm, e);
        }
    }

    /**
     * The proxy answered 407.
     *
     * @param offers the values of {@code Proxy-Authenticate}
     * @param answered whether the request had an answer to an earlier challenge
     * @return why another request is useless; null if it is not
     */
    synchronized @Nullable String challenged(List<String> offers, boolean answered) {
        if (user == null) {
            return "it asks for a name and a password: give --proxy-user and --proxy-password-file";
        }
        Challenge best = null;
        boolean stale = false;
        for (String offer : offers) {
            Challenge each = parse(offer);
            stale |= each != null && STALE.matcher(offer).find();
            if (each != null && (best == null || rank(each) > rank(best))) {
                best = each;
            }
        }
        if (best == null) {
            return "it asks for what is not supported: " + ProxyAnswer.printable(String.join("; ", offers));
        }
        boolean sameAgain = answered && !stale;
        challenge = best;
        uses = 0;
        return sameAgain ? "it does not accept the name and the password" : null;
    }

    private static int rank(Challenge challenge) {
        String algorithm = challenge.algorithm;
        return algorithm == null ? 0 : algorithm.equals("MD5") ? 1 : 2;
    }

    private static @Nullable Challenge parse(String offer) {
        String[] parts = offer.strip().split("\\s+", 2);
        if (parts[0].equalsIgnoreCase("Basic")) {
            return new Challenge(null, "", false, "", "", null, false);
        }
        if (!parts[0].equalsIgnoreCase("Digest")
                || parts.length < 2
                || CONTROL.matcher(parts[1]).find()) {
            return null;
        }
        Map<String, String> given = new HashMap<>();
        Matcher matcher = PARAMETER.matcher(parts[1]);
        while (matcher.find()) {
            String value = matcher.group(2) == null
                    ? matcher.group(3)
                    : matcher.group(2).replaceAll("\\\\(.)", "$1");
            given.put(matcher.group(1).toLowerCase(Locale.ROOT), value);
        }
        String text = given.getOrDefault("algorithm", "MD5");
        Matcher algorithm = ALGORITHM.matcher(text);
        String qop = given.get("qop");
        boolean auth =
                qop != null && Stream.of(qop.split(",")).map(String::strip).anyMatch("auth"::equals);
        String nonce = given.get("nonce");
        if (!algorithm.matches() || nonce == null || (qop != null && !auth)) {
            return null;
        }
        return new Challenge(
                algorithm.group(1).toUpperCase(Locale.ROOT),
                text,
                algorithm.group(2) != null,
                given.getOrDefault("realm", ""),
                nonce,
                given.get("opaque"),
                auth);
    }
}
