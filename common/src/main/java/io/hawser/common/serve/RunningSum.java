package io.hawser.common.serve;

import io.hawser.common.remote.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** A checksum that bytes are added to. Thread: one at a time. */
interface RunningSum {
    /** Adds the bytes from position to limit. */
    void add(ByteBuffer bytes);

    /** The sum of all, in lower-case hex. The last call. */
    String hex();

    /** A sum of nothing yet. */
    static RunningSum of(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case ADLER32 -> of(new Adler32());
            case CRC32 -> of(new CRC32());
            case MD5, SHA1, SHA256, SHA512 -> digest(algorithm.label());
        };
    }

    private static RunningSum of(Checksum checksum) {
        return new RunningSum() {
            @Override
            public void add(ByteBuffer bytes) {
                checksum.update(bytes);
            }

            @Override
            public String hex() {
                return HexFormat.of().toHexDigits((int) checksum.getValue());
            }
        };
    }

    private static RunningSum digest(String name) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
        return new RunningSum() {
            @Override
            public void add(ByteBuffer bytes) {
                digest.update(bytes);
            }

            @Override
            public String hex() {
                return HexFormat.of().formatHex(digest.digest());
            }
        };
    }
}
