package io.hawser.release.drill;

import io.hawser.release.process.PatternStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A file of known content under a name that no other canary ever had.
 *
 * @param seed what its content is made of
 */
record Canary(String name, long sizeBytes, long seed, CanaryRoute route) {
    InputStream content() {
        return new PatternStream(sizeBytes, seed);
    }

    /** What is wrong with {@code found}, as a phrase; empty if it is this canary, whole. Reads to its end. */
    String complaint(InputStream found) throws IOException {
        return PatternStream.firstDifference(found, sizeBytes, seed)
                .map(difference -> (difference.foundBytes() == sizeBytes
                                ? "differs from what was sent, first at byte "
                                : "has " + difference.foundBytes() + " bytes instead of " + sizeBytes
                                        + ", and differs first at byte ")
                        + difference.position())
                .orElse("");
    }
}
