package io.hawser.core.testkit;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object with its manifest, its bytes and its commit: what a publisher knows, and what every copy is compared with.
 *
 * @param manifest what it is
 * @param content its bytes
 * @param leaves the leaf of each fragment
 * @param commit its commit
 */
@SuppressWarnings("ArrayRecordComponent") // compared by identity only
public record SampleTransfer(Manifest manifest, byte[] content, List<byte[]> leaves, Commit commit) {
    /** A file of {@code sizeBytes} bytes that {@code seed} makes different from any other. */
    public static SampleTransfer file(
            NodeId publisher, long number, String topic, String path, int sizeBytes, int fragmentSizeBytes, long seed) {
        TransferKey key = new TransferKey(publisher, new TransferId(number << 16, seed));
        Manifest manifest = new Manifest(
                key,
                number,
                new Topic(topic),
                TransferKind.FILE,
                path,
                List.of(path),
                Manifest.UNKNOWN_SIZE,
                fragmentSizeBytes,
                Map.of());
        return of(manifest, bytes(sizeBytes, seed));
    }

    /** The transfer that carries {@code content} under {@code manifest}. */
    public static SampleTransfer of(Manifest manifest, byte[] content) {
        int fragmentSizeBytes = manifest.fragmentSizeBytes();
        int count = (int) Manifest.fragmentCount(content.length, fragmentSizeBytes);
        byte[][] leaves = new byte[count][];
        TreeDigest.Builder tree = new TreeDigest.Builder();
        for (int i = 0; i < count; i++) {
            int length = Manifest.fragmentLength(i, content.length, fragmentSizeBytes);
            leaves[i] = TreeDigest.leaf(ByteBuffer.wrap(content, i * fragmentSizeBytes, length));
            tree.add(leaves[i]);
        }
        Commit commit = new Commit(content.length, count, tree.root(content.length, fragmentSizeBytes));
        return new SampleTransfer(manifest, content, List.of(leaves), commit);
    }

    /** The transfer's key. */
    public TransferKey key() {
        return manifest.key();
    }

    /** How many fragments it has. */
    public int fragmentCount() {
        return leaves.size();
    }

    /** The length of a fragment. */
    public int fragmentLength(long index) {
        return Manifest.fragmentLength(index, content.length, manifest.fragmentSizeBytes());
    }

    /** The bytes of a fragment, as a view. */
    public ByteBuffer bytesOf(long index) {
        return ByteBuffer.wrap(content, (int) index * manifest.fragmentSizeBytes(), fragmentLength(index));
    }

    /** A fragment in a buffer of that pool; the caller owns its one reference. Null when the pool is empty. */
    public @Nullable Fragment fragment(long index, FragmentBufferPool pool) {
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            return null;
        }
        ByteBuffer bytes = bytesOf(index);
        int crc = Crc32c.of(bytes);
        buffer.payload(0, bytes.remaining()).put(bytes);
        return new Fragment(key(), index, fragmentLength(index), crc, leaves.get((int) index), buffer, 0);
    }

    /** Whether {@code bytes} are those at {@code offset} of fragment {@code index}. */
    public boolean agrees(long index, int offset, ByteBuffer bytes) {
        int start = (int) index * manifest.fragmentSizeBytes() + offset;
        if (start < 0 || start + bytes.remaining() > content.length) {
            return false;
        }
        return ByteBuffer.wrap(content, start, bytes.remaining()).equals(bytes);
    }

    /** Whether {@code other} are this object's bytes. */
    public boolean hasContent(byte[] other) {
        return Arrays.equals(content, other);
    }

    private static byte[] bytes(int sizeBytes, long seed) {
        byte[] content = new byte[sizeBytes];
        long state = seed * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < sizeBytes; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            content[i] = (byte) (state >>> 56);
        }
        return content;
    }
}
