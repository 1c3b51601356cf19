package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;

/**
 * A whole transfer of at most one fragment inside a small packet: open, fragment and commit in one.
 *
 * @param manifest what it is
 * @param commit its commit
 * @param crc32c CRC32C of its bytes
 * @param leaf SHA-256 of its bytes; 32 zero bytes for an empty object
 * @param resumed whether an earlier session may have announced it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SmallItem(Manifest manifest, Commit commit, int crc32c, byte[] leaf, boolean resumed) {
    /** Its bytes in the packet's payload, which holds the items' bytes one after the other. */
    public int length() {
        return (int) commit.sizeBytes();
    }

    /** Whether its parts agree: bounds and quotas count what the manifest says. */
    boolean isWhole() {
        return manifest.agreesWith(commit) && commit.sizeBytes() <= manifest.fragmentSizeBytes();
    }
}
