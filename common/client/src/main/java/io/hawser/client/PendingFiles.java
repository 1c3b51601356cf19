package io.hawser.client;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SourceFingerprint;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Unfinished transfers by the file that they send. The journal names the file of a large one. It has a small one's bytes and not where they
 * came from, so those are compared.
 *
 * <p>Thread: that of the caller; blocks.
 */
record PendingFiles(HawserClient client, Spool spool, Storage storage) {
    /** The newest that sends this version of {@code file} under that name; empty also if the file cannot be read. */
    Optional<TransferSnapshot> find(Topic topic, String name, Path file) throws IOException {
        SourceFingerprint source;
        try {
            source = SourceFingerprint.of(storage, file);
        } catch (StorageException e) {
            return Optional.empty(); // a send of it throws and says why
        }
        Optional<TransferSnapshot> large = client.onLoop(() -> spool.findReference(topic, name, source));
        return large.isPresent() || source.sizeBytes() > Spool.SMALL_LIMIT_BYTES
                ? large
                : small(client.onLoop(() -> spool.touching(topic, name)), name, source, file);
    }

    private static Optional<TransferSnapshot> small(
            List<TransferSnapshot> newestFirst, String name, SourceFingerprint source, Path file) {
        Optional<TransferSnapshot> newest = newestFirst.stream().findFirst();
        return newest.isPresent() && isLike(newest.get(), name, source) && hasBytesOf(newest.get(), file)
                ? newest
                : Optional.empty();
    }

    private static boolean isLike(TransferSnapshot known, String name, SourceFingerprint source) {
        Manifest manifest = known.manifest();
        Commit commit = known.commit();
        String millis = Long.toString(Math.floorDiv(source.modifiedNanos(), 1_000_000L));
        return manifest.kind() == TransferKind.FILE
                && manifest.name().equals(name)
                && millis.equals(manifest.attributes().get(Attributes.MODIFIED_MILLIS))
                && known.source() == null
                && commit != null
                && commit.sizeBytes() == source.sizeBytes()
                && commit.fragmentCount() <= 1;
    }

    private static boolean hasBytesOf(TransferSnapshot known, Path file) {
        Commit commit = known.commit();
        if (commit == null) {
            return false;
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(Math.toIntExact(commit.sizeBytes()) + 1); // it may have grown meanwhile
        } catch (IOException e) {
            return false;
        }
        return commit.sizeBytes() == bytes.length
                && commit.digest()
                        .equals(TreeDigest.ofSingle(
                                TreeDigest.leaf(ByteBuffer.wrap(bytes)),
                                bytes.length,
                                commit.digest().fragmentSizeBytes()));
    }
}
