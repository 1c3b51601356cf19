package io.hawser.core.integrity;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The tree digest over fragments' hashes; the package comment has its definition. {@link Builder} takes leaves in the order of
 * their index, one after the other, and keeps one hash for each level of the tree: 2^40 fragments need 40 of them.
 */
public final class TreeDigest {
    private static final byte[] DOMAIN_TAG = "hawser-hts256-v1\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte INNER_NODE = 1;
    private static final int MAX_LEVELS = Long.SIZE;

    private TreeDigest() {}

    /** The leaf of a fragment: SHA-256 of its bytes from position to limit. */
    public static byte[] leaf(ByteBuffer fragment) {
        return Sha256.of(fragment);
    }

    /** The digest of an object of one fragment, or of none if it is empty (the leaf is then not looked at). */
    public static TransferDigest ofSingle(byte[] leaf, long sizeBytes, int fragmentSizeBytes) {
        int count = sizeBytes > 0 ? 1 : 0;
        return root(count == 0 ? Sha256.of(new byte[0]) : leaf, count, sizeBytes, fragmentSizeBytes);
    }

    private static TransferDigest root(byte[] tree, long count, long sizeBytes, int fragmentSizeBytes) {
        if (Manifest.fragmentCount(sizeBytes, fragmentSizeBytes) != count) {
            throw new IllegalStateException(
                    count + " leaves do not make " + sizeBytes + " bytes in fragments of " + fragmentSizeBytes);
        }
        byte[] whole = ByteBuffer.allocate(DOMAIN_TAG.length + Long.BYTES + Integer.BYTES + tree.length)
                .put(DOMAIN_TAG)
                .putLong(sizeBytes)
                .putInt(fragmentSizeBytes)
                .put(tree)
                .array();
        return new TransferDigest(fragmentSizeBytes, Sha256.of(whole));
    }

    /**
     * Computes a root from a stream of leaves.
     *
     * <p>Thread: any one at a time.
     */
    public static final class Builder {
        private final MessageDigest sha256 = Sha256.newDigest();
        /** Level n holds the root of a complete subtree of 2^n leaves if bit n of the count is set. */
        private final byte[][] subtrees = new byte[MAX_LEVELS][];

        private long count;

        /** Creates a builder without leaves. */
        public Builder() {}

        /** Adds the next leaf, 32 bytes; the array is kept and must not change. */
        public Builder add(byte[] leaf) {
            if (leaf.length != Sha256.LENGTH_BYTES) {
                throw new IllegalArgumentException("a leaf has 32 bytes, not " + leaf.length);
            }
            byte[] node = leaf;
            int level = 0;
            for (long rest = count; (rest & 1) != 0; rest >>>= 1) {
                node = inner(subtrees[level], node);
                level++;
            }
            subtrees[level] = node;
            count++;
            return this;
        }

        /** How many leaves were added. */
        public long count() {
            return count;
        }

        /**
         * The digest of an object of {@code sizeBytes}; more leaves may be added after it.
         *
         * @throws IllegalStateException if that size does not make the number of leaves that were added
         */
        public TransferDigest root(long sizeBytes, int fragmentSizeBytes) {
            return TreeDigest.root(tree(), count, sizeBytes, fragmentSizeBytes);
        }

        /** Joins the complete subtrees, the smallest first: each is the right side of the next larger one. */
        private byte[] tree() {
            byte[] node = new byte[0];
            for (int level = 0; level < MAX_LEVELS; level++) {
                if ((count >>> level & 1) != 0) {
                    node = node.length == 0 ? subtrees[level] : inner(subtrees[level], node);
                }
            }
            return node.length == 0 ? sha256.digest() : node;
        }

        private byte[] inner(byte[] left, byte[] right) {
            sha256.update(INNER_NODE);
            sha256.update(left);
            return sha256.digest(right);
        }
    }
}
