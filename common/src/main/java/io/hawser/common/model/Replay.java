package io.hawser.common.model;

import java.util.Optional;

/**
 * Of what the broker keeps when a subscription comes into being, and that is owed to others, what the new one gets too.
 *
 * @param sinceEpochMillis what was committed then or later, by the broker's clock; 0: whenever
 * @param names what has a name that fits; empty: all
 */
public record Replay(long sinceEpochMillis, Optional<NamePattern> names) {
    /** Everything. */
    public static final Replay ALL = new Replay(0, Optional.empty());

    public Replay {
        if (sinceEpochMillis < 0) {
            throw new IllegalArgumentException("a time of " + sinceEpochMillis + " ms");
        }
    }

    /** Whether a transfer of that name, committed then, is one of them. */
    public boolean has(long committedEpochMillis, String name) {
        return committedEpochMillis >= sinceEpochMillis
                && names.map(pattern -> pattern.fits(name)).orElse(true);
    }
}
