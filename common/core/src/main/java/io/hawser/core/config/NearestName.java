package io.hawser.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the known name that a misspelt one probably means. Pure. */
public final class NearestName {
    /** Names that differ in more letters are no suggestion. */
    private static final int MAX_DIFFERENCE = 3;
    /** From this length a name may be the beginning of the one that is meant. */
    private static final int MIN_PREFIX = 3;

    private NearestName() {}

    /** The known name with the fewest different letters, or the only one that begins with {@code name}; empty if none is near. */
    public static Optional<String> of(String name, Collection<String> known) {
        return of(name, name.length(), known);
    }

    /** @param letters how many letters of {@code name} are its own: fewer may differ in a shorter name */
    static Optional<String> of(String name, int letters, Collection<String> known) {
        int most = Math.min(MAX_DIFFERENCE, letters / 2);
        return known.stream()
                .filter(each -> difference(name, each) <= most)
                .min(Comparator.<String>comparingInt(each -> difference(name, each))
                        .thenComparing(Comparator.naturalOrder()))
                .or(() -> onlyOneThatBegins(name, letters, known));
    }

    private static Optional<String> onlyOneThatBegins(String name, int letters, Collection<String> known) {
        if (letters < MIN_PREFIX) {
            return Optional.empty();
        }
        List<String> found =
                known.stream().filter(each -> each.startsWith(name)).toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** How many letters must be changed, inserted, deleted or swapped with their neighbour (optimal string alignment). */
    private static int difference(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : difference(one, i, other, j, steps);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int difference(String one, int i, String other, int j, int[][] steps) {
        int changed = steps[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int least = Math.min(changed, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
