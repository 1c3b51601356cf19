package io.hawser.core.model;

import java.util.List;
import java.util.Map;

/**
 * The description of a transfer, fixed when it begins. {@link Commit} has what is known only at its end.
 *
 * @param key its publisher and id
 * @param number counts the publisher's transfers from 1: those that share a path are applied in this order
 * @param topic its topic
 * @param kind the operation at the far end
 * @param name the path below the destination, segments joined by {@code /}, no leading slash; for a message any label.
 *     At most {@value #MAX_NAME_LENGTH_BYTES} bytes of UTF-8
 * @param paths its paths for Order by path; empty for a message. At most {@value #MAX_PATHS}, each of at most
 *     {@value #MAX_NAME_LENGTH_BYTES} bytes of UTF-8
 * @param sizeBytes the size, or {@link #UNKNOWN_SIZE} until the commit; one that {@link #isTooLarge} is refused
 * @param fragmentSizeBytes the size of every fragment but the last; a power of two from 16 to 64 MiB (from 4096 where a disk
 *     is involved)
 * @param attributes see {@link Attributes}; at most {@value #MAX_ATTRIBUTES}
 * @param extensions what later versions say; at most {@value #MAX_EXTENSIONS}
 */
public record Manifest(
        TransferKey key,
        long number,
        Topic topic,
        TransferKind kind,
        String name,
        List<String> paths,
        long sizeBytes,
        int fragmentSizeBytes,
        Map<String, String> attributes,
        List<Extension> extensions) {
    public static final long UNKNOWN_SIZE = -1;
    public static final int MAX_NAME_LENGTH_BYTES = 4096;
    /** The most bytes of name, paths, attributes and extensions together. */
    public static final int MAX_WEIGHT_BYTES = 32 << 10;

    public static final int MAX_PATHS = 4;
    public static final int MAX_ATTRIBUTES = 64;
    public static final int MAX_EXTENSIONS = 16;
    /** Without texts. */
    private static final int LEAST_MEMORY_BYTES = 1024;

    public static final int MAX_MEMORY_BYTES = LEAST_MEMORY_BYTES + MAX_WEIGHT_BYTES;

    /** The most bytes of an object: below what ext4 takes in one file. */
    public static final long MAX_SIZE_BYTES = 15L << 40;
    /** The most fragments of an object: what is kept for each has to stay small beside the object. */
    public static final long MAX_FRAGMENTS = 1L << 24;

    /** The two of them for a refusal, as a sentence. */
    public static final String SIZE_LIMITS = "An object has at most 15 TiB and 16,777,216 fragments";

    public static final int MIN_FRAGMENT_SIZE_BYTES = 16;
    public static final int MAX_FRAGMENT_SIZE_BYTES = 64 << 20;
    public static final int DEFAULT_FRAGMENT_SIZE_BYTES = 1 << 20;

    public Manifest {
        paths = List.copyOf(paths);
        attributes = Map.copyOf(attributes);
        extensions = List.copyOf(extensions);
        if (number < 1) {
            throw new IllegalArgumentException("a publisher counts its transfers from 1, not " + number);
        }
        if (sizeBytes < UNKNOWN_SIZE) {
            throw new IllegalArgumentException("size " + sizeBytes);
        }
        if (fragmentSizeBytes < MIN_FRAGMENT_SIZE_BYTES
                || fragmentSizeBytes > MAX_FRAGMENT_SIZE_BYTES
                || Integer.bitCount(fragmentSizeBytes) != 1) {
            throw new IllegalArgumentException(
                    "a fragment size is a power of two from 16 bytes to 64 MiB, not " + fragmentSizeBytes);
        }
        if (attributes.size() > MAX_ATTRIBUTES) {
            throw new IllegalArgumentException("more than " + MAX_ATTRIBUTES + " attributes");
        }
        if (paths.size() > MAX_PATHS) {
            throw new IllegalArgumentException("more than " + MAX_PATHS + " paths");
        }
        if (extensions.size() > MAX_EXTENSIONS) {
            throw new IllegalArgumentException("more than " + MAX_EXTENSIONS + " extensions");
        }
        if (paths.stream().anyMatch(path -> Utf8.length(path) > MAX_NAME_LENGTH_BYTES)) {
            throw new IllegalArgumentException("a path of more than " + MAX_NAME_LENGTH_BYTES + " bytes");
        }
        if (Utf8.length(name) > MAX_NAME_LENGTH_BYTES) {
            throw new IllegalArgumentException("a name of more than " + MAX_NAME_LENGTH_BYTES + " bytes");
        }
        if (weightBytes(name, paths, attributes, extensions) > MAX_WEIGHT_BYTES) {
            throw new IllegalArgumentException("a manifest of more than " + MAX_WEIGHT_BYTES + " bytes");
        }
    }

    /** Without extensions. */
    public Manifest(
            TransferKey key,
            long number,
            Topic topic,
            TransferKind kind,
            String name,
            List<String> paths,
            long sizeBytes,
            int fragmentSizeBytes,
            Map<String, String> attributes) {
        this(key, number, topic, kind, name, paths, sizeBytes, fragmentSizeBytes, attributes, List.of());
    }

    /** The approximate memory of an unfinished transfer's manifest and state, in bytes. */
    public int memoryBytes() {
        return LEAST_MEMORY_BYTES + weightBytes();
    }

    /** The bytes of name, paths, attributes and extensions together. */
    public int weightBytes() {
        return weightBytes(name, paths, attributes, extensions);
    }

    private static int weightBytes(
            String name, List<String> paths, Map<String, String> attributes, List<Extension> extensions) {
        int weight = Utf8.length(name);
        for (String path : paths) {
            weight += 2 + Utf8.length(path);
        }
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            weight += 4 + Utf8.length(attribute.getKey()) + Utf8.length(attribute.getValue());
        }
        for (Extension extension : extensions) {
            weight += 8 + extension.value().length;
        }
        return weight;
    }

    /** Whether both have one publisher and topic, and a path of one is equal to, above or below a path of the other. */
    public boolean sharesPathWith(Manifest other) {
        return key.publisher().equals(other.key.publisher())
                && topic.equals(other.topic)
                && paths.stream()
                        .anyMatch(path -> other.paths.stream().anyMatch(each -> PathOverlap.overlap(path, each)));
    }

    /** Whether it must be applied before {@code other} (Order by path). */
    public boolean comesBefore(Manifest other) {
        return number < other.number && sharesPathWith(other);
    }

    /** Whether the size is known before the commit. */
    public boolean sizeKnown() {
        return sizeBytes != UNKNOWN_SIZE;
    }

    /**
     * Whether a fragment of that length has that place: exactly, where the size is known. Where it is not, the last fragment, which may be
     * any below the limits, is shorter.
     */
    public boolean hasFragment(long index, int length) {
        if (index < 0
                || index >= MAX_FRAGMENTS
                || length > fragmentSizeBytes
                || index * fragmentSizeBytes > MAX_SIZE_BYTES - length) {
            return false;
        }
        return !sizeKnown()
                || (index < fragmentCount(sizeBytes, fragmentSizeBytes)
                        && length == fragmentLength(index, sizeBytes, fragmentSizeBytes));
    }

    /** Whether what is let in under the one is let in under the other: rights and room were given for that. */
    public boolean promisesAs(Manifest other) {
        return topic.equals(other.topic)
                && kind == other.kind
                && sizeBytes == other.sizeBytes
                && fragmentSizeBytes == other.fragmentSizeBytes;
    }

    /** Whether the commit's sizes are those that were announced. */
    public boolean agreesWith(Commit commit) {
        return commit.digest().fragmentSizeBytes() == fragmentSizeBytes
                && (!sizeKnown() || sizeBytes == commit.sizeBytes());
    }

    /** Whether an object of that size has more than {@link #MAX_SIZE_BYTES} or {@link #MAX_FRAGMENTS}; not if it is {@link #UNKNOWN_SIZE}. */
    public static boolean isTooLarge(long sizeBytes, int fragmentSizeBytes) {
        return sizeBytes > MAX_SIZE_BYTES
                || (sizeBytes > 0 && fragmentCount(sizeBytes, fragmentSizeBytes) > MAX_FRAGMENTS);
    }

    /** How many fragments an object of {@code sizeBytes} has; 0 for an empty one. */
    public static long fragmentCount(long sizeBytes, int fragmentSizeBytes) {
        return sizeBytes / fragmentSizeBytes + (sizeBytes % fragmentSizeBytes > 0 ? 1 : 0); // a sum could overflow
    }

    /** The length of fragment {@code index} of an object of {@code sizeBytes}. */
    public static int fragmentLength(long index, long sizeBytes, int fragmentSizeBytes) {
        return (int) Math.min(fragmentSizeBytes, sizeBytes - index * fragmentSizeBytes);
    }
}
