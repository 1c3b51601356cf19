package io.hawser.core.model;

import java.util.NavigableMap;

/** Relates names of objects as paths in a tree: segments joined by {@code /}, without a slash at either end. */
public final class PathOverlap {
    private PathOverlap() {}

    /** Whether {@code path} is below {@code directory}, and not {@code directory} itself. */
    public static boolean isBelow(String path, String directory) {
        return path.length() > directory.length()
                && path.startsWith(directory)
                && path.charAt(directory.length()) == '/';
    }

    /** Whether {@code path} is {@code directory} or below it. */
    public static boolean isAtOrBelow(String path, String directory) {
        return path.equals(directory) || isBelow(path, directory);
    }

    /** Whether the paths are equal, or one of them is below the other. */
    public static boolean overlap(String one, String other) {
        return isAtOrBelow(one, other) || isAtOrBelow(other, one);
    }

    /** The entries of {@code byPath} below {@code directory}, as a view. The map has the strings' natural order. */
    public static <V> NavigableMap<String, V> below(NavigableMap<String, V> byPath, String directory) {
        return byPath.subMap(directory + '/', true, directory + '0', false); // '0' is the character after '/'
    }
}
