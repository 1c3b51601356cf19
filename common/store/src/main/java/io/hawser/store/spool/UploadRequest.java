package io.hawser.store.spool;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a new transfer shall be; the spool adds its key and number and makes a {@link Manifest} of it.
 *
 * @param topic where it goes
 * @param kind what publishing it means
 * @param name see {@link Manifest#name()}
 * @param paths see {@link Manifest#paths()}
 * @param sizeBytes the size, or {@link Manifest#UNKNOWN_SIZE}; for a file that is read in place it is not looked at
 * @param fragmentSizeBytes the size of every fragment but the last: a power of two, from 4096
 * @param attributes see {@link Manifest#attributes()}
 * @param keyed more of them, which know the transfer's key
 */
public record UploadRequest(
        Topic topic,
        TransferKind kind,
        String name,
        List<String> paths,
        long sizeBytes,
        int fragmentSizeBytes,
        Map<String, String> attributes,
        Keyed keyed) {
    /** Attributes that are made for one transfer: they know its key. */
    @FunctionalInterface
    public interface Keyed {
        Keyed NONE = key -> Map.of();

        Map<String, String> of(TransferKey key);
    }

    /** A disk's block: no fragment is smaller. */
    public static final int MIN_FRAGMENT_SIZE_BYTES = 4096;

    public UploadRequest {
        paths = List.copyOf(paths);
        attributes = Map.copyOf(attributes);
        if (fragmentSizeBytes < MIN_FRAGMENT_SIZE_BYTES) {
            throw new IllegalArgumentException(
                    "a spooled fragment has at least " + MIN_FRAGMENT_SIZE_BYTES + " bytes, not " + fragmentSizeBytes);
        }
    }

    /** The same with attributes that know the transfer's key. */
    public UploadRequest withKeyed(Keyed other) {
        return new UploadRequest(topic, kind, name, paths, sizeBytes, fragmentSizeBytes, attributes, other);
    }

    /** All attributes of the transfer that gets {@code key}. */
    public Map<String, String> attributesOf(TransferKey key) {
        Map<String, String> all = new HashMap<>(attributes);
        all.putAll(keyed.of(key));
        return all;
    }

    /** The same with another size. */
    public UploadRequest withSize(long bytes) {
        return new UploadRequest(topic, kind, name, paths, bytes, fragmentSizeBytes, attributes, keyed);
    }
}
