package io.hawser.it.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts how often a verdict named the throttled stage, and says so.
 *
 * <p>Thread: one.
 */
final class Trials {
    private static final double WANTED = 0.95;

    private final Map<String, List<Boolean>> byThrottle = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    /** Counts a trial; the verdict is right if it is one of {@code wanted}. */
    void add(String throttle, Set<String> wanted, Verdicts.Found found) {
        boolean right = wanted.contains(found.place());
        byThrottle.computeIfAbsent(throttle, unused -> new ArrayList<>()).add(right);
        if (!right) {
            wrong.add(throttle + ": " + found.place() + " instead of " + wanted + "\n" + found.answer());
        }
    }

    /** Notes that this machine does not allow a throttle. */
    void skip(String throttle, String why) {
        skipped.add(throttle + " (" + why + ")");
    }

    /** Prints the table and demands that 95 % are right. */
    void report() {
        long right = 0;
        long all = 0;
        for (Map.Entry<String, List<Boolean>> each : byThrottle.entrySet()) {
            long of = each.getValue().stream().filter(Boolean::booleanValue).count();
            System.err.println("WHY " + each.getKey() + ": " + of + " of "
                    + each.getValue().size() + " right");
            right += of;
            all += each.getValue().size();
        }
        System.err.println("WHY in all: " + right + " of " + all + " right; skipped: " + skipped);
        wrong.forEach(System.err::println);
        assertThat(right).as(String.join("\n", wrong)).isGreaterThanOrEqualTo((long) Math.ceil(all * WANTED));
    }
}
