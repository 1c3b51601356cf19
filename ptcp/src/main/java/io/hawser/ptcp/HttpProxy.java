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
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy, who we are to it, and what it last asked for: Basic (RFC 7617) or Digest (RFC 7616: MD5 and SHA-256, with and without
 * {@code auth}). The password is sent in the clear only to a proxy that asks for nothing better. What a proxy asked for once is
 * answered at the next connection before it asks.
 *
 * <p>Thread: any.
 */
public final class HttpProxy {
    private static final Pattern PARAMETER =
            Pattern.compile("([A-Za-z-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^\\s,\"]+))");
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
     * @param user null for a proxy that asks nobody who he is
     */
    public HttpProxy(InetSocketAddress address, @Nullable String user, String password) {
        this.address = address;
        this.user = user;
        this.password = password;
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
            byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
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
                    .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no " + algorithm, e);
        }
    }

    /**
     * The proxy has answered 407.
     *
     * @param offers the values of {@code Proxy-Authenticate}
     * @param answered whether the request had an answer to an earlier challenge
     * @return why there is no use in asking again; null if there is
     */
    synchronized @Nullable String challenged(List<String> offers, boolean answered) {
        if (user == null) {
            return "it asks for a name and a password: give --proxy-user and --proxy-password-file";
        }
        Challenge best = null;
        boolean stale = false;
        for (String offer : offers) {
            Challenge each = parse(offer);
            stale |= each != null && offer.toLowerCase(Locale.ROOT).matches(".*stale\\s*=\\s*\"?true.*");
            if (each != null && (best == null || rank(each) > rank(best))) {
                best = each;
            }
        }
        if (best == null) {
            return "it asks for what is not supported: " + String.join("; ", offers);
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
        if (!parts[0].equalsIgnoreCase("Digest") || parts.length < 2) {
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
        String upper = text.toUpperCase(Locale.ROOT);
        boolean session = upper.endsWith("-SESS");
        String algorithm = session ? upper.substring(0, upper.length() - 5) : upper;
        String qop = given.get("qop");
        boolean auth = qop != null && List.of(qop.split("\\s*,\\s*")).contains("auth");
        boolean known = algorithm.equals("MD5") || algorithm.equals("SHA-256");
        String nonce = given.get("nonce");
        if (!known || nonce == null || (qop != null && !auth)) {
            return null;
        }
        return new Challenge(
                algorithm, text, session, given.getOrDefault("realm", ""), nonce, given.get("opaque"), auth);
    }
}
