package io.hawser.core.integrity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.TransferDigest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeDigestTest {
    private static final int FRAGMENT = 16;

    @Test
    void rootEqualsTheRecursiveDefinitionForEveryCount() throws Exception {
        for (int size = 0; size <= 70 * FRAGMENT; size += 7) {
            byte[] object = object(size);
            assertThat(digest(object)).as("size %d", size).isEqualTo(recursive(object));
        }
    }

    @Test
    void goldenVectorsStay() {
        assertThat(digest(new byte[0]))
                .hasToString("hts256-16:b86860d9393429d55c993e8974314a14b6b1f4288a18175a1e20ef5a935e037e");
        assertThat(digest(object(1)))
                .hasToString("hts256-16:09ef410d54bd31d57508e5b8fdd83bed7366aee2c3024c45f59ea931d47187ab");
        assertThat(digest(object(16)))
                .hasToString("hts256-16:1ef875767024802be29cb5cd435c1bed7055e55c15dddb76809be8285643c25c");
        assertThat(digest(object(17)))
                .hasToString("hts256-16:867eb7b8a7b6aea533903af669dfd9a33b8718785e02f4d869ffa6a971c4703c");
        assertThat(digest(object(1000)))
                .hasToString("hts256-16:86ea911ac8531963715c721a628c861f0eef7a8f21459e4e5e5de6304490e350");
    }

    @Test
    void sizeFragmentSizeAndOrderAreInTheRoot() {
        byte[] left = TreeDigest.leaf(ByteBuffer.wrap(object(16)));
        byte[] right = TreeDigest.leaf(ByteBuffer.wrap(object(9)));
        TransferDigest root = new TreeDigest.Builder().add(left).add(right).root(25, 16);

        assertThat(new TreeDigest.Builder().add(left).add(right).root(26, 16)).isNotEqualTo(root);
        assertThat(new TreeDigest.Builder().add(right).add(left).root(25, 16)).isNotEqualTo(root);
        assertThat(new TreeDigest.Builder().add(left).add(right).root(40, 32).root())
                .isNotEqualTo(root.root());
    }

    @Test
    void anInnerNodeCannotStandForALeaf() {
        // given an object of two fragments, and the bytes that its inner node hashes as an object of one fragment
        byte[] left = TreeDigest.leaf(ByteBuffer.wrap(object(128)));
        byte[] right = TreeDigest.leaf(ByteBuffer.wrap(object(128)));
        byte[] forged =
                ByteBuffer.allocate(65).put((byte) 1).put(left).put(right).array();

        // then their trees are equal, and their roots are not
        byte[] forgedLeaf = TreeDigest.leaf(ByteBuffer.wrap(forged));
        assertThat(TreeDigest.ofSingle(forgedLeaf, 65, 128))
                .isNotEqualTo(new TreeDigest.Builder().add(left).add(right).root(256, 128));
    }

    @Test
    void aSizeThatDoesNotMakeTheLeavesIsRefused() {
        TreeDigest.Builder one = new TreeDigest.Builder().add(new byte[32]);

        assertThatThrownBy(() -> one.root(17, FRAGMENT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.root(0, FRAGMENT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> one.add(new byte[31])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSingleFragmentHasAShortcut() {
        byte[] leaf = TreeDigest.leaf(ByteBuffer.wrap(object(5)));

        assertThat(TreeDigest.ofSingle(leaf, 5, FRAGMENT)).isEqualTo(digest(object(5)));
        assertThat(TreeDigest.ofSingle(leaf, 0, FRAGMENT)).isEqualTo(digest(new byte[0]));
    }

    private static byte[] object(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + 7);
        }
        return bytes;
    }

    private static TransferDigest digest(byte[] object) {
        TreeDigest.Builder builder = new TreeDigest.Builder();
        for (int at = 0; at < object.length; at += FRAGMENT) {
            builder.add(TreeDigest.leaf(ByteBuffer.wrap(object, at, Math.min(FRAGMENT, object.length - at))));
        }
        return builder.root(object.length, FRAGMENT);
    }

    private static TransferDigest recursive(byte[] object) throws Exception {
        List<byte[]> leaves = new ArrayList<>();
        for (int at = 0; at < object.length; at += FRAGMENT) {
            leaves.add(sha256(Arrays.copyOfRange(object, at, Math.min(at + FRAGMENT, object.length))));
        }
        ByteBuffer root = ByteBuffer.allocate(17 + 8 + 4 + 32);
        root.put("hawser-hts256-v1".getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        root.putLong(object.length).putInt(FRAGMENT).put(tree(leaves));
        return new TransferDigest(FRAGMENT, sha256(root.array()));
    }

    private static byte[] tree(List<byte[]> leaves) throws Exception {
        if (leaves.isEmpty()) {
            return sha256(new byte[0]);
        }
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int split = Integer.highestOneBit(leaves.size() - 1);
        return sha256(ByteBuffer.allocate(65)
                .put((byte) 1)
                .put(tree(leaves.subList(0, split)))
                .put(tree(leaves.subList(split, leaves.size())))
                .array());
    }

    private static byte[] sha256(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
