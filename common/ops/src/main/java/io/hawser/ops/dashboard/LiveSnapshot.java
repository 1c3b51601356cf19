package io.hawser.ops.dashboard;

import java.util.List;

/**
 * The transfers of a node at one moment. Rows and removals carry the version in which they changed, so that a viewer that has an older version gets
 * only what changed since, however many versions it has missed.
 *
 * @param version counts the samples from 1
 * @param epochMillis when the sample was taken
 * @param entries all rows, the oldest first
 * @param removals rows that are gone, the earliest removal first
 * @param removalsSince a viewer with an older version needs all rows again
 * @param rates the latest rates of all rows together, one for each sample, the newest last
 * @param seconds since the sample before
 *
 * <p>Thread: immutable.
 */
record LiveSnapshot(
        long version,
        long epochMillis,
        List<Entry> entries,
        List<Removal> removals,
        long removalsSince,
        List<Rate> rates,
        double seconds) {
    /**
     * A row.
     *
     * @param version in which it changed last
     * @param inBytes how many bytes came in since the sample before that change
     * @param outBytes how many went out since then
     */
    record Entry(LiveRow row, long version, long inBytes, long outBytes) {}

    /** A row that is gone since {@code version}. */
    record Removal(String key, String topic, long version) {}

    /** Bytes a second at {@code epochMillis}. */
    record Rate(long epochMillis, long inBytesPerSecond, long outBytesPerSecond) {
        static Rate of(long epochMillis, long inBytes, long outBytes, double seconds) {
            return seconds <= 0
                    ? new Rate(epochMillis, 0, 0)
                    : new Rate(epochMillis, Math.round(inBytes / seconds), Math.round(outBytes / seconds));
        }
    }
}
