package io.hawser.core.collection;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A map that evicts its oldest entry when an insertion exceeds its maximum size. Iteration runs from the oldest entry to the newest;
 * replacing a value does not change an entry's age.
 *
 * <p>Thread: its owner's.
 */
public final class EvictingMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private static final float LOAD_FACTOR = 0.75f;
    private static final int INITIAL_CAPACITY = 16;

    private final int maxSize;
    private final transient BiConsumer<? super K, ? super V> onEvict;

    /** Creates an empty map of at most {@code maxSize} entries. */
    public EvictingMap(int maxSize) {
        this(maxSize, (key, value) -> {});
    }

    /** The same; {@code onEvict} gets each evicted entry, and must not change the map. */
    public EvictingMap(int maxSize, BiConsumer<? super K, ? super V> onEvict) {
        this(maxSize, onEvict, false);
    }

    private EvictingMap(int maxSize, BiConsumer<? super K, ? super V> onEvict, boolean accessOrder) {
        super(INITIAL_CAPACITY, LOAD_FACTOR, accessOrder);
        if (maxSize < 0) {
            throw new IllegalArgumentException("a maximum size of " + maxSize);
        }
        this.maxSize = maxSize;
        this.onEvict = onEvict;
    }

    /** An empty map that evicts the entry that was read or written least recently. */
    public static <K, V> EvictingMap<K, V> leastRecentlyUsed(int maxSize) {
        return leastRecentlyUsed(maxSize, (key, value) -> {});
    }

    /** The same; {@code onEvict} gets each evicted entry, and must not change the map. */
    public static <K, V> EvictingMap<K, V> leastRecentlyUsed(int maxSize, BiConsumer<? super K, ? super V> onEvict) {
        return new EvictingMap<>(maxSize, onEvict, true);
    }

    /** An empty set of at most {@code maxSize} elements, which evicts its oldest element in the same way. */
    public static <E> Set<E> newSet(int maxSize) {
        return Collections.newSetFromMap(new EvictingMap<E, Boolean>(maxSize));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        boolean evicted = size() > maxSize;
        if (evicted) {
            onEvict.accept(eldest.getKey(), eldest.getValue());
        }
        return evicted;
    }
}
