package io.hawser.core.remote;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/**
 * Computes a checksum incrementally.
 *
 * <p>Thread: one at a time.
 */
public interface RunningChecksum {
    /** Adds the remaining bytes of {@code bytes}. */
    void update(ByteBuffer bytes);

    /** The checksum in lower-case hex with leading zeros. To be called once, last. */
    String hex();

    static RunningChecksum of(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case ADLER32 -> of(new Adler32());
            case CRC32 -> of(new CRC32());
            case MD5, SHA1, SHA256, SHA512 -> of(digest(algorithm.label()));
        };
    }

    private static MessageDigest digest(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
    }

    private static RunningChecksum of(Checksum sum) {
        return new RunningChecksum() {
            @Override
            public void update(ByteBuffer bytes) {
                sum.update(bytes);
            }

            @Override
            public String hex() {
                return String.format(Locale.ROOT, "%08x", sum.getValue());
            }
        };
    }

    private static RunningChecksum of(MessageDigest digest) {
        return new RunningChecksum() {
            @Override
            public void update(ByteBuffer bytes) {
                digest.update(bytes);
            }

            @Override
            public String hex() {
                return HexFormat.of().formatHex(digest.digest());
            }
        };
    }
}
