package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * The best checksum command that a far server offers: HASH (draft-bryan-ftpext-hash), XSHA256 and the like, or GridFTP's CKSM (GFD.47 §5.1).
 *
 * @param algorithm Java's name of the digest
 * @param verb the command
 * @param prefix between the command and the path
 */
public record Checksum(String algorithm, String verb, String prefix) {
    private static final List<String> ALGORITHMS = List.of("SHA-256", "SHA-512", "SHA-1", "MD5");
    /** A server sends nothing while it computes; the timeout allows for this rate. */
    private static final long SLOWEST_BYTES_PER_SECOND = 10 << 20;

    /** The best for a whole file, or null if the server offers none. */
    static @Nullable Checksum offeredBy(FarFtpClient client) throws IOException {
        for (Kind kind : Kind.values()) {
            for (String algorithm : ALGORITHMS) {
                if (kind.isOffered(client, algorithm)) {
                    return kind.of(algorithm, 0, -1);
                }
            }
        }
        return null;
    }

    /**
     * How the server computes one algorithm for a whole file, or for a range of it; null if it does not.
     *
     * @param algorithm Java's name, or ADLER32 or CRC32
     * @param offset 0 or more
     * @param length in bytes; -1 up to the end of the file
     */
    public static @Nullable Checksum offeredBy(FarFtpClient client, String algorithm, long offset, long length)
            throws IOException {
        boolean whole = offset == 0 && length < 0;
        for (Kind kind : Kind.values()) {
            // Eight hex digits could also be another number in the reply.
            boolean unmistakable = kind == Kind.CKSM || (whole && ALGORITHMS.contains(algorithm));
            if (unmistakable && kind.isOffered(client, algorithm)) {
                return kind.of(algorithm, offset, length);
            }
        }
        return null;
    }

    /** The commands, the best one first. */
    private enum Kind {
        HASH,
        X,
        CKSM;

        boolean isOffered(FarFtpClient client, String algorithm) throws IOException {
            if (this == X) {
                return client.hasFeature("X" + plain(algorithm));
            }
            String features = client.featureValue(name());
            return features != null
                    && Arrays.stream(features.split("[;,:* ]+"))
                            .anyMatch(word -> plain(word).equals(plain(algorithm)));
        }

        Checksum of(String algorithm, long offset, long length) {
            return switch (this) {
                case HASH -> new Checksum(algorithm, name(), "");
                case X -> new Checksum(algorithm, "X" + plain(algorithm), "");
                case CKSM -> new Checksum(algorithm, name(), plain(algorithm) + " " + offset + " " + length + " ");
            };
        }
    }

    private static String plain(String algorithm) {
        return algorithm.replace("-", "").toUpperCase(Locale.ROOT);
    }

    /** Asks the server for the sum, in lower-case hex; null if it refuses. */
    public @Nullable String ask(FarFtpClient client, String path, long sizeBytes, int hexDigits) throws IOException {
        int usual = client.getSoTimeout();
        long timeoutMillis =
                usual + Duration.ofSeconds(sizeBytes / SLOWEST_BYTES_PER_SECOND).toMillis();
        client.setSoTimeout((int) Math.min(Integer.MAX_VALUE, timeoutMillis));
        try {
            if (verb.equals("HASH")
                    && !FTPReply.isPositiveCompletion(client.sendCommand("OPTS", "HASH " + algorithm))) {
                return null;
            }
            int code = client.sendCommand(verb, prefix + path);
            if (!FTPReply.isPositiveCompletion(code) && verb.startsWith("X") && path.indexOf(' ') >= 0) {
                code = client.sendCommand(
                        verb, '"' + path + '"'); // some servers require quotes, others do not know them
            }
            if (!FTPReply.isPositiveCompletion(code)) {
                return null;
            }
            Matcher sum = Pattern.compile("(?<![0-9A-Za-z])[0-9A-Fa-f]{" + hexDigits + "}(?![0-9A-Za-z])")
                    .matcher(client.getReplyString());
            return sum.find() ? sum.group().toLowerCase(Locale.ROOT) : null;
        } finally {
            client.setSoTimeout(usual);
        }
    }
}
