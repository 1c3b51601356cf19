package io.hawser.store.spool;

import io.hawser.core.integrity.Sha256;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKind;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The digests of the files that accounts uploaded last, by path: what an upload from byte 0 is compared with, also when the bytes are
 * no longer here. A memory of this run, of bounded size; forgetting costs bytes on the link and nothing else.
 *
 * <p>Thread: the loop.
 */
final class RecentFiles {
    /** Digests of 128 GiB in fragments of 1 MiB. */
    static final int MAX_BYTES = 4 << 20;

    private static final int MAX_BYTES_OF_ONE = MAX_BYTES / 2;

    private final Map<Place, RecentFile> files = new LinkedHashMap<>();
    private int bytes;

    private record Place(String account, Topic topic, String name) {}

    /** A file that was accepted here. */
    static final class RecentFile {
        private final long number;
        private final Commit commit;
        private final byte[] leaves;

        /** {@code leaves}: of all its fragments, one after the other. */
        RecentFile(long number, Commit commit, byte[] leaves) {
            this.number = number;
            this.commit = commit;
            this.leaves = leaves;
        }

        /** Its transfer's place in Order by path. */
        long number() {
            return number;
        }

        Commit commit() {
            return commit;
        }

        boolean has(long index, byte[] leaf) {
            return index < commit.fragmentCount() && Arrays.equals(leaf, leaf(leaves, (int) index));
        }

        private static byte[] leaf(byte[] leaves, int index) {
            return Arrays.copyOfRange(leaves, index * Sha256.LENGTH_BYTES, (index + 1) * Sha256.LENGTH_BYTES);
        }
    }

    /**
     * Whether a transfer is of a kind that is compared: a file that a client uploads under its account, byte for byte. A credential that a client
     * delegates is of one transfer.
     */
    static boolean isCompared(TransferKind kind, Map<String, String> attributes) {
        return kind == TransferKind.FILE && attributes.keySet().equals(Set.of(Attributes.ACCOUNT));
    }

    /** Whether the digests of a file of that many fragments are kept. One that is less than a fragment costs the link little. */
    static boolean isKept(Manifest manifest, Commit commit) {
        return isCompared(manifest.kind(), manifest.attributes())
                && commit.sizeBytes() >= manifest.fragmentSizeBytes()
                && commit.fragmentCount() <= MAX_BYTES_OF_ONE / Sha256.LENGTH_BYTES;
    }

    /** Remembers a file for which {@link #isKept} holds, and forgets others if there are too many. */
    void add(Manifest manifest, RecentFile file) {
        Place place = place(manifest.attributes(), manifest.topic(), manifest.name());
        RecentFile known = files.get(place);
        if (known != null && known.number > file.number) {
            return;
        }
        forget(files.remove(place));
        files.put(place, file);
        bytes += file.leaves.length;
        for (Iterator<RecentFile> oldest = files.values().iterator(); bytes > MAX_BYTES; ) {
            forget(oldest.next());
            oldest.remove();
        }
    }

    private void forget(@Nullable RecentFile file) {
        bytes -= file == null ? 0 : file.leaves.length;
    }

    /** The file that the same account uploaded to the same place last, if it is known. */
    @Nullable
    RecentFile find(Map<String, String> attributes, Topic topic, String name) {
        return files.get(place(attributes, topic, name));
    }

    private static Place place(Map<String, String> attributes, Topic topic, String name) {
        return new Place(attributes.getOrDefault(Attributes.ACCOUNT, ""), topic, name);
    }
}
