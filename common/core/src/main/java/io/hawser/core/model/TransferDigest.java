package io.hawser.core.model;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The tree digest of a whole object, written {@code hts256-<fragment size>:<hex>}. It is not the file's SHA-256: it covers a
 * domain tag, the size, the fragment size and a Merkle tree (RFC 6962 shape) of the fragments' SHA-256.
 *
 * @param fragmentSizeBytes the fragment size that it was computed with
 * @param root 32 bytes; not to be modified
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, below
public record TransferDigest(int fragmentSizeBytes, byte[] root) {
    public static final int LENGTH_BYTES = 32;

    public TransferDigest {
        if (fragmentSizeBytes < 1) {
            throw new IllegalArgumentException("a fragment size is 1 or more, not " + fragmentSizeBytes);
        }
        if (root.length != LENGTH_BYTES) {
            throw new IllegalArgumentException("a root has 32 bytes, not " + root.length);
        }
    }

    /** Parses the form that {@link #toString()} gives. */
    public static TransferDigest parse(String text) {
        int colon = text.indexOf(':');
        if (!text.startsWith("hts256-") || colon < 0) {
            throw new IllegalArgumentException("a digest is hts256-<fragment size>:<hex>, not \"" + text + "\"");
        }
        return new TransferDigest(
                Integer.parseInt(text.substring("hts256-".length(), colon)),
                HexFormat.of().parseHex(text.substring(colon + 1)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransferDigest that
                && fragmentSizeBytes == that.fragmentSizeBytes
                && Arrays.equals(root, that.root);
    }

    @Override
    public int hashCode() {
        return 31 * fragmentSizeBytes + Arrays.hashCode(root);
    }

    @Override
    public String toString() {
        return "hts256-" + fragmentSizeBytes + ":" + HexFormat.of().formatHex(root);
    }
}
