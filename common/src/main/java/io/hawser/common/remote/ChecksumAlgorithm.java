package io.hawser.common.remote;

import java.util.Locale;
import java.util.Optional;

/** Checksums that the far edge computes on demand, by the names of GridFTP's CKSM (GFD.47 §5.1) and FTP's HASH. */
public enum ChecksumAlgorithm {
    MD5("MD5"),
    SHA1("SHA-1"),
    SHA256("SHA-256"),
    SHA512("SHA-512"),
    ADLER32("ADLER32"),
    CRC32("CRC32");

    private final String label;

    ChecksumAlgorithm(String label) {
        this.label = label;
    }

    /** How FEAT and replies write it. */
    public String label() {
        return label;
    }

    /** The algorithm that a client means; case and dashes do not matter. */
    public static Optional<ChecksumAlgorithm> of(String text) {
        String plain = text.replace("-", "").toUpperCase(Locale.ROOT);
        for (ChecksumAlgorithm algorithm : values()) {
            if (algorithm.name().equals(plain)) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }
}
