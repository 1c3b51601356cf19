package io.hawser.core.model;

import java.util.Optional;

/**
 * Selects which of the transfers that the broker still keeps a new subscription gets.
 *
 * @param sinceEpochMillis those committed at or after this time of the broker's clock; 0: all
 * @param names those whose name matches; empty: all
 */
public record ReplayFilter(long sinceEpochMillis, Optional<NamePattern> names) {
    /** Everything. */
    public static final ReplayFilter ALL = new ReplayFilter(0, Optional.empty());

    public ReplayFilter {
        if (sinceEpochMillis < 0) {
            throw new IllegalArgumentException("a time of " + sinceEpochMillis + " ms");
        }
    }

    /** Whether a transfer of that name and time of commit is selected. */
    public boolean has(long committedEpochMillis, String name) {
        return committedEpochMillis >= sinceEpochMillis
                && names.map(pattern -> pattern.matches(name)).orElse(true);
    }
}
