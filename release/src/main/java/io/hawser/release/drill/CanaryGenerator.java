package io.hawser.release.drill;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes canaries: names that everybody recognizes and that no other drill has, sizes from nothing to the largest, most of them small.
 *
 * <p>Thread: any.
 */
final class CanaryGenerator {
    /** What the names of all canaries of all drills begin with. */
    static final String PREFIX = "hawser-drill-";

    private static final int SMALL_BYTES = 64 << 10;
    private static final int HUNDRED = 100;
    private static final int EMPTY_BELOW = 4;
    private static final int SMALL_BELOW = 60;
    private static final int MIDDLE_BELOW = 90;

    private final SplittableRandom random;
    private final long largestBytes;
    private final String prefix;
    private int count;

    CanaryGenerator(long seed, long largestBytes) {
        random = new SplittableRandom(seed);
        this.largestBytes = largestBytes;
        // Not from the seed: two drills with the same one may run at once.
        prefix = PREFIX + Long.toString(System.currentTimeMillis() / 1000, Character.MAX_RADIX) + "-"
                + String.format(Locale.ROOT, "%04x", ThreadLocalRandom.current().nextInt(1 << 16)) + "-";
    }

    /** What the names of this drill's canaries begin with. */
    String prefix() {
        return prefix;
    }

    synchronized Canary next(CanaryRoute route) {
        count++;
        return new Canary(
                prefix + route.letter() + String.format(Locale.ROOT, "%06d", count),
                count == 1 ? largestBytes : size(),
                random.nextLong(),
                route);
    }

    private long size() {
        int dice = random.nextInt(HUNDRED);
        if (dice < EMPTY_BELOW) {
            return 0;
        }
        long bound = dice < SMALL_BELOW ? SMALL_BYTES : dice < MIDDLE_BELOW ? largestBytes / 4 : largestBytes;
        return random.nextLong(Math.min(bound, largestBytes) + 1);
    }
}
