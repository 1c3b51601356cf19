package io.hawser.store.content;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.store.storage.StorageException;

/**
 * Whether the durable fragments of a transfer agree with its commit.
 *
 * @param problem an empty string if they agree, otherwise a sentence
 * @param isLost whether digests that were durable cannot be read any more; so the commit may be right
 */
public record Agreement(String problem, boolean isLost) {
    public static final Agreement FULL = new Agreement("", false);

    static Agreement of(FragmentFile file, Commit commit, int fragmentSizeBytes) throws StorageException {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        long[] bytes = new long[1];
        file.scan(0, slot -> {
            if (slot.index() == tree.count() && slot.index() < commit.fragmentCount()) {
                tree.add(slot.leaf());
                bytes[0] += slot.length();
            }
        });
        if (tree.count() != commit.fragmentCount()) {
            return new Agreement("the digest of fragment " + tree.count() + " cannot be read any more", true);
        }
        if (bytes[0] != commit.sizeBytes()) {
            return new Agreement(
                    "The commit speaks of " + commit.fragmentCount() + " fragments with " + commit.sizeBytes()
                            + " bytes, and they have " + bytes[0] + ".",
                    false);
        }
        return tree.root(commit.sizeBytes(), fragmentSizeBytes).equals(commit.digest())
                ? FULL
                : new Agreement(
                        "The fragments that were read back from the disk do not make the digest of the commit, "
                                + commit.digest() + ".",
                        false);
    }
}
