package io.hawser.core.model;

/**
 * The publisher's statement that a transfer is complete.
 *
 * @param sizeBytes the final size, 0 or more
 * @param fragmentCount how many fragments it has; 0 for an empty object
 * @param digest the tree digest of the whole
 */
public record Commit(long sizeBytes, long fragmentCount, TransferDigest digest) {
    public Commit {
        if (sizeBytes < 0 || fragmentCount != Manifest.fragmentCount(sizeBytes, digest.fragmentSizeBytes())) {
            throw new IllegalArgumentException("size " + sizeBytes + " does not make " + fragmentCount
                    + " fragments of " + digest.fragmentSizeBytes());
        }
    }

    /** The commit of {@code sizeBytes} with that digest. */
    public static Commit of(long sizeBytes, TransferDigest digest) {
        return new Commit(sizeBytes, Manifest.fragmentCount(sizeBytes, digest.fragmentSizeBytes()), digest);
    }
}
