package io.hawser.send;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Which files of a tree are sent, by glob patterns. A pattern without {@code /} fits the name of a file or directory at any depth, another one
 * the path below the directory that is sent; {@code **} crosses directories. What fits a directory fits all below it. An exclusion goes
 * before an inclusion.
 *
 * <p>Thread: any.
 */
public final class NameFilter {
    /** Lets everything through. */
    public static final NameFilter ALL = of(List.of(), List.of());

    private static final String ANY_DEPTH = "**/";

    private final List<PathMatcher> includes;
    private final List<PathMatcher> excludes;

    private NameFilter(List<PathMatcher> includes, List<PathMatcher> excludes) {
        this.includes = includes;
        this.excludes = excludes;
    }

    /**
     * A filter.
     *
     * @param includes if there are some, only what fits one of them is sent
     * @throws IllegalArgumentException if one is no pattern
     */
    public static NameFilter of(List<String> includes, List<String> excludes) {
        return new NameFilter(matchers(includes), matchers(excludes));
    }

    private static List<PathMatcher> matchers(List<String> patterns) {
        List<PathMatcher> matchers = new ArrayList<>();
        for (String pattern : patterns) {
            String bare = pattern.replaceAll("^/+|/+$", "");
            if (bare.isEmpty()) {
                throw new IllegalArgumentException(
                        "'" + pattern + "' is no pattern of a name; write for example '*.tmp'");
            }
            boolean anchored = pattern.startsWith("/") || bare.indexOf('/') >= 0;
            matchers.add(matcher(pattern, bare));
            if (!anchored) {
                matchers.add(matcher(pattern, ANY_DEPTH + bare));
            } else if (bare.startsWith(ANY_DEPTH)) {
                matchers.add(matcher(pattern, bare.substring(ANY_DEPTH.length())));
            }
        }
        return matchers;
    }

    private static PathMatcher matcher(String pattern, String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + pattern + "' is no pattern of a name: " + e.getDescription() + "; write for example '*.tmp'",
                    e);
        }
    }

    /** Whether that directory, and with it all below, is excluded. */
    public boolean excludes(Path below) {
        return fits(excludes, below);
    }

    /** Whether that file, or empty directory, is sent. {@code below} is its path below the directory that is sent, or its name. */
    public boolean lets(Path below) {
        return !fits(excludes, below) && (includes.isEmpty() || fits(includes, below));
    }

    /** Whether the path, or a directory above it, fits one of them. */
    private static boolean fits(List<PathMatcher> matchers, Path below) {
        for (int length = 1; length <= below.getNameCount(); length++) {
            Path part = below.subpath(0, length);
            if (matchers.stream().anyMatch(matcher -> matcher.matches(part))) {
                return true;
            }
        }
        return false;
    }
}
