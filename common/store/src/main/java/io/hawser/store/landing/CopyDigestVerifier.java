package io.hawser.store.landing;

import io.hawser.core.integrity.Sha256;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.TransferDigest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Tells whether the bytes of a file, as they are copied one after the other, are those of a digest.
 *
 * <p>Thread: one owner.
 */
public final class CopyDigestVerifier {
    private final TransferDigest expected;
    private final TreeDigest.Builder leaves = new TreeDigest.Builder();
    private final MessageDigest fragment = Sha256.newDigest();
    private int inFragment;
    private long sizeBytes;

    /** Begins before the first byte. */
    public CopyDigestVerifier(TransferDigest expected) {
        this.expected = expected;
    }

    /** Takes the next bytes, from position to limit; the position stays. */
    public void update(ByteBuffer bytes) {
        ByteBuffer rest = bytes.duplicate();
        int limit = rest.limit();
        while (rest.position() < limit) {
            int count = Math.min(limit - rest.position(), expected.fragmentSizeBytes() - inFragment);
            rest.limit(rest.position() + count);
            fragment.update(rest);
            rest.limit(limit);
            inFragment += count;
            sizeBytes += count;
            if (inFragment == expected.fragmentSizeBytes()) {
                endFragment();
            }
        }
    }

    private void endFragment() {
        leaves.add(fragment.digest());
        inFragment = 0;
    }

    /** Whether the bytes are exactly those of the digest; call it once, after the last. */
    public boolean matches() {
        if (inFragment > 0) {
            endFragment();
        }
        return leaves.root(sizeBytes, expected.fragmentSizeBytes()).equals(expected);
    }
}
