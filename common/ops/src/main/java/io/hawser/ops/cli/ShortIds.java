package io.hawser.ops.cli;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Short names for keys of transfers: the shortest ends, of at least eight digits, that no two of the keys share. They are accepted where a key
 * is ({@link TransferKeys}).
 *
 * <p>Thread: any.
 */
final class ShortIds {
    private static final int SHORTEST = 8;

    private final int length;

    private ShortIds(int length) {
        this.length = length;
    }

    static ShortIds of(Collection<String> keys) {
        int length = SHORTEST;
        int longest = keys.stream().mapToInt(String::length).max().orElse(0);
        while (length < longest && !areDistinct(keys, length)) {
            length++;
        }
        return new ShortIds(length);
    }

    private static boolean areDistinct(Collection<String> keys, int length) {
        Map<String, String> ends = new HashMap<>();
        return keys.stream().allMatch(key -> {
            String other = ends.putIfAbsent(end(key, length), key);
            return other == null || other.equals(key);
        });
    }

    String of(String key) {
        return end(key, length);
    }

    private static String end(String key, int length) {
        return key.substring(Math.max(0, key.length() - length));
    }
}
