package io.hawser.it.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts how often a verdict named the throttled stage, and says so.
 *
 * <p>Thread: one.
 */
public final class Trials {
    /** How often each stage is throttled. */
    public static final int COUNT = Integer.getInteger("hawser.why.trials", 2);
    /** What a verdict looks back on. */
    public static final long WINDOW_MILLIS = 5_000;

    private static final double WANTED = 0.95;

    private final Map<String, List<Boolean>> byThrottle = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    /** Begins what is to be judged: after it a transfer of that name is throttled. */
    @FunctionalInterface
    interface Upload {
        void begin(String name) throws Exception;
    }

    /** Asks for the verdict on a transfer. */
    @FunctionalInterface
    interface Judge {
        Verdicts.Found verdict(String transfer) throws Exception;
    }

    /** Judges {@link #COUNT} transfers, each {@link #WINDOW_MILLIS} after its begin; a verdict is right if it is one of {@code wanted}. */
    void run(String throttle, Set<String> wanted, Upload upload, Judge judge) throws Exception {
        for (int trial = 0; trial < COUNT; trial++) {
            String name = "trial-" + trial;
            long beganNanos = System.nanoTime();
            upload.begin(name);
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
            TimeUnit.MILLISECONDS.sleep(Math.max(0, WINDOW_MILLIS - tookMillis)); // the window is what is tested
            add(throttle, wanted, judge.verdict(name));
        }
    }

    /** Counts a verdict. */
    public void add(String throttle, Set<String> wanted, Verdicts.Found found) {
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
    public void report() {
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
