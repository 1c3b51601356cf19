package io.hawser.core.collection;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A map that evicts its oldest entry when an insertion exceeds its maximum size. Iteration runs from the oldest entry to the newest;
 * replacing a value does not change an entry's age.
 *
 * <p>Thread: its owner's.
 */
public final class EvictingMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int maxSize;

    /** Creates an empty map of at most {@code maxSize} entries. */
    public EvictingMap(int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("a map of at most " + maxSize + " entries holds nothing");
        }
        this.maxSize = maxSize;
    }

    /** An empty set of at most {@code maxSize} elements, which evicts its oldest element in the same way. */
    public static <E> Set<E> newSet(int maxSize) {
        return Collections.newSetFromMap(new EvictingMap<E, Boolean>(maxSize));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxSize;
    }
}
