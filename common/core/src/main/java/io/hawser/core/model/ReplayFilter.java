package io.hawser.core.model;

import java.util.Optional;

/**
 * Selects which of the transfers that the broker still keeps for others a new subscription gets too.
 *
 * @param sinceEpochMillis what was committed then or later, by the broker's clock; 0: whenever
 * @param names what has a name that fits; empty: all
 */
public record ReplayFilter(long sinceEpochMillis, Optional<NamePattern> names) {
    /** Everything. */
    public static final ReplayFilter ALL = new ReplayFilter(0, Optional.empty());

    public ReplayFilter {
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
