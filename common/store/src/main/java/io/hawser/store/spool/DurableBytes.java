package io.hawser.store.spool;

import io.hawser.core.model.FragmentRanges;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which bytes of a transfer that is coming in are durable: full fragments, and the beginnings of a few others, namely the
 * tail, and where the upload broke off.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class DurableBytes {
    private final int fragmentSizeBytes;
    private final FragmentRanges full = new FragmentRanges();
    private final Map<Long, Integer> partials = new TreeMap<>();

    DurableBytes(int fragmentSizeBytes) {
        this.fragmentSizeBytes = fragmentSizeBytes;
    }

    /** The first {@code length} bytes of a fragment are durable. */
    void add(long index, int length) {
        partials.remove(index);
        if (length == fragmentSizeBytes) {
            full.add(index);
        } else {
            partials.put(index, length);
        }
    }

    /** How many bytes of a fragment are durable, from its beginning on. */
    int length(long index) {
        return full.contains(index) ? fragmentSizeBytes : partials.getOrDefault(index, 0);
    }

    /** The fragments that are durable as a whole. */
    FragmentRanges full() {
        return full;
    }

    /** The fragments of which only the beginning is durable. */
    Set<Long> partials() {
        return partials.keySet();
    }

    /** The end of the contiguous bytes from the beginning, a partial fragment included. */
    long prefixBytes() {
        long fragments = full.firstMissing(0);
        return fragments * fragmentSizeBytes + partials.getOrDefault(fragments, 0);
    }

    /** Where the last of them ends. */
    long endBytes() {
        long end = full.end() * fragmentSizeBytes;
        for (Map.Entry<Long, Integer> partial : partials.entrySet()) {
            end = Math.max(end, partial.getKey() * fragmentSizeBytes + partial.getValue());
        }
        return end;
    }

    long bytes() {
        long bytes = full.count() * fragmentSizeBytes;
        for (int length : partials.values()) {
            bytes += length;
        }
        return bytes;
    }

    /** Whether these are exactly the bytes of an object of that size. */
    boolean isWhole(long sizeBytes) {
        long fullCount = sizeBytes / fragmentSizeBytes;
        int tail = (int) (sizeBytes % fragmentSizeBytes);
        return full.count() == fullCount
                && full.containsAll(0, fullCount)
                && partials.equals(tail == 0 ? Map.of() : Map.of(fullCount, tail));
    }
}
